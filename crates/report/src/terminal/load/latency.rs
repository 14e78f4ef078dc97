use judge::Figure;
use record::{Distribution, LoadFacts};

use super::super::paragraph::{INSIDE, Page};
use super::super::style::{DIM, PLAIN, STRONG};
use super::super::table::{Cell, Column, Table};
use crate::words::Timed;
use crate::{units, words};

/// Every time that was taken, the response time with its uncertainty.
pub(super) fn latency(page: &mut Page, load: &LoadFacts) {
    let shown = shown(load);
    let mut columns = vec![Column::left("latency"), Column::right("mean").rank(5)];
    columns.extend(shown.iter().map(|(name, _)| column(name)));
    columns.push(Column::right("max").rank(6));
    columns.push(Column::left("").rank(0));
    let mut table = Table::new(columns);
    for Timed { name, times, means } in words::timed(load) {
        let response = name == "response";
        let style = if response { STRONG } else { PLAIN };
        let figures = shown.iter().map(|&(_, q)| judge::quantile(times, q));
        let figures: Vec<_> = figures.collect();
        let mut cells = vec![Cell::styled(name, style), time(times.mean(), style)];
        cells.extend(shown.iter().map(|&(_, q)| quantile(times, q, style)));
        cells.push(time(times.max(), style));
        cells.push(Cell::styled(means, DIM));
        table.row(cells);
        if response && figures.iter().flatten().any(|of| of.interval.is_some()) {
            table.row(uncertainties(&figures));
        }
    }
    page.table(&table);
    for note in notes(load) {
        page.say(DIM, INSIDE, &note);
    }
}

/// The usual three stay on a narrow terminal.
fn column(quantile: &str) -> Column {
    let column = Column::right(quantile);
    match quantile {
        "p90" => column.rank(1),
        "p99.9" => column.rank(2),
        "p99.99" => column.rank(3),
        "p95" => column.rank(4),
        _ => column,
    }
}

/// The usual ones, and the last where there are answers enough.
fn shown(load: &LoadFacts) -> Vec<(&'static str, f64)> {
    let answers = load.response.count();
    judge::QUANTILES
        .into_iter()
        .filter(|&(_, q)| q < 0.9995 || judge::enough(q, answers))
        .collect()
}

/// How far the quantiles above may be off.
fn uncertainties(figures: &[Option<Figure>]) -> Vec<Cell> {
    let share = |figure: &Option<Figure>| {
        let share = figure.as_ref().and_then(units::uncertainty);
        Cell::styled(share.unwrap_or_default(), DIM)
    };
    let mut cells = vec![Cell::new(""), Cell::new("")];
    cells.extend(figures.iter().map(share));
    cells.push(Cell::new(""));
    cells.push(Cell::styled("95 % interval of the quantiles", DIM));
    cells
}

fn time(seconds: Option<f64>, style: anstyle::Style) -> Cell {
    seconds.map_or_else(
        || Cell::styled(units::NOTHING, DIM),
        |seconds| Cell::styled(words::duration(seconds), style),
    )
}

/// A bound, and nothing at all, stand back.
fn quantile(times: &Distribution, q: f64, style: anstyle::Style) -> Cell {
    let given = judge::enough(q, times.count());
    Cell::styled(words::quantile(times, q), if given { style } else { DIM })
}

fn notes(load: &LoadFacts) -> Vec<String> {
    let answers = load.response.count();
    let mut notes: Vec<String> = shown(load)
        .into_iter()
        .filter(|&(_, q)| answers > 0 && !judge::enough(q, answers))
        .map(|(name, q)| {
            let reason = words::too_few_for(name, q, answers);
            let bound = judge::at_least(&load.response, q);
            format!("{} {reason}", bound.map_or(units::NOTHING, |_| "≥"))
        })
        .collect();
    if load.timed_out > 0 {
        let late = words::counted(load.timed_out, "request");
        notes.push(format!("{late} timed out and count as at least that long"));
    }
    notes
}
