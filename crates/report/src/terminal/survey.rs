use judge::Figure;
use record::LoadFacts;

use super::paragraph::{FLUSH, Page};
use super::style::{DIM, PLAIN, STRONG};
use super::table::{Cell, Column, Table};
use crate::{units, words};

/// One load of a survey.
#[derive(Clone, Copy, Debug)]
pub struct SurveyPoint<'a> {
    /// What it was: `closed`, `50 %`.
    pub name: &'a str,
    /// The facts.
    pub load: &'a LoadFacts,
    /// A doubt forbids to trust it.
    pub doubted: bool,
}

/// A survey: the verdict first, then its points, then what was noticed before it began.
pub fn survey(verdict: &str, points: &[SurveyPoint], notes: &[String], width: usize) -> String {
    let mut page = Page::new(width);
    page.say(STRONG, FLUSH, verdict);
    if !points.is_empty() {
        page.space();
        page.lines(&table(points).fit(width).0);
        page.space();
        page.say(DIM, FLUSH, "closed: connections kept busy; the rates: Poisson arrivals. p50 and p99 of the response time, with their 95 % intervals.");
    }
    for note in notes {
        page.say(PLAIN, FLUSH, &format!("! {note}"));
    }
    page.into_text()
}

fn table(points: &[SurveyPoint]) -> Table {
    let mut table = Table::new(vec![
        Column::left("load"),
        Column::right("conns"),
        Column::right("offered"),
        Column::right("achieved"),
        Column::right("p50"),
        Column::right("").rank(1),
        Column::right("p99"),
        Column::right("").rank(2),
        Column::right("errors"),
        Column::right("engine/req").rank(0),
        Column::left(""),
    ]);
    for point in points {
        let load = point.load;
        let failed = (load.failures() + load.timed_out) as f64 / load.scheduled.max(1) as f64;
        let offered = load.offered.map_or(units::NOTHING.into(), units::number);
        let [p50, p99] = [0.5, 0.99].map(|q| judge::quantile(&load.response, q));
        let cpu = load.engine.cpu() / load.completed.max(1) as f64;
        table.row(vec![
            Cell::new(point.name),
            Cell::new(units::count(u64::from(load.connections))),
            Cell::new(offered),
            Cell::styled(units::number(load.throughput()), STRONG),
            Cell::new(value(p50.as_ref())),
            Cell::styled(around(p50.as_ref()), DIM),
            Cell::new(value(p99.as_ref())),
            Cell::styled(around(p99.as_ref()), DIM),
            Cell::new(units::percent(failed)),
            Cell::styled(units::duration(cpu), DIM),
            Cell::new(if point.doubted { "?" } else { "" }),
        ]);
    }
    table
}

fn value(figure: Option<&Figure>) -> String {
    figure.map_or(units::NOTHING.into(), |figure| {
        units::duration(figure.value)
    })
}

fn around(figure: Option<&Figure>) -> String {
    figure.and_then(units::uncertainty).unwrap_or_default()
}

/// What a point of a survey was asked to be: `closed`, or the share of the capacity.
pub fn survey_name(load: &LoadFacts, capacity: f64) -> String {
    match load
        .shape
        .arrivals()
        .and_then(|arrivals| arrivals.legs.first())
    {
        Some(leg) if capacity > 0.0 => units::percent((leg.to / capacity * 100.0).round() / 100.0),
        _ => words::shape(&load.shape)
            .split(' ')
            .next()
            .unwrap_or_default()
            .to_owned(),
    }
}
