use anstyle::Style;
use textwrap::core::display_width;

use super::paragraph::{INSIDE, Page, wrapped};
use super::style::{DIM, PLAIN, paint};
use crate::harmless::harmless;
use crate::units::NOTHING;
use crate::words::shortened;

/// Space between columns and before the first.
const GAP: &str = "  ";
/// A column that wraps never gets narrower.
const NARROWEST: usize = 16;

/// Rows under headings that fit a width: first the columns go in which nothing is told, then the least important ones, and
/// then the last column wraps if it may.
pub(crate) struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
}

/// One column.
pub(crate) struct Column {
    head: String,
    right: bool,
    wraps: bool,
    cut: bool,
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
            cut: false,
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

    /// Text of which the end is left out where it does not fit; makes sense for the last column.
    pub(crate) fn cut(head: &str) -> Self {
        Self {
            cut: true,
            ..Self::wrapping(head)
        }
    }

    /// May be left out on a narrow terminal: the lowest rank goes first, of columns that tell something.
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
            let ranked = ranked.filter_map(|&index| {
                let rank = self.columns[index].rank?;
                Some((self.tells(index), rank, index))
            });
            let Some((.., goes)) = ranked.min() else {
                break;
            };
            shown.retain(|&index| index != goes);
            dropped.push(goes);
        }
        dropped.sort_unstable();
        (shown, dropped)
    }

    /// Whether any cell of a column has more than zeros and [`NOTHING`], an arrow between two of them included.
    fn tells(&self, index: usize) -> bool {
        let is_empty = |word: &str| ["0", "→", NOTHING].contains(&word);
        let mut cells = self.rows.iter().map(|row| row[index].text.as_str());
        cells.any(|text| text.is_empty() || !text.split_whitespace().all(is_empty))
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
        let lines = |place: usize, cell: &Cell| {
            if self.columns[shown[place]].cut {
                let words: Vec<&str> = cell.text.split_whitespace().collect();
                vec![shortened(&words.join(" "), widths[place].max(1))]
            } else {
                wrapped(&cell.text, widths[place])
            }
        };
        let each = cells.iter().copied().enumerate();
        let wrapped: Vec<Vec<String>> = each.map(|(place, cell)| lines(place, cell)).collect();
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
mod tests;
