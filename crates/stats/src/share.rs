use crate::interval::{Estimate, NORMAL, TAIL};
use crate::student::normal;

/// The share of a sample's members that have a property, with its 95 % interval: Wilson's score interval ("Probable
/// Inference, the Law of Succession, and Statistical Inference", JASA 22, 1927), which stays within 0 and 1 and holds
/// for few members and for shares near the ends. `None` for an empty sample.
pub fn share_estimate(with: u64, of: u64) -> Option<Estimate> {
    let interval = wilson(with, of, NORMAL)?;
    Some(Estimate {
        value: with as f64 / of as f64,
        interval: Some(interval),
    })
}

/// By how much a share of one sample is larger than that of another, each as the members that have the property and all:
/// the score interval without correction (method 10 of Newcombe, "Interval estimation for the difference between independent
/// proportions", Statistics in Medicine 17, 1998), as wide as lets the intervals of so many `differences` all be right at once
/// in 95 of 100 cases (Bonferroni). `None` where one of the samples is empty.
pub fn share_difference(
    one: (u64, u64),
    other: (u64, u64),
    differences: usize,
) -> Option<Estimate> {
    let reach = normal(TAIL / differences.max(1) as f64);
    let score = |(with, of): (u64, u64)| {
        let (low, high) = wilson(with, of, reach)?;
        Some((with as f64 / of as f64, low, high))
    };
    let ((a, a_low, a_high), (b, b_low, b_high)) = (score(one)?, score(other)?);
    let value = a - b;
    let interval = (
        value - (a - a_low).hypot(b_high - b),
        value + (a_high - a).hypot(b - b_low),
    );
    Some(Estimate {
        value,
        interval: Some(interval),
    })
}

/// Wilson's score interval, so many standard errors wide to each side.
fn wilson(with: u64, of: u64, reach: f64) -> Option<(f64, f64)> {
    if of == 0 {
        return None;
    }
    let (count, share) = (of as f64, with as f64 / of as f64);
    let square = reach * reach;
    let center = (share + square / (2.0 * count)) / (1.0 + square / count);
    let scatter = share * (1.0 - share) / count + square / (4.0 * count * count);
    let half = reach / (1.0 + square / count) * scatter.sqrt();
    // at the ends it is exact, and rounding is not
    let low = if with == 0 {
        0.0
    } else {
        (center - half).max(0.0)
    };
    let high = if with == of {
        1.0
    } else {
        (center + half).min(1.0)
    };
    Some((low, high))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998), table I.
    #[test]
    fn it_is_as_published() {
        for (with, of, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let (from, until) = share_estimate(with, of).unwrap().interval.unwrap();
            assert!(
                (from - low).abs() < 5e-5 && (until - high).abs() < 5e-5,
                "{from} {until}"
            );
        }
        assert_eq!(share_estimate(0, 0), None);
        let ends = |with, of| share_estimate(with, of).unwrap().interval.unwrap();
        assert_eq!((ends(0, 393).0, ends(393, 393).1), (0.0, 1.0));
    }

    /// Newcombe, "Interval estimation for the difference between independent proportions", Statistics in Medicine 17 (1998),
    /// table II.
    #[test]
    fn differences_are_as_published() {
        for (one, other, low, high) in [
            ((56, 70), (48, 80), 0.0524, 0.3339),
            ((9, 10), (3, 10), 0.1705, 0.8090),
            ((6, 7), (2, 7), 0.0582, 0.8062),
            ((5, 56), (0, 29), -0.0381, 0.1926),
            ((0, 10), (0, 20), -0.1611, 0.2775),
            ((10, 10), (0, 10), 0.6075, 1.0),
        ] {
            let (from, until) = share_difference(one, other, 1).unwrap().interval.unwrap();
            assert!(
                (from - low).abs() < 5e-5 && (until - high).abs() < 5e-5,
                "{one:?} {other:?}: {from} {until}"
            );
            let wider = share_difference(one, other, 20).unwrap().interval.unwrap();
            assert!(wider.0 < from && wider.1 >= until, "{wider:?}");
        }
        assert_eq!(share_difference((0, 0), (1, 2), 1), None);
    }
}
