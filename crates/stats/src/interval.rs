use serde::Serialize;

use crate::confidence::Confidence;
use crate::quantile::{ascending, quantile};

/// The smallest sample that carries a 95 % interval of its median.
///
/// Both the sign test and the sign-flip permutation test of n values have 2 / 2^n as their
/// smallest two-sided p: 0.0625 for n = 5, 0.031 for n = 6.
pub const FEWEST: usize = 6;

/// Chance of missing that an interval of 95 % leaves on each of its sides.
pub(crate) const TAIL: f64 = 0.025;

/// The standard normal deviate with `TAIL` beyond it.
pub(crate) const NORMAL: f64 = 1.959_964;

/// A value with its uncertainty.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Estimate {
    /// The best single figure.
    pub value: f64,
    /// Interval around it, lower end first, of 95 % or of what was asked for; `None` when the sample is too small for one.
    pub interval: Option<(f64, f64)>,
}

impl Estimate {
    /// The estimate of an increasing function of what was estimated.
    #[must_use]
    pub fn map(self, increasing: impl Fn(f64) -> f64) -> Self {
        let ends = |(low, high)| (increasing(low), increasing(high));
        Self {
            value: increasing(self.value),
            interval: self.interval.map(ends),
        }
    }
}

/// The sample's median and its [`quantile_interval`], as sure as it is asked to be; `None` like [`quantile`].
pub fn median_estimate(sample: &[f64], confidence: Confidence) -> Option<Estimate> {
    Some(Estimate {
        value: quantile(sample, 0.5)?,
        interval: between_places(sample, 0.5, confidence.tail()),
    })
}

/// 95 % interval of the quantile `q` of what the sample was drawn from, between two of its order
/// statistics; `None` when the sample is too small (fewer than [`FEWEST`] for the median), or like
/// [`quantile`].
///
/// The number of values below the quantile is binomial(n, q) whatever the distribution, so the
/// interval covers with at least 95 % for independent values of any continuous distribution,
/// skewed or with outliers: exact, no resampling, no symmetry assumed. It is the inverted sign
/// test for the median. (David and Nagaraja, "Order Statistics", 3rd ed. 2003, section 7.1;
/// Le Boudec, "Performance Evaluation of Computer and Communication Systems", 2010, theorem 2.1.)
pub fn quantile_interval(sample: &[f64], q: f64) -> Option<(f64, f64)> {
    between_places(sample, q, TAIL)
}

fn between_places(sample: &[f64], q: f64, tail: f64) -> Option<(f64, f64)> {
    let sorted = ascending(sample)?;
    if !(q > 0.0 && q < 1.0) {
        return None;
    }
    // x(k) lies above the quantile only if fewer than k values lie below it
    let low = cut(sorted.len(), q, tail)?;
    // mirrored: the same for the values above it
    let high = cut(sorted.len(), 1.0 - q, tail)?;
    Some((sorted[low - 1], sorted[sorted.len() - high]))
}

/// The largest k for which fewer than k successes of binomial(n, q) have at most the chance
/// `tail`; `None` if that is not even so for k = 1.
pub(crate) fn cut(n: usize, q: f64, tail: f64) -> Option<usize> {
    // in logarithms, because (1 - q)^n leaves the range of f64 for large n
    let step = (q / (1.0 - q)).ln();
    let mut log_chance = n as f64 * (1.0 - q).ln();
    let mut below = 0.0;
    let mut cut = None;
    for successes in 0..n {
        below += log_chance.exp();
        if below > tail {
            return cut;
        }
        cut = Some(successes + 1);
        log_chance += step + ((n - successes) as f64 / (successes + 1) as f64).ln();
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one_to(n: usize) -> Vec<f64> {
        (1..=n).map(|value| value as f64).collect()
    }

    #[test]
    fn places_of_the_median_match_the_tables_of_the_sign_test() {
        let table = [
            (6, 1.0, 6.0),
            (7, 1.0, 7.0),
            (8, 1.0, 8.0),
            (9, 2.0, 8.0),
            (10, 2.0, 9.0),
            (12, 3.0, 10.0),
            (20, 6.0, 15.0),
            (25, 8.0, 18.0),
        ];
        for (n, low, high) in table {
            assert_eq!(
                quantile_interval(&one_to(n), 0.5),
                Some((low, high)),
                "n {n}"
            );
        }
    }

    #[test]
    fn five_values_carry_no_interval() {
        for n in 1..FEWEST {
            assert_eq!(quantile_interval(&one_to(n), 0.5), None, "n {n}");
            assert!(
                median_estimate(&one_to(n), Confidence::USUAL)
                    .unwrap()
                    .interval
                    .is_none()
            );
        }
    }

    #[test]
    fn other_quantiles_and_large_samples() {
        // R: qbinom(c(.025, .975), 1000, .9) = 881 and 918, so x(881) to x(919)
        assert_eq!(quantile_interval(&one_to(1000), 0.9), Some((881.0, 919.0)));
        // (1/2)^5000 is zero in f64
        let (low, high) = quantile_interval(&one_to(5000), 0.5).unwrap();
        assert!((low - 2431.0).abs() <= 1.0, "{low}");
        assert!((high - 2570.0).abs() <= 1.0, "{high}");
        assert_eq!(quantile_interval(&one_to(20), 0.99), None);
        assert_eq!(quantile_interval(&one_to(20), 1.0), None);
    }
}
