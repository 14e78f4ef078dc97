//! Figures as text: with their unit, three significant digits and their uncertainty.

use judge::Figure;
use record::Metric;
pub(crate) use record::units::known;
pub use record::units::{
    NOTHING, about, at_least, bytes, count, duration, metric, number, number_within, percent, rate,
    ratio, ratio_within, round_duration,
};

/// The largest uncertainty that is given as a number. A figure with a larger one may be next to nothing, or several times what
/// it is, and more digits say no more than that.
const TELLING: f64 = 1.0;

/// A figure with its uncertainty: `421 req/s ±3 %`.
pub fn figure(of: Metric, figure: &Figure) -> String {
    joined(metric(of, figure.value), figure)
}

/// The same without the unit of a rate, for a column that names it: `421 ±3 %`.
pub fn figure_in_column(of: Metric, figure: &Figure) -> String {
    let value = match of {
        Metric::Throughput => number(figure.value),
        _ => metric(of, figure.value),
    };
    joined(value, figure)
}

fn joined(value: String, figure: &Figure) -> String {
    match uncertainty(figure) {
        Some(uncertainty) => format!("{value} {uncertainty}"),
        None => value,
    }
}

/// The wider side of a figure's interval as a share of the figure: `±3 %`, `±0.4 %`, `±<0.1 %`, and `±>100 %` where it is
/// wider than the figure itself.
///
/// `None` without an interval, or around zero, where a share says nothing.
pub fn uncertainty(figure: &Figure) -> Option<String> {
    let (low, high) = figure.interval?;
    let share = (figure.value - low).abs().max((high - figure.value).abs()) / figure.value.abs();
    if !share.is_finite() {
        return None;
    }
    let beyond = if share > TELLING { ">" } else { "" };
    Some(format!("±{beyond}{}", about(share.min(TELLING))))
}

#[cfg(test)]
mod tests;
