use judge::Figure;
use record::LoadFacts;

use super::paragraph::{FLUSH, Page};
use super::style::{DIM, PLAIN, STRONG};
use super::table::{Cell, Column, Table};
use crate::{units, words};

/// One load of several.
#[derive(Clone, Copy, Debug)]
pub struct SurveyPoint<'a> {
    /// What it was: `closed`, `50 %`, `8 connections`.
    pub name: &'a str,
    /// The facts.
    pub load: &'a LoadFacts,
    /// A doubt forbids to trust it.
    pub doubted: bool,
}

/// The quantiles of the response time that each load is told with.
const SHOWN: [f64; 3] = [0.5, 0.95, 0.99];

/// What the columns of a table of loads are called.
pub(crate) const SURVEY_HEADS: [&str; 10] = [
    "load",
    "connections",
    "offered",
    "achieved",
    "p50",
    "p95",
    "p99",
    "errors",
    "engine/req",
    "",
];

/// Loads one after the other: the verdict first, then the points, what their names mean, and what was
/// noticed beside.
pub fn survey(
    verdict: &str,
    points: &[SurveyPoint],
    legend: &str,
    notes: &[String],
    width: usize,
) -> String {
    let mut page = Page::new(width);
    page.say(STRONG, FLUSH, verdict);
    if !points.is_empty() {
        page.space();
        page.lines(&table(points).fit(width).0);
        page.space();
        let times = "p50, p95 and p99 are of the response time, with 95 % intervals.";
        page.say(DIM, FLUSH, format!("{legend} {times}").trim_start());
    }
    for note in notes {
        page.say(PLAIN, FLUSH, &format!("! {note}"));
    }
    page.into_text()
}

/// The same as a table for a page.
pub fn survey_markdown(verdict: &str, points: &[SurveyPoint]) -> String {
    let mut lines = vec![
        format!("**{verdict}**\n"),
        format!("| {} |", SURVEY_HEADS.join(" | ")),
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---|".to_owned(),
    ];
    let rows = points.iter().map(survey_cells);
    lines.extend(rows.map(|cells| format!("| {} |", cells.join(" | "))));
    lines.join("\n") + "\n"
}

/// A load as a row under [`SURVEY_HEADS`].
pub(crate) fn survey_cells(point: &SurveyPoint) -> [String; 10] {
    let load = point.load;
    let [p50, p95, p99] = SHOWN.map(|q| {
        let figure = judge::quantile(&load.response, q);
        let text = format!("{} {}", value(figure.as_ref()), around(figure.as_ref()));
        text.trim_end().to_owned()
    });
    [
        point.name.to_owned(),
        load.connections.to_string(),
        load.offered.map_or(units::NOTHING.into(), units::number),
        units::number(load.throughput()),
        p50,
        p95,
        p99,
        units::percent(failed(load)),
        units::duration(cost(load)),
        if point.doubted { "?" } else { "" }.to_owned(),
    ]
}

/// Share of what fell due.
fn failed(load: &LoadFacts) -> f64 {
    (load.failures() + load.timed_out) as f64 / load.scheduled.max(1) as f64
}

/// Of the engine, in seconds of CPU for an answer.
fn cost(load: &LoadFacts) -> f64 {
    load.engine.cpu() / load.completed.max(1) as f64
}

fn table(points: &[SurveyPoint]) -> Table {
    let mut table = Table::new(vec![
        Column::left("load"),
        Column::right("conns"),
        Column::right("offered"),
        Column::right("achieved"),
        Column::right("p50"),
        Column::right("").rank(2),
        Column::right("p95").rank(1),
        Column::right("p99"),
        Column::right("").rank(3),
        Column::right("errors"),
        Column::right("engine/req").rank(0),
        Column::left(""),
    ]);
    for point in points {
        let load = point.load;
        let offered = load.offered.map_or(units::NOTHING.into(), units::number);
        let [p50, p95, p99] = SHOWN.map(|q| judge::quantile(&load.response, q));
        table.row(vec![
            Cell::new(point.name),
            Cell::new(units::count(u64::from(load.connections))),
            Cell::new(offered),
            Cell::styled(units::number(load.throughput()), STRONG),
            Cell::new(value(p50.as_ref())),
            Cell::styled(around(p50.as_ref()), DIM),
            Cell::new(value(p95.as_ref())),
            Cell::new(value(p99.as_ref())),
            Cell::styled(around(p99.as_ref()), DIM),
            Cell::new(units::percent(failed(load))),
            Cell::styled(units::duration(cost(load)), DIM),
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
        .and_then(|arrivals| arrivals.segments.first())
    {
        Some(segment) if capacity > 0.0 => {
            units::percent((segment.to / capacity * 100.0).round() / 100.0)
        }
        _ => words::shape(&load.shape)
            .split(' ')
            .next()
            .unwrap_or_default()
            .to_owned(),
    }
}
