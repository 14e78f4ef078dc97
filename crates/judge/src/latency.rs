use record::Distribution;

use crate::Figure;

/// How many samples must lie beyond a quantile before it is given: with 100 the quantile's own
/// standard error is about a tenth of the share beyond it.
const BEYOND: f64 = 100.0;

/// The quantiles of one load by name, ascending.
pub const QUANTILES: [(&str, f64); 6] = [
    ("p50", 0.5),
    ("p90", 0.9),
    ("p95", 0.95),
    ("p99", 0.99),
    ("p99.9", 0.999),
    ("p99.99", 0.9999),
];

/// How many samples the quantile `q` (below 1) needs: n(1 - q) >= 100.
pub fn samples_for(q: f64) -> u64 {
    // rounded, because 1 - 0.9 is a little less than 0.1 in binary
    (BEYOND / (1.0 - q)).round() as u64
}

/// Whether there are enough samples to give the quantile `q`.
pub fn enough(q: f64, samples: u64) -> bool {
    samples >= samples_for(q)
}

/// The quantile `q` of one load's times in seconds, between its order statistics
/// ([`stats::quantile_ranks`]); `None` with fewer than 100 samples beyond it.
///
/// The interval knows the noise of drawing so many answers and takes them as independent. Answers
/// that queued behind each other are not, and another start of the server is another draw: only
/// blocks (`weir run`) show that.
pub fn quantile(times: &Distribution, q: f64) -> Option<Figure> {
    if !enough(q, times.count()) {
        return None;
    }
    let ends = stats::quantile_ranks(times.count(), q);
    Some(Figure {
        value: times.quantile(q)?,
        interval: ends.and_then(|(low, high)| Some((times.at_rank(low)?, times.at_rank(high)?))),
    })
}

/// Those of [`QUANTILES`] that the times carry.
pub fn quantiles(times: &Distribution) -> impl Iterator<Item = (&'static str, Figure)> + '_ {
    QUANTILES
        .into_iter()
        .filter_map(|(name, q)| Some((name, quantile(times, q)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantile_lies_between_its_order_statistics() {
        let mut times = Distribution::default();
        for microseconds in 1..=10_000_u64 {
            times.record(microseconds * 1_000);
        }
        let p90 = quantile(&times, 0.9).unwrap();
        let (low, high) = p90.interval.unwrap();
        // R: qbinom(c(.025, .975), 10000, .9) = 8941 and 9059
        assert!((p90.value / 9.0e-3 - 1.0).abs() < 2e-3, "{p90:?}");
        assert!((low / 8.941e-3 - 1.0).abs() < 2e-3, "{p90:?}");
        assert!((high / 9.060e-3 - 1.0).abs() < 2e-3, "{p90:?}");
        let names: Vec<_> = quantiles(&times).map(|(name, _)| name).collect();
        assert_eq!(names, ["p50", "p90", "p95", "p99"]);
    }
}
