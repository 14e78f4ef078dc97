use super::super::paragraph::FLUSH;
use super::super::style::{STRONG, of_holds};
use super::super::table::{Cell, Column, Table};
use super::Page;
use crate::view::Report;

pub(super) fn draw(page: &mut Page, report: &Report) {
    if report.claims.is_empty() {
        return;
    }
    let mut table = Table::new(vec![
        Column::left(""),
        Column::left(""),
        Column::wrapping(""),
    ]);
    for claim in &report.claims {
        table.row(vec![
            Cell::styled(&claim.id, STRONG),
            Cell::styled(claim.verdict, of_holds(claim.holds)),
            Cell::new(&claim.text),
        ]);
        let mut below = |line: String| {
            table.row(vec![Cell::new(""), Cell::new(""), Cell::new(line)]);
        };
        if !claim.reported.is_empty() {
            below(format!("reported  {}", claim.reported));
        }
        for of in &claim.conditions {
            below(format!("measured  {}   ({})", of.value, of.text));
        }
        if let Some(reason) = &claim.reason {
            below(format!("because   {reason}"));
        }
    }
    page.space();
    page.say(STRONG, FLUSH, "Claims");
    page.lines(&table.fit(page.width()).0);
}
