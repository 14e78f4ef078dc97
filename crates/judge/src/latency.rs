use record::Distribution;

use crate::Figure;

/// How many samples must lie beyond a quantile before it is given: the fewest that both ends of its interval can be
/// told from ([`stats::quantile_ranks`]), which then says how far it may be off. Fewer than that give a lower bound.
const BEYOND: f64 = 10.0;

/// How many must lie beyond it before the quantile alone decides a condition: its own standard error is then about a
/// tenth of the share beyond it. With fewer, its interval decides.
const DECISIVE: f64 = 100.0;

/// The quantiles of one load by name, ascending.
pub const QUANTILES: [(&str, f64); 6] = [
    ("p50", 0.5),
    ("p90", 0.9),
    ("p95", 0.95),
    ("p99", 0.99),
    ("p99.9", 0.999),
    ("p99.99", 0.9999),
];

/// How many samples the quantile `q` (below 1) needs: n(1 - q) >= 10.
pub fn samples_for(q: f64) -> u64 {
    samples(BEYOND, q)
}

/// How many it needs to decide a condition by itself: n(1 - q) >= 100.
pub(crate) fn samples_to_decide(q: f64) -> u64 {
    samples(DECISIVE, q)
}

fn samples(beyond: f64, q: f64) -> u64 {
    // rounded, because 1 - 0.9 is a little less than 0.1 in binary
    (beyond / (1.0 - q)).round() as u64
}

/// Whether there are enough samples to give the quantile `q`.
pub fn enough(q: f64, samples: u64) -> bool {
    samples >= samples_for(q)
}

/// The quantile `q` of one load's times in seconds, between its order statistics
/// ([`stats::quantile_ranks`]); `None` with fewer than 10 samples beyond it.
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
        interval: ends
            .and_then(|(low, high)| Some((times.at_rank(low)?.0, times.at_rank(high)?.1))),
    })
}

/// What the quantile `q` of one load's times is at least, in seconds, with 97.5 % confidence: the order statistic that lies
/// below it so often by the binomial distribution ([`stats::quantile_ends`]). `None` where the quantile itself is given,
/// and where there are too few samples for that as well: of five and fewer each may lie above the median, so that there is
/// no bound for that, and then none for what lies above it either.
pub fn at_least(times: &Distribution, q: f64) -> Option<f64> {
    let samples = times.count();
    if enough(q, samples) || samples < stats::FEWEST as u64 {
        return None;
    }
    let (low, _) = stats::quantile_ends(samples, q);
    times.at_rank(low?).map(|(low, _)| low)
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
        assert!(low <= 8.941e-3 && 9.060e-3 <= high, "{p90:?}");
        let names: Vec<_> = quantiles(&times).map(|(name, _)| name).collect();
        assert_eq!(names, ["p50", "p90", "p95", "p99", "p99.9"]);
    }

    #[test]
    fn a_quantile_that_too_few_lie_beyond_has_a_lower_bound() {
        let of = |count: u64| {
            let mut times = Distribution::default();
            (1..=count).for_each(|at| times.record(at * 1_000_000));
            times
        };
        // R: qbinom(.025, 100, .99) = 97
        let bound = at_least(&of(100), 0.99).unwrap();
        assert!(
            (bound / 0.097 - 1.0).abs() < 2e-3 && bound <= 0.097,
            "{bound}"
        );
        assert_eq!(quantile(&of(100), 0.99), None);
        assert_eq!(quantile(&of(999), 0.99), None);
        assert!(quantile(&of(1_000), 0.99).unwrap().interval.is_some());
        assert_eq!(at_least(&of(1_000), 0.99), None, "the quantile is given");
        for q in [0.5, 0.9, 0.99] {
            assert_eq!(at_least(&of(5), q), None, "each may lie above the median");
            assert!(at_least(&of(6), q).is_some());
        }
    }

    /// The ends of the binomial distribution are counted one by one: of so many that would never end.
    #[test]
    fn of_many_samples_no_bound_is_sought() {
        let mut times = Distribution::default();
        times.record(1_000_000);
        for _ in 0..50 {
            times.merge(&times.clone());
        }
        assert_eq!(times.count(), 1 << 50);
        for (_, q) in QUANTILES {
            assert_eq!(at_least(&times, q), None);
        }
    }
}
