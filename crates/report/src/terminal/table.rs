use anstyle::Style;
use textwrap::core::display_width;

use super::paragraph::{INSIDE, Page, wrapped};
use super::style::{DIM, PLAIN, paint};
use crate::harmless::harmless;
use crate::units::NOTHING;

/// Space between columns and before the first.
const GAP: &str = "  ";
/// A column that wraps never gets narrower.
const NARROWEST: usize = 16;

/// Rows under headings that fit a width: first the least important columns go, then the last
/// column wraps if it may.
pub(crate) struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
}

/// One column.
pub(crate) struct Column {
    head: String,
    right: bool,
    wraps: bool,
    rank: Option<u8>,
}

/// One cell.
pub(crate) struct Cell {
    text: String,
    style: Style,
}

impl Column {
    /// Text that starts at the left.
    pub(crate) fn left(head: &str) -> Self {
        Self {
            head: head.to_owned(),
            right: false,
            wraps: false,
            rank: None,
        }
    }

    /// Figures that end at the right.
    pub(crate) fn right(head: &str) -> Self {
        Self {
            right: true,
            ..Self::left(head)
        }
    }

    /// Text that may be wrapped; makes sense for the last column.
    pub(crate) fn wrapping(head: &str) -> Self {
        Self {
            wraps: true,
            ..Self::left(head)
        }
    }

    /// May be left out on a narrow terminal: the lowest rank goes first.
    pub(crate) fn rank(self, rank: u8) -> Self {
        Self {
            rank: Some(rank),
            ..self
        }
    }
}

impl Cell {
    pub(crate) fn new(text: impl AsRef<str>) -> Self {
        Self::styled(text, PLAIN)
    }

    pub(crate) fn styled(text: impl AsRef<str>, style: Style) -> Self {
        Self {
            text: harmless(text.as_ref()).into_owned(),
            style,
        }
    }

    /// What stands where there is nothing.
    pub(crate) fn nothing() -> Self {
        Self::styled(NOTHING, DIM)
    }

    /// A figure that may not be there.
    pub(crate) fn known(text: Option<impl AsRef<str>>) -> Self {
        text.map_or_else(Self::nothing, Self::new)
    }
}

impl Table {
    pub(crate) fn new(columns: Vec<Column>) -> Self {
        Self {
            columns,
            rows: Vec::new(),
        }
    }

    pub(crate) fn row(&mut self, cells: Vec<Cell>) {
        debug_assert_eq!(cells.len(), self.columns.len());
        self.rows.push(cells);
    }

    /// The width at which nothing is dropped or wrapped.
    pub(crate) fn natural_width(&self) -> usize {
        (0..self.columns.len())
            .map(|index| self.width_of(index) + GAP.len())
            .sum()
    }

    /// The table as lines, and the heads of the columns that did not fit.
    pub(crate) fn fit(&self, width: usize) -> (String, Vec<&str>) {
        let (shown, dropped) = self.choose(width);
        let widths = self.widths(&shown, width);
        let heads = self.columns.iter().map(|column| column.head.as_str());
        let headed = heads.clone().any(|head| !head.is_empty());
        let heads: Vec<Cell> = heads.map(|head| Cell::styled(head, DIM)).collect();
        let mut text = String::new();
        for row in headed.then_some(&heads).into_iter().chain(&self.rows) {
            let cells: Vec<&Cell> = shown.iter().map(|&index| &row[index]).collect();
            self.line(&mut text, &shown, &widths, &cells);
        }
        let dropped = dropped.into_iter();
        let dropped = dropped.map(|index| self.columns[index].head.as_str());
        (text, dropped.collect())
    }

    fn choose(&self, width: usize) -> (Vec<usize>, Vec<usize>) {
        let mut shown: Vec<usize> = (0..self.columns.len()).collect();
        let mut dropped = Vec::new();
        while self.least(&shown) > width {
            let ranked = shown.iter();
            let ranked = ranked.filter_map(|&index| Some((self.columns[index].rank?, index)));
            let Some((_, goes)) = ranked.min() else {
                break;
            };
            shown.retain(|&index| index != goes);
            dropped.push(goes);
        }
        dropped.sort_unstable();
        (shown, dropped)
    }

