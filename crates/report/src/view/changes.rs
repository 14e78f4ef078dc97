//! What each change between two variants does: one thing at a time, where that could be.

use judge::Effect;
use minijinja::Environment;
use serde::Serialize;

use crate::html::{Drawn, drawn};
use crate::terminal::paragraph::{FLUSH, Page};
use crate::terminal::style::{STRONG, of_verdict};
use crate::terminal::table::{Cell, Column, Table};
use crate::{JudgedRun, words};

/// A change in words.
#[derive(Serialize)]
struct Row<'a> {
    what: String,
    from: &'a str,
    to: &'a str,
    ratio: String,
    words: &'static str,
    of: &'a Effect,
}

impl<'a> Row<'a> {
    fn new(of: &'a Effect) -> Self {
        let comparison = &of.comparison;
        Self {
            what: of.change.what.join(", "),
            from: &of.change.from,
            to: &of.variant,
            ratio: words::ratio(comparison),
            words: words::verdict(comparison.verdict),
            of,
        }
    }
}

fn rows<'a>(of: &JudgedRun<'a>) -> (String, Vec<Row<'a>>) {
    let effects = &of.judged.changes;
    let metric = effects.first().map(|of| of.comparison.metric.row().noun);
    let head = format!(
        "What each change does to the {}",
        metric.unwrap_or_default()
    );
    (head, effects.iter().map(Row::new).collect())
}

pub(super) fn page(environment: &Environment, of: &JudgedRun) -> Drawn {
    drawn(environment, include_str!("../html/changes.html"), rows(of))
}

pub(super) fn draw(page: &mut Page, of: &JudgedRun) {
    let (head, rows) = rows(of);
    if rows.is_empty() {
        return;
    }
    let wide = table(&rows, false);
    let table = if wide.natural_width() <= page.width() {
        wide
    } else {
        table(&rows, true)
    };
    page.space();
    page.say(STRONG, FLUSH, &head);
    page.lines(&table.fit(page.width()).0);
}

/// What is changed, of which variant and in which, and what that does. Folded, the two variants stand below what is changed.
fn table(rows: &[Row], folded: bool) -> Table {
    let mut columns = vec![Column::wrapping("")];
    if !folded {
        columns.push(Column::left(""));
    }
    columns.extend([Column::right(""), Column::left("")]);
    let mut table = Table::new(columns);
    for row in rows {
        let variants = format!("{} → {}", row.from, row.to);
        let mut cells = if folded {
            vec![Cell::new(format!("{}\n({variants})", row.what))]
        } else {
            vec![Cell::new(&row.what), Cell::new(variants)]
        };
        let verdict = of_verdict(row.of.comparison.verdict);
        cells.push(Cell::styled(&row.ratio, STRONG));
        cells.push(Cell::styled(row.words, verdict));
        table.row(cells);
    }
    table
}
