use endpoints::{Endpoint, Figures};

use super::style::{BAD, DIM, STRONG};
use super::table::{Cell, Column, Table};
use crate::units;

/// Endpoints, the one that costs most first, for a terminal of so many columns: the first `top`, and the rest together. Two
/// logs are shown as the earlier one, an arrow, and the later one.
pub fn endpoints(all: &[Endpoint], top: usize, width: usize) -> String {
    let compared = all.iter().any(|of| of.before.is_some());
    let mut table = Table::new(if compared { twice() } else { once() });
    for endpoint in all.iter().take(top) {
        table.row(match &endpoint.before {
            Some(before) => both(endpoint, before),
            None => one(endpoint),
        });
    }
    let (mut lines, _) = table.fit(width);
    if let Some(rest) = all.get(top..).filter(|rest| !rest.is_empty()) {
        lines.push_str(&left_out(rest, all));
    }
    lines
}

fn once() -> Vec<Column> {
    vec![
        Column::right("sum"),
        Column::right("share"),
        Column::right("requests"),
        Column::right("mean"),
        Column::right("p50").rank(3),
        Column::right("p99"),
        Column::right("max").rank(2),
        Column::right("errors").rank(1),
        Column::right("bytes").rank(0),
        Column::wrapping("endpoint"),
    ]
}

fn one(of: &Endpoint) -> Vec<Cell> {
    let now = &of.now;
    let time = |seconds: Option<f64>| Cell::known(seconds.map(units::duration));
    let sum = now.mean.map(|_| units::duration(now.sum));
    vec![
        sum.map_or_else(Cell::nothing, |sum| Cell::styled(sum, STRONG)),
        Cell::known(now.share.map(units::percent)),
        Cell::new(units::count(now.count)),
        time(now.mean),
        time(now.p50),
        time(now.p99),
        time(now.max),
        errors(now),
        Cell::new(units::bytes(now.bytes as f64)),
        Cell::new(name(of)),
    ]
}

fn twice() -> Vec<Column> {
    vec![
        Column::right("sum"),
        Column::right("requests"),
        Column::right("mean"),
        Column::right("ratio"),
        Column::right("p99").rank(2),
        Column::right("errors").rank(1),
        Column::wrapping("endpoint"),
    ]
}

fn both(of: &Endpoint, before: &Figures) -> Vec<Cell> {
    let now = &of.now;
    let times = |value: fn(&Figures) -> Option<f64>| {
        let told = |figures| units::known(value(figures), units::duration);
        Cell::new(format!("{} → {}", told(before), told(now)))
    };
    let counts = |value: fn(&Figures) -> u64| {
        let told = |figures| units::count(value(figures));
        Cell::new(format!("{} → {}", told(before), told(now)))
    };
    let means = before
        .mean
        .zip(now.mean)
        .filter(|(before, _)| *before > 0.0);
    let ratio = means.map(|(before, now)| units::ratio(now / before));
    vec![
        times(|of| of.mean.map(|_| of.sum)),
        counts(|of| of.count),
        times(|of| of.mean),
        ratio.map_or_else(Cell::nothing, |ratio| Cell::styled(ratio, STRONG)),
        times(|of| of.p99),
        counts(|of| of.errors),
        Cell::new(name(of)),
    ]
}

fn errors(of: &Figures) -> Cell {
    match of.errors {
        0 => Cell::styled("0", DIM),
        some => Cell::styled(units::count(some), BAD),
    }
}

fn name(of: &Endpoint) -> String {
    format!("{} {}", of.method, of.route)
        .trim_start()
        .to_owned()
}

/// What the endpoints that are not shown cost together.
fn left_out(rest: &[Endpoint], all: &[Endpoint]) -> String {
    let sum = |of: &[Endpoint]| of.iter().map(|of| of.now.sum).sum::<f64>();
    let share = sum(rest) / sum(all);
    let share = if share.is_finite() {
        format!(", {} of the time", units::percent(share))
    } else {
        String::new()
    };
    let requests: u64 = rest.iter().map(|of| of.now.count).sum();
    format!(
        "{} more with {} requests{share}: `--top` shows more\n",
        units::count(rest.len() as u64),
        units::count(requests)
    )
}
