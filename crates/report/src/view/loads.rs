//! What the load of each variant was like, beyond the figures that are compared; nothing where no variant has any of it.

use crate::judged_run::VariantLoad;
use crate::terminal::paragraph::Page;
use crate::terminal::style::STRONG;
use crate::terminal::table::{Cell, Column, Table};
use crate::{JudgedRun, units};

type Told = (&'static str, fn(&VariantLoad) -> Option<String>);

const COLUMNS: [Told; 5] = [
    ("offered", |of| of.offered.map(units::rate)),
    ("achieved", |of| of.achieved.map(units::percent)),
    ("page p50", |of| of.page.map(units::duration)),
    ("attempts/req", |of| of.attempts.map(units::number)),
    ("of weir's ceiling", |of| of.of_ceiling.map(units::about)),
];

pub(super) fn draw(page: &mut Page, of: &JudgedRun) {
    let names = of.judged.variants.iter().map(|variant| &variant.name);
    let all: Vec<_> = names.map(|name| (name, of.variant_load(name))).collect();
    let told = |(_, text): &&Told| all.iter().any(|(_, load)| text(load).is_some());
    let columns: Vec<&Told> = COLUMNS.iter().filter(told).collect();
    if columns.is_empty() {
        return;
    }
    let heads = columns.iter().map(|(head, _)| Column::right(head));
    let mut table = Table::new(std::iter::once(Column::left("load")).chain(heads).collect());
    for (name, load) in &all {
        let cells = columns.iter().map(|(_, text)| Cell::known(text(load)));
        let name = std::iter::once(Cell::styled(name, STRONG));
        table.row(name.chain(cells).collect());
    }
    page.space();
    page.lines(&table.fit(page.width()).0);
}
