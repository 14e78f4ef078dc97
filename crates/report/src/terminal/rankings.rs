use super::paragraph::{FLUSH, INSIDE, Page};
use super::style::{DIM, GOOD, PLAIN, STRONG};
use super::table::{Cell, Column, Table};
use crate::view::{Matrix, Ranking, Report, Rival, SHADES};

/// From the worst figure of a matrix to the best, for those who see no colour.
const SHADING: [&str; SHADES as usize] = [" ", "░", "▒", "▓", "█"];

/// A run's matrices and rankings; nothing where there are none.
pub(super) fn draw(page: &mut Page, report: &Report) {
    for of in &report.matrices {
        page.space();
        matrix_on(page, of);
    }
    for of in &report.rankings {
        page.space();
        ranking_on(page, of);
    }
}

/// A ranking by itself, as a table and sentences.
pub fn ranking(of: &judge::Ranking, width: usize) -> String {
    let mut page = Page::new(width);
    ranking_on(&mut page, &Ranking::new(of));
    page.into_text()
}

/// A matrix by itself.
pub fn matrix(of: &judge::Matrix, width: usize) -> String {
    let mut page = Page::new(width);
    matrix_on(&mut page, &Matrix::new(of));
    page.into_text()
}

fn ranking_on(page: &mut Page, said: &Ranking) {
    let heading = if said.title == said.name {
        format!("Ranking `{}`", said.name)
    } else {
        format!("Ranking `{}` · {}", said.name, said.title)
    };
    page.say(STRONG, FLUSH, &heading);
    let mut columns = vec![Column::right("rank"), Column::left("")];
    for (place, head) in said.heads.iter().enumerate() {
        // the first is what the order is by; of the others the last goes first
        let rank = (said.heads.len() - place) as u8;
        let fit = |column: Column| {
            if place == 0 {
                column
            } else {
                column.rank(rank)
            }
        };
        columns.push(fit(Column::right(head)));
        if place > 0 {
            columns.push(fit(Column::left("rank")));
        } else {
            columns.push(Column::left("").rank(20));
        }
    }
    if said.reported {
        columns.push(Column::right("reported").rank(10));
    }
    if said.pareto {
        columns.push(Column::left("Pareto").rank(11));
    }
    let mut table = Table::new(columns);
    for row in &said.rows {
        table.row(cells(row, said.reported, said.pareto));
    }
    let (lines, dropped) = table.fit(page.width());
    page.lines(&lines);
    let dropped: Vec<&str> = dropped
        .into_iter()
        .filter(|head| !head.is_empty() && *head != "rank")
        .collect();
    if !dropped.is_empty() {
        let names = dropped.join("; ");
        page.say(DIM, INSIDE, &format!("not shown at this width: {names}"));
    }
    for sentence in &said.sentences {
        page.say(PLAIN, INSIDE, sentence);
    }
}

fn cells(row: &Rival, reported: bool, pareto: bool) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (place, cell) in row.cells.iter().enumerate() {
        if place == 0 {
            cells.push(Cell::new(&cell.rank));
            cells.push(Cell::styled(&row.rival, STRONG));
            cells.push(Cell::new(&cell.figure));
            cells.push(Cell::styled(
                cell.interval.as_deref().unwrap_or_default(),
                DIM,
            ));
        } else {
            cells.push(Cell::new(&cell.figure));
            cells.push(Cell::styled(&cell.rank, DIM));
        }
    }
    if reported {
        cells.push(Cell::styled(
            row.reported.as_deref().unwrap_or_default(),
            DIM,
        ));
    }
    if pareto {
        cells.push(if row.best {
            Cell::styled("in", GOOD)
        } else {
            Cell::new("")
        });
    }
    cells
}

fn matrix_on(page: &mut Page, said: &Matrix) {
    page.say(STRONG, FLUSH, &said.title);
    let head = format!("{} \\ {}", said.rows_by, said.columns_by);
    let across = said.columns.iter().map(|level| Column::right(level));
    let mut table = Table::new(std::iter::once(Column::left(&head)).chain(across).collect());
    for (level, cells) in &said.rows {
        let cells = cells.iter().map(|cell| {
            let shade = cell.shade.map_or(" ", |shade| SHADING[usize::from(shade)]);
            Cell::new(format!("{} {shade}", cell.figure))
        });
        let row = std::iter::once(Cell::styled(level, STRONG)).chain(cells);
        table.row(row.collect());
    }
    page.lines(&table.fit(page.width()).0);
}
