use super::paragraph::{FLUSH, Page};
use super::style::{DIM, STRONG};
use super::table::{Cell, Column, Table};
use crate::load::Against;
use crate::{units, words};

/// What can be said of a load and an earlier one, and what cannot.
pub fn against(of: &Against, width: usize) -> String {
    let mut page = Page::new(width);
    draw(&mut page, of);
    page.into_text()
}

pub(super) fn draw(page: &mut Page, of: &Against) {
    let Against {
        run,
        started,
        figures,
        differences,
    } = of;
    page.space();
    let when = words::moment(*started);
    page.say(STRONG, FLUSH, &format!("Against run {run} ({when} UTC)"));
    if figures.is_empty() {
        page.say(DIM, FLUSH, "The two loads have no figure in common.");
        return;
    }
    let mut table = Table::new(vec![
        Column::left(""),
        Column::right(""),
        Column::right(""),
        Column::left(""),
        Column::wrapping(""),
    ]);
    for of in figures {
        let words = match of.beyond() {
            Some(true) => "differs by more than either load scattered",
            Some(false) => "within the scatter of the loads",
            None => "too short to tell how much it scattered",
        };
        table.row(vec![
            Cell::new(of.metric.row().noun),
            Cell::new(units::figure(of.metric, &of.of)),
            Cell::new(units::figure(of.metric, &of.over)),
            Cell::new(units::ratio_within(of.ratio, of.interval)),
            Cell::styled(words, DIM),
        ]);
    }
    page.lines(&table.fit(page.width()).0);
    for difference in differences {
        page.say(
            DIM,
            FLUSH,
            &format!("Note: {difference}; read the ratios with care."),
        );
    }
    page.say(DIM, FLUSH, NOT_INTERLEAVED);
}

/// Why none of these is a verdict.
const NOT_INTERLEAVED: &str = "No verdict: the two loads did not take turns, so what changed on the machine between \
them is in no interval. `weir run` decides it: a plan with a `[[variant]]` for each `url` loads them in turn.";
