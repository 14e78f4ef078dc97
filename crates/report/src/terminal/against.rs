use judge::{Apart, Figure, Verdict};

use super::paragraph::{FLUSH, Page};
use super::style::{DIM, STRONG};
use super::table::{Cell, Column, Table};
use crate::load::Against;
use crate::{units, words};

/// What can be said of a load, which is called `name`, and an earlier one, and what cannot.
pub fn against(of: &Against, name: &str, width: usize) -> String {
    let mut page = Page::new(width);
    draw(&mut page, of, name);
    page.into_text()
}

pub(super) fn draw(page: &mut Page, of: &Against, name: &str) {
    page.space();
    let (run, when) = (of.run, words::moment(of.started));
    page.say(STRONG, FLUSH, &format!("Against run {run} ({when} UTC)"));
    if of.figures.is_empty() {
        page.say(DIM, FLUSH, "The two loads have no figure in common.");
        return;
    }
    let wide = table(of, name, false);
    if wide.natural_width() <= page.width() {
        page.table(&wide);
    } else {
        page.table(&table(of, name, true));
    }
    let is_apart = |of: &Apart| matches!(of.verdict(), Verdict::Better | Verdict::Worse);
    if of.figures.iter().any(is_apart) {
        page.say(DIM, FLUSH, &format!("{}.", words::DIFFERS));
    }
    if let Some(care) = words::with_care(&of.differences) {
        page.say(DIM, FLUSH, &format!("Note: {care}."));
    }
    let why = words::not_in_turn("loads");
    let decides = "`weir run` decides it: a plan with a `[[variant]]` for each `url` loads them in turn (`weir compare --help` has one).";
    page.say(DIM, FLUSH, &format!("No verdict: {why}. {decides}"));
}

/// Both loads' figures and their ratio; in short, metrics by their names in plans and figures without their uncertainty.
fn table(of: &Against, name: &str, short: bool) -> Table {
    let mut table = Table::new(vec![
        Column::left("metric"),
        Column::right(name),
        Column::right(&format!("run {}", of.run)).rank(0),
        Column::left("ratio"),
        Column::wrapping(""),
    ]);
    for of in &of.figures {
        let metric = of.metric;
        let figure = |of: &Figure| {
            if short {
                units::metric(metric, of.value)
            } else {
                units::figure(metric, of)
            }
        };
        let name = if short {
            metric.name()
        } else {
            metric.row().noun
        };
        table.row(vec![
            Cell::new(name),
            Cell::new(figure(&of.of)),
            Cell::new(figure(&of.over)),
            Cell::new(units::ratio_within(of.ratio, of.interval)),
            Cell::styled(words::apart(of), DIM),
        ]);
    }
    table
}
