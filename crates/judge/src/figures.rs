use std::collections::BTreeMap;

use record::metric::TakenFrom;
use record::{Distribution, Measured, Metric};

use crate::latency::{enough, samples_for};

/// The figures of one trial. A metric is absent where the facts do not carry it: a quantile with
/// fewer than 10 samples beyond it, CPU time too short for the clock that measured it.
pub(crate) fn of_trial(measured: &Measured) -> BTreeMap<Metric, f64> {
    let with_value = |metric: &Metric| figure(*metric, measured).map(|value| (*metric, value));
    Metric::ALL.iter().filter_map(with_value).collect()
}

fn figure(metric: Metric, measured: &Measured) -> Option<f64> {
    match metric.row().source {
        TakenFrom::Facts(compute) => compute(measured),
        TakenFrom::Quantile(quantile, times) => known(times.of(&measured.load), quantile),
    }
}

/// The quantile metric of these times, if enough samples lie beyond it.
pub(crate) fn quantile(metric: Metric, times: &Distribution) -> Option<f64> {
    known(times, metric.quantile()?)
}

fn known(times: &Distribution, q: f64) -> Option<f64> {
    times.quantile(q).filter(|_| enough(q, times.count()))
}

/// How many samples a quantile metric needs: n(1 - q) >= 10. `None` for other metrics.
pub(crate) fn samples_needed(metric: Metric) -> Option<u64> {
    metric.quantile().map(samples_for)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_need_ten_samples_beyond() {
        assert_eq!(samples_needed(Metric::P50), Some(20));
        assert_eq!(samples_needed(Metric::P90), Some(100));
        assert_eq!(samples_needed(Metric::P99), Some(1_000));
        assert_eq!(samples_needed(Metric::Mean), None);
        let mut times = Distribution::default();
        for _ in 0..99 {
            times.record(5_000_000);
        }
        assert!(quantile(Metric::P50, &times).is_some());
        assert_eq!(quantile(Metric::P90, &times), None);
        times.record(5_000_000);
        assert!(quantile(Metric::P90, &times).is_some());
    }
}
