use std::collections::BTreeMap;

use crate::latency::samples_for;
use record::{Cause, Distribution, LoadFacts, Measured, Metric, ProcessCost, TimeLimit};

/// The figures of one trial. A metric is absent where the facts do not carry it: a quantile with
/// fewer than 100 samples beyond it, CPU time too short for the clock that measured it.
pub(crate) fn of_trial(measured: &Measured) -> BTreeMap<Metric, f64> {
    let with_value = |metric| figure(metric, measured).map(|value| (metric, value));
    Metric::ALL.into_iter().filter_map(with_value).collect()
}

fn figure(metric: Metric, measured: &Measured) -> Option<f64> {
    let load = &measured.load;
    match metric {
        Metric::Throughput | Metric::Goodput => Some(load.throughput()),
        Metric::Mean => load.response.mean(),
        Metric::Max => load.response.max(),
        Metric::P50 | Metric::P90 | Metric::P95 | Metric::P99 => quantile(metric, &load.response),
        Metric::CpuPerRequest => {
            let cpu: f64 = stack(measured).map(ProcessCost::cpu).sum();
            // the processes are watched to the end of the drain, so its answers count here
            let answers = load.completed + load.drained;
            (cpu > 0.0 && answers > 0).then(|| cpu / answers as f64)
        }
        Metric::PeakMemory => {
            let peak: u64 = stack(measured).map(|process| process.peak_rss).sum();
            (peak > 0).then_some(peak as f64)
        }
        Metric::Errors => error_share(load),
        Metric::Unconnected => share(unconnected(load), load),
        Metric::TimedOut => share(load.timed_out, load),
        Metric::Attempts => share(load.scheduled + load.retries, load),
        Metric::PageMean => load.pages.mean(),
        Metric::PageP50 => (load.pages.count() >= samples_for(0.5))
            .then(|| load.pages.quantile(0.5))
            .flatten(),
        Metric::GeneratorCpu => generator_share(measured),
    }
}

/// weir's own process against it and the stack's together: all of them are watched over the same time, by
/// the same clock. `None` where one of the two took no time that the clock could tell.
fn generator_share(measured: &Measured) -> Option<f64> {
    let stack: f64 = stack(measured).map(ProcessCost::cpu).sum();
    let all: f64 = measured.processes.iter().map(ProcessCost::cpu).sum();
    (stack > 0.0 && all > stack).then(|| (all - stack) / all)
}

/// Failed and timed-out share of what fell due, 0 to 1; `None` when nothing did.
pub(crate) fn error_share(load: &LoadFacts) -> Option<f64> {
    share(load.failures() + load.timed_out, load)
}

fn share(of: u64, load: &LoadFacts) -> Option<f64> {
    (load.scheduled > 0).then(|| of as f64 / load.scheduled as f64)
}

/// Requests that no connection was there for, whatever the way in which it was denied: a full accept
/// queue refuses on a Unix socket, and over TCP keeps silent until the client gives up.
fn unconnected(load: &LoadFacts) -> u64 {
    let denied = Cause::UNCONNECTED
        .iter()
        .filter_map(|cause| load.failed.get(cause));
    let silent = load.time_limits.get(&TimeLimit::Connect);
    denied.chain(silent).sum()
}

/// The quantile metric of these times, if enough samples lie beyond it.
pub(crate) fn quantile(metric: Metric, times: &Distribution) -> Option<f64> {
    let needed = samples_needed(metric)?;
    (times.count() >= needed)
        .then(|| times.quantile(metric.quantile()?))
        .flatten()
}

/// How many samples a quantile metric needs: n(1 - q) >= 100. `None` for other metrics.
pub(crate) fn samples_needed(metric: Metric) -> Option<u64> {
    metric.quantile().map(samples_for)
}

/// The processes under load, without weir's own.
pub(crate) fn stack(measured: &Measured) -> impl Iterator<Item = &ProcessCost> {
    measured
        .processes
        .iter()
        .filter(|process| process.owner != "weir")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_need_a_hundred_samples_beyond() {
        assert_eq!(samples_needed(Metric::P50), Some(200));
        assert_eq!(samples_needed(Metric::P90), Some(1_000));
        assert_eq!(samples_needed(Metric::P99), Some(10_000));
        assert_eq!(samples_needed(Metric::Mean), None);
        let mut times = Distribution::default();
        for _ in 0..999 {
            times.record(5_000_000);
        }
        assert!(quantile(Metric::P50, &times).is_some());
        assert_eq!(quantile(Metric::P90, &times), None);
        times.record(5_000_000);
        assert!(quantile(Metric::P90, &times).is_some());
    }
}
