use record::{Distribution, LoadFacts};

use super::super::paragraph::{FLUSH, INSIDE, Page, quoted};
use super::super::style::{BAD, DIM, PLAIN, STRONG};
use super::super::table::{Cell, Column, Table};
use crate::{units, words};

/// How many of the slowest requests are told; all that are kept are in the JSON.
const SLOWEST: usize = 3;

/// The stretches of a rate that changes.
pub(super) fn segments(page: &mut Page, load: &LoadFacts) {
    let rows = words::segments(load);
    if rows.is_empty() {
        return;
    }
    let [when, planned, figures @ ..] = words::LEG_COLUMNS;
    let mut columns = vec![Column::left(when), Column::right(planned).rank(0)];
    columns.extend(figures.map(|name| match name {
        "p95" => Column::right(name).rank(1),
        "offered" => Column::right(name).rank(2),
        "p50" => Column::right(name).rank(3),
        _ => Column::right(name),
    }));
    let mut table = Table::new(columns);
    for row in &rows {
        let style = if row.failed { BAD } else { PLAIN };
        let [cells @ .., errors] = row.cells();
        let mut cells: Vec<_> = cells.iter().map(Cell::new).collect();
        cells.push(Cell::styled(errors, style));
        table.row(cells);
    }
    page.space();
    page.table(&table);
    let note = "achieved: correct responses that came meanwhile; p50, p95, p99 and errors: of those that fell due \
                in it.";
    page.say(DIM, INSIDE, note);
}

/// Requests by name, when they have names.
pub(super) fn named(page: &mut Page, load: &LoadFacts) {
    let rows = words::named(&load.named);
    if rows.is_empty() {
        return;
    }
    let mut table = Table::new(vec![
        Column::left("by name"),
        Column::right("requests"),
        Column::right("errors"),
        Column::right("mean").rank(0),
        Column::right("p50"),
        Column::right("p95").rank(2),
        Column::right("p99"),
        Column::right("max").rank(1),
    ]);
    let longest = (page.width() / 3).max(12);
    for row in &rows {
        let style = if row.failed > 0 { BAD } else { PLAIN };
        table.row(vec![
            Cell::new(words::shortened(&row.name, longest)),
            Cell::new(units::count(row.requests)),
            Cell::styled(units::count(row.failed), style),
            Cell::new(time(row.response.mean())),
            Cell::new(quantile(&row.response, 0.5)),
            Cell::new(quantile(&row.response, 0.95)),
            Cell::new(quantile(&row.response, 0.99)),
            Cell::new(time(row.response.max())),
        ]);
    }
    page.space();
    page.table(&table);
    let nameless = nameless(load);
    if nameless > 0 {
        let more = units::count(nameless);
        let note = format!("{more} more fell due and were never sent: these have no name");
        page.say(DIM, INSIDE, &note);
    }
}

/// Requests that fell due and are under no name, as none was asked for them: they were dropped, or waited until they were given
/// up.
fn nameless(load: &LoadFacts) -> u64 {
    let named = load.named.iter().map(|of| of.completed + of.failed);
    load.scheduled.saturating_sub(named.sum())
}

/// What the plan's own checks found.
pub(super) fn checks(page: &mut Page, load: &LoadFacts) {
    if load.checks.is_empty() {
        return;
    }
    let mut table = Table::new(vec![
        Column::left("check"),
        Column::right("looked at"),
        Column::right("failed"),
        Column::wrapping("the first"),
    ]);
    let longest = (page.width() / 3).max(12);
    for check in &load.checks {
        let style = if check.failed > 0 { BAD } else { PLAIN };
        let example = check.example.as_deref().unwrap_or_default();
        table.row(vec![
            Cell::new(words::shortened(&check.name, longest)),
            Cell::new(units::count(check.looked_at)),
            Cell::styled(units::count(check.failed), style),
            Cell::styled(quoted(example), DIM),
        ]);
    }
    page.space();
    page.lines(&table.fit(page.width()).0);
}

/// Where the time of the slowest went.
pub(super) fn slowest(page: &mut Page, load: &LoadFacts) {
    if load.slowest.is_empty() {
        return;
    }
    page.space();
    page.say(STRONG, FLUSH, "Slowest");
    for slow in load.slowest.iter().take(SLOWEST) {
        page.say(PLAIN, INSIDE, &words::slow(slow, load.paused.as_ref()));
    }
}

fn time(seconds: Option<f64>) -> String {
    seconds.map_or_else(|| units::NOTHING.to_owned(), units::duration)
}

fn quantile(times: &Distribution, q: f64) -> String {
    words::quantile(times, q)
}
