use record::{Calibration, LoadFacts, Protocol, Spoken};
use serde::Serialize;

use crate::figures;

/// What a calibration says about this machine.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Ceiling {
    /// Requests per second at which one thread of the engine would be busy all the time, had it
    /// nothing to do but the cheapest request: the reciprocal of its CPU time per request, median of
    /// the calibration's windows.
    pub per_thread: f64,
    /// How far the windows' rates lay apart: (largest - smallest) / median. What two equal loads
    /// may differ by on this machine, for no reason of theirs.
    pub spread: f64,
}

impl Ceiling {
    /// `None` when nothing was answered.
    pub fn of(calibration: &Calibration) -> Option<Self> {
        let paces = || calibration.closed_loops.iter();
        let costs: Vec<f64> = paces().map(|pace| pace.cpu_per_request).collect();
        let rates: Vec<f64> = paces().map(|pace| pace.throughput).collect();
        let (cost, rate) = (stats::median(&costs)?, stats::median(&rates)?);
        let most = rates.iter().copied().fold(f64::MIN, f64::max);
        let least = rates.iter().copied().fold(f64::MAX, f64::min);
        (cost > 0.0 && rate > 0.0).then(|| Self {
            per_thread: 1.0 / cost,
            spread: (most - least) / rate,
        })
    }
}

/// Where a load stood under the calibrated ceiling.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Standing {
    /// Throughput over `ceiling`. A dearer request (a large body, few connections) keeps it below 1
    /// with threads that are busy all the time: [`record::EngineCost::busiest`] tells of those.
    pub share: f64,
    /// Requests per second that the load's threads could have made of the cheapest request; threads
    /// beyond the machine's cores add nothing.
    pub ceiling: f64,
    /// Threads that this is for.
    pub threads: u32,
    /// The p99 of a server that does nothing, at a low rate, in seconds: what this machine adds.
    /// `None` where the calibration was too short to tell.
    pub floor_p99: Option<f64>,
}

impl Standing {
    /// Of a load over kept-alive HTTP/1.1 connections without TLS, as the calibration's was; of
    /// others it says nothing.
    pub fn of(load: &LoadFacts, calibration: &Calibration) -> Option<Self> {
        let alike = |of: &&Spoken| of.protocol == Protocol::Http1 && of.keep_alive && !of.tls;
        load.spoken.as_ref().filter(alike)?;
        let threads = load.engine.threads.min(calibration.host.cores.max(1));
        let ceiling = Ceiling::of(calibration)?.per_thread * f64::from(threads);
        Some(Self {
            share: load.throughput() / ceiling,
            ceiling,
            threads,
            floor_p99: figures::quantile(record::Metric::P99, &calibration.response),
        })
    }
}

#[cfg(test)]
mod tests {
    use record::{ClosedLoop, Distribution, EngineCost, Host};

    use super::*;

    fn calibration(costs: &[f64]) -> Calibration {
        let mut response = Distribution::default();
        (0..10_000).for_each(|_| response.record(50_000));
        Calibration {
            measured: "2026-01-01T00:00:00Z".parse().unwrap(),
            weir: "0.1.0".to_owned(),
            host: Host {
                cores: 2,
                ..Host::default()
            },
            closed_loops: costs
                .iter()
                .map(|&cpu_per_request| ClosedLoop {
                    throughput: 0.8 / cpu_per_request,
                    cpu_per_request,
                    busy: 0.8,
                })
                .collect(),
            ring: Vec::new(),
            races: Vec::new(),
            connections: 100,
            rate: 5_000.0,
            response,
            woken: Distribution::default(),
            lateness: Distribution::default(),
            others: None,
        }
    }

    fn load(threads: u32) -> LoadFacts {
        LoadFacts {
            seconds: 2.0,
            completed: 160_000,
            spoken: Some(Spoken {
                keep_alive: true,
                ..Spoken::default()
            }),
            engine: EngineCost {
                threads,
                ..EngineCost::default()
            },
            ..LoadFacts::default()
        }
    }

    /// The null server may have been what held the loop back: what counts is what a request cost.
    #[test]
    fn the_ceiling_is_where_a_thread_would_be_busy_all_the_time() {
        let ceiling = Ceiling::of(&calibration(&[4e-6, 5e-6, 8e-6])).unwrap();
        assert!((ceiling.per_thread - 200_000.0).abs() < 1e-3);
        // 200,000, 160,000 and 100,000 a second
        assert!((ceiling.spread - 0.625).abs() < 1e-9);
        assert_eq!(Ceiling::of(&calibration(&[])), None);
    }

    #[test]
    fn threads_beyond_the_cores_add_nothing() {
        let calibration = calibration(&[5e-6]);
        let share = |threads| Standing::of(&load(threads), &calibration).unwrap().share;
        assert!((share(1) - 0.4).abs() < 1e-9);
        assert!((share(2) - 0.2).abs() < 1e-9);
        assert!((share(64) - 0.2).abs() < 1e-9);
    }

    #[test]
    fn another_kind_of_load_stands_nowhere() {
        let mut load = load(1);
        for other in [
            None,
            Some(Spoken::default()),
            Some(Spoken {
                keep_alive: true,
                tls: true,
                ..Spoken::default()
            }),
            Some(Spoken {
                keep_alive: true,
                protocol: Protocol::Http2,
                ..Spoken::default()
            }),
        ] {
            load.spoken = other;
            assert_eq!(Standing::of(&load, &calibration(&[5e-6])), None);
        }
    }

    #[test]
    fn a_floor_needs_samples() {
        let mut calibration = calibration(&[5e-6]);
        let floor = |of: &Calibration| Standing::of(&load(1), of).unwrap().floor_p99;
        assert!(floor(&calibration).is_some_and(|p99| (p99 - 50e-6).abs() < 1e-6));
        calibration.response.clear();
        assert_eq!(floor(&calibration), None);
    }
}
