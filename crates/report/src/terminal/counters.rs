use super::paragraph::Page;
use super::style::STRONG;
use super::table::{Cell, Column, Table};
use crate::{JudgedRun, words};

/// What programs counted themselves, of one trial of each variant; empty where none did.
pub fn counters(of: &JudgedRun, width: usize) -> String {
    let mut table = Table::new(vec![
        Column::left("counted"),
        Column::left("by"),
        Column::wrapping("in one trial"),
    ]);
    let mut any = false;
    for variant in &of.judged.variants {
        let shown = of.shown(&variant.name);
        for (program, values) in shown.map_or_else(Vec::new, |(_, facts)| words::counters(facts)) {
            let name = Cell::styled(&variant.name, STRONG);
            table.row(vec![name, Cell::new(program), Cell::new(values)]);
            any = true;
        }
    }
    let mut page = Page::new(width);
    if any {
        page.space();
        page.lines(&table.fit(width).0);
    }
    page.into_text()
}
