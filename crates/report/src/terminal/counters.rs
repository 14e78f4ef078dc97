use super::paragraph::{INSIDE, Page};
use super::style::{DIM, STRONG};
use super::table::{Cell, Column, Table};
use crate::{JudgedRun, units, words};

/// What programs and the kernel counted, of one trial of each variant, and how it is read; empty where none did.
pub fn counters(of: &JudgedRun, width: usize) -> String {
    let mut table = Table::new(vec![
        Column::left("counted"),
        Column::left("by"),
        Column::right("window").rank(0),
        Column::wrapping("in one trial"),
    ]);
    let mut any = false;
    for variant in &of.judged.variants {
        let Some((_, facts)) = of.shown(&variant.name) else {
            continue;
        };
        for (program, values) in words::counters(facts) {
            table.row(vec![
                Cell::styled(&variant.name, STRONG),
                Cell::new(program),
                Cell::new(units::duration(facts.load.seconds)),
                Cell::new(values),
            ]);
            any = true;
        }
    }
    let mut page = Page::new(width);
    if any {
        page.space();
        page.table(&table);
        page.say(DIM, INSIDE, words::COUNTED);
    }
    page.into_text()
}
