//! Results in the output formats of other tools, for scripts that read those.
//!
//! The form is theirs, the figures are weir's: times begin when a request is due, so that opening
//! its connection and what a stalled server delays are in them; what timed out stays in the times; a
//! quantile with fewer than 100 samples beyond it is marked.

mod ab;
mod wrk;

pub use ab::{Ab, ab, ab_csv};
pub use wrk::{Wrk, wrk, wrk_head};

use record::{Cause, Distribution, LoadFacts};

/// What stands behind a quantile that few answers decide. The lowest and the highest need no others.
fn few(q: f64, times: &Distribution) -> &'static str {
    if q < 1.0 && !judge::enough(q, times.count()) {
        " (few lie beyond)"
    } else {
        ""
    }
}

/// Standard deviation in seconds.
fn deviation(times: &Distribution) -> f64 {
    let cells = times.cells().map(|(value, count)| (value, count as f64));
    spread(&cells.collect::<Vec<_>>()).1
}

/// Mean and standard deviation of weighted values; zero without any.
fn spread(values: &[(f64, f64)]) -> (f64, f64) {
    let weight: f64 = values.iter().map(|(_, count)| count).sum();
    if weight <= 0.0 {
        return (0.0, 0.0);
    }
    let sum: f64 = values.iter().map(|(value, count)| value * count).sum();
    let mean = sum / weight;
    let values = values.iter();
    let squares = values.map(|(value, count)| (value - mean).powi(2) * count);
    (mean, (squares.sum::<f64>() / weight).sqrt())
}

/// Requests that failed for one of these reasons.
fn failed(load: &LoadFacts, causes: &[Cause]) -> u64 {
    let counts = causes.iter().filter_map(|cause| load.failed.get(cause));
    counts.sum()
}

/// Requests that had no connection.
fn unconnected(load: &LoadFacts) -> u64 {
    failed(load, &Cause::UNCONNECTED) + failed(load, &[Cause::Exhausted])
}

/// Answers whose status `counts`.
fn answers(load: &LoadFacts, counts: impl Fn(u16) -> bool) -> u64 {
    let those = load.statuses.iter().filter(|(status, _)| counts(**status));
    those.map(|(_, count)| count).sum()
}
