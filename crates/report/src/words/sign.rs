//! The sign before what the load generator, on the same cores, may have held down: one place decides.

use judge::{Comparison, NEGLIGIBLE};
use record::Metric;

use crate::units;

/// The ratio of two variants, with a sign where the load generator took what one of them would have had: `≥ 1.88 × [1.81, 1.95]`.
pub fn ratio(of: &Comparison) -> String {
    let ratio = units::ratio_within(of.ratio, of.interval);
    format!("{}{ratio}", sign(of.ratio, of.elsewhere))
}

/// The same without its interval.
pub(crate) fn ratio_alone(of: &Comparison) -> String {
    let ratio = units::ratio(of.ratio);
    format!("{}{ratio}", sign(of.ratio, of.elsewhere))
}

/// A figure with its unit and the same sign, for where figures are read against each other: `≥ 423 req/s`.
pub(crate) fn signed(metric: Metric, value: f64, elsewhere: Option<(f64, f64)>) -> String {
    let figure = units::metric(metric, value);
    format!("{}{figure}", sign(value, elsewhere))
}

/// `≥ `, `≤ ` or `≈ ` where a ratio, or a figure, is a limit of what it would be with the load generator elsewhere, between two
/// others.
pub(super) fn sign(ratio: f64, elsewhere: Option<(f64, f64)>) -> &'static str {
    let Some((low, high)) = elsewhere else {
        return "";
    };
    let beyond = 1.0 + NEGLIGIBLE;
    match (ratio > low * beyond, high > ratio * beyond) {
        (false, true) => "≥ ",
        (true, false) => "≤ ",
        (true, true) | (false, false) => "≈ ",
    }
}

/// What the signs before these mean, if there are any. Each is a `ratio` or a `figure`, as `what` says, and lies between two others
/// with the load generator elsewhere.
pub(crate) fn signs(
    what: &str,
    mut shown: impl Iterator<Item = Option<(f64, f64)>>,
) -> Option<String> {
    shown.any(|elsewhere| elsewhere.is_some()).then(|| {
        format!(
            "≥, ≤ or ≈ before a {what}: no core was idle, and the load generator took its part; with it elsewhere the \
             {what} may be larger, smaller, or either"
        )
    })
}

#[cfg(test)]
mod tests {
    use judge::Verdict;

    use super::*;

    fn twice(interval: Option<(f64, f64)>) -> Comparison {
        Comparison {
            metric: Metric::Throughput,
            of: "one".to_owned(),
            over: "two".to_owned(),
            ratio: 2.0,
            interval,
            pairs: 6,
            paired: true,
            one_ended: false,
            elsewhere: None,
            wanted: None,
            verdict: Verdict::Better,
        }
    }

    /// What is within what is called no difference is no limit.
    #[test]
    fn a_ratio_that_the_generator_held_down_is_a_limit() {
        let told = |low: f64, high: f64| {
            ratio(&Comparison {
                elsewhere: Some((low, high)),
                ..twice(None)
            })
        };
        assert_eq!(told(2.0, 2.4), "≥ 2.00 ×");
        assert_eq!(told(1.99, 2.4), "≥ 2.00 ×");
        assert_eq!(told(1.6, 2.0), "≤ 2.00 ×");
        assert_eq!(told(1.6, 2.4), "≈ 2.00 ×");
        let within = twice(Some((1.9, 2.1)));
        assert_eq!(ratio(&within), "2.00 × [1.90, 2.10]");
        let meaning = |all: &[&Comparison]| signs("ratio", all.iter().map(|of| of.elsewhere));
        assert_eq!(meaning(&[&within]), None);
        let limit = Comparison {
            elsewhere: Some((2.0, 2.4)),
            ..within.clone()
        };
        assert_eq!(ratio(&limit), "≥ 2.00 × [1.90, 2.10]");
        let meaning = meaning(&[&within, &limit]).unwrap();
        assert!(
            meaning.starts_with("≥, ≤ or ≈ before a ratio: "),
            "{meaning}"
        );
        let figure = signed(Metric::Throughput, 400.0, Some((400.0, 500.0)));
        assert_eq!(figure, "≥ 400 req/s");
        assert_eq!(signed(Metric::Mean, 0.1, Some((0.08, 0.1))), "≤ 100 ms");
        assert_eq!(signed(Metric::Mean, 0.1, None), "100 ms");
    }
}
