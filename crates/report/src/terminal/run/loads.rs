use super::super::style::{DIM, STRONG};
use super::super::table::{Cell, Column, Table};
use super::Page;
use crate::units;
use crate::view::Report;

pub(super) fn draw(page: &mut Page, report: &Report) {
    let Some(loads) = &report.loads else {
        return;
    };
    let heads = loads.columns.iter().map(|head| Column::right(head));
    let mut table = Table::new(std::iter::once(Column::left("load")).chain(heads).collect());
    for (name, texts) in &loads.rows {
        let cells = texts.iter().map(|text| match text {
            Some(text) => Cell::new(text),
            None => Cell::styled(units::NOTHING, DIM),
        });
        let name = std::iter::once(Cell::styled(name, STRONG));
        table.row(name.chain(cells).collect());
    }
    page.space();
    page.lines(&table.fit(page.width()).0);
}
