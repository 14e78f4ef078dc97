use super::super::style::STRONG;
use super::super::table::{Cell, Column, Table};
use super::Page;
use crate::view::Report;

/// What programs counted themselves, of one trial of each stage.
pub(super) fn draw(page: &mut Page, report: &Report) {
    let mut table = Table::new(vec![
        Column::left("counted"),
        Column::left("by"),
        Column::wrapping("in one trial"),
    ]);
    let mut any = false;
    for stage in &report.details {
        for (program, values) in &stage.counters {
            let name = Cell::styled(&stage.name, STRONG);
            table.row(vec![name, Cell::new(program), Cell::new(values)]);
            any = true;
        }
    }
    if any {
        page.space();
        page.lines(&table.fit(page.width()).0);
    }
}