    /// The width that these columns need at least.
    fn least(&self, shown: &[usize]) -> usize {
        let least = |&index: &usize| self.fitted(index, NARROWEST) + GAP.len();
        shown.iter().map(least).sum()
    }

    fn widths(&self, shown: &[usize], width: usize) -> Vec<usize> {
        let spare = width.saturating_sub(self.least(shown));
        let most = NARROWEST.saturating_add(spare);
        shown
            .iter()
            .map(|&index| self.fitted(index, most))
            .collect()
    }

    /// The width of a column, if those that wrap are no wider than this.
    fn fitted(&self, index: usize, most: usize) -> usize {
        let wraps = self.columns[index].wraps;
        self.width_of(index)
            .min(if wraps { most } else { usize::MAX })
    }

    fn width_of(&self, index: usize) -> usize {
        let cells = self.rows.iter().map(|row| row[index].text.as_str());
        cells
            .chain([self.columns[index].head.as_str()])
            .flat_map(str::lines)
            .map(display_width)
            .max()
            .unwrap_or(0)
    }

    fn line(&self, text: &mut String, shown: &[usize], widths: &[usize], cells: &[&Cell]) {
        let wrapped: Vec<Vec<String>> = cells
            .iter()
            .zip(widths)
            .map(|(cell, &width)| wrapped(&cell.text, width))
            .collect();
        let height = wrapped.iter().map(Vec::len).max().unwrap_or(0);
        for row in 0..height {
            let mut line = String::new();
            for (place, lines) in wrapped.iter().enumerate() {
                let part = lines.get(row).map_or("", String::as_str);
                let space = " ".repeat(widths[place].saturating_sub(display_width(part)));
                let part = paint(cells[place].style, part);
                let mut both = [&*part, &space];
                if self.columns[shown[place]].right {
                    both.reverse();
                }
                line.extend([GAP, both[0], both[1]]);
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
}

impl Page {
    /// A table, and what there was no room for.
    pub(crate) fn table(&mut self, table: &Table) {
        let (lines, dropped) = table.fit(self.width());
        self.lines(&lines);
        let named: Vec<&str> = dropped
            .into_iter()
            .filter(|head| !head.is_empty())
            .collect();
        if !named.is_empty() {
            let words = format!("not shown at this width: {}", named.join(", "));
            self.say(DIM, INSIDE, &words);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new(vec![
            Column::left("variant"),
            Column::right("p90").rank(0),
            Column::right("mean").rank(1),
            Column::wrapping("remark"),
        ]);
        let text = "a remark that is long enough to be wrapped on a narrow terminal";
        table.row(vec![
            Cell::new("flask-dev"),
            Cell::new("521 ms"),
            Cell::new("491 ms"),
            Cell::new(text),
        ]);
        table.row(vec![
            Cell::new("static"),
            Cell::new("—"),
            Cell::new("21 ms"),
            Cell::new("short"),
        ]);
        table
    }

    fn plain(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    #[test]
    fn no_line_is_wider_than_asked_for() {
        for width in 46..120 {
            let (text, _) = table().fit(width);
            for line in plain(&text).lines() {
                assert!(display_width(line) <= width, "{width}: {line}");
            }
        }
    }

    #[test]
    fn columns_go_by_rank_and_are_named() {
        let table = table();
        let (text, dropped) = table.fit(40);
        assert_eq!(dropped, ["p90"]);
        assert!(!plain(&text).contains("521 ms"));
        assert_eq!(table.fit(30).1, ["p90", "mean"]);
        assert!(table.fit(200).1.is_empty());
    }

    #[test]
    fn figures_end_in_the_same_column() {
        let text = plain(&table().fit(200).0);
        let ends: Vec<_> = text
            .lines()
            .filter_map(|line| line.find(" ms  ").map(|at| display_width(&line[..at])))
            .collect();
        assert!(text.starts_with("  variant"), "{text}");
        assert_eq!(ends.len(), 2);
    }
}
