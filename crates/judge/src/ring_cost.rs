//! What the event loops of the load engine cost beside each other, and which of them is taken.

use record::{Calibration, ClosedLoop, Reactor};
use serde::Serialize;
use stats::{Confidence, Estimate};

/// What the event loop over `io_uring` costs beside that over epoll, in a thread with so many connections.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct RingCost {
    /// Keep-alive connections of the thread.
    pub connections: u32,
    /// How many times the CPU time per request of the event loop over epoll that over `io_uring` takes, by neighbouring
    /// windows.
    pub ratio: Estimate,
    /// Whether it is surely less: the whole interval lies below 1.
    pub cheaper: bool,
}

impl RingCost {
    fn of(connections: u32, poll: &[ClosedLoop], ring: &[ClosedLoop]) -> Option<Self> {
        let cost = |of: &ClosedLoop| of.cpu_per_request;
        let pairs = ring.iter().map(cost).zip(poll.iter().map(cost));
        let ratio = stats::paired_ratio(&pairs.collect::<Vec<_>>(), Confidence::USUAL)?;
        Some(Self {
            connections,
            ratio,
            cheaper: ratio.interval.is_some_and(|(_, high)| high < 1.0),
        })
    }
}

/// What a calibration says of both event loops, by ascending number of connections; nothing where the kernel has only one.
pub fn ring_costs(calibration: &Calibration) -> Vec<RingCost> {
    let busy = RingCost::of(
        calibration.connections,
        &calibration.closed_loops,
        &calibration.ring,
    );
    let races = calibration.races.iter();
    let others = races.filter_map(|race| RingCost::of(race.connections, &race.poll, &race.ring));
    let mut costs: Vec<_> = others.chain(busy).collect();
    costs.sort_by_key(|cost| cost.connections);
    costs
}

/// The event loop that a thread with so many connections is given where nobody has chosen one: that over epoll, unless the
/// other one is surely cheaper over the most connections that were measured and are no more than these, or else over the fewest.
pub fn cheaper_loop(costs: &[RingCost], connections: u32) -> Reactor {
    let near = costs.iter().rfind(|cost| cost.connections <= connections);
    match near.or(costs.first()) {
        Some(cost) if cost.cheaper => Reactor::Ring,
        _ => Reactor::Poll,
    }
}

#[cfg(test)]
mod tests {
    use record::{Distribution, Host, Race};

    use super::*;

    fn loops(costs: &[f64]) -> Vec<ClosedLoop> {
        let one = |&cpu_per_request: &f64| ClosedLoop {
            throughput: 0.8 / cpu_per_request,
            cpu_per_request,
            busy: 0.8,
        };
        costs.iter().map(one).collect()
    }

    fn calibration(ring: &[f64], races: Vec<Race>) -> Calibration {
        Calibration {
            measured: "2026-01-01T00:00:00Z".parse().unwrap(),
            weir: "0.1.0".to_owned(),
            host: Host::default(),
            // the machine was twice as slow in two of them
            closed_loops: loops(&[4e-6, 8e-6, 4e-6, 8e-6]),
            ring: loops(ring),
            races,
            connections: 100,
            rate: 5_000.0,
            response: Distribution::default(),
            woken: Distribution::default(),
            lateness: Distribution::default(),
            others: None,
        }
    }

    #[test]
    fn the_loops_are_compared_window_by_window() {
        assert!(ring_costs(&calibration(&[], Vec::new())).is_empty());
        let both = calibration(&[5e-6, 10e-6, 5e-6, 10e-6], Vec::new());
        let [cost] = ring_costs(&both)[..] else {
            panic!("one number of connections");
        };
        let (low, high) = cost.ratio.interval.unwrap();
        assert!(
            (cost.ratio.value - 1.25).abs() < 1e-9 && high - low < 1e-6,
            "{cost:?}"
        );
        assert_eq!((cost.connections, cost.cheaper), (100, false));
    }

    #[test]
    fn what_is_surely_cheaper_over_as_many_connections_is_taken() {
        let race = |connections, ring: &[f64]| Race {
            connections,
            poll: loops(&[4e-6; 5]),
            ring: loops(ring),
        };
        let races = vec![
            race(1_000, &[3e-6, 3.1e-6, 3e-6, 3.1e-6, 3e-6]),
            // in the middle it is cheaper, and not by more than it scatters
            race(10, &[3e-6, 5e-6, 3.9e-6, 3e-6, 4.5e-6]),
        ];
        let costs = ring_costs(&calibration(&[5e-6, 10e-6, 5e-6, 10e-6], races));
        let each = costs.iter().map(|of| (of.connections, of.cheaper));
        let told: Vec<_> = each.collect();
        assert_eq!(told, [(10, false), (100, false), (1_000, true)]);
        assert!(costs[0].ratio.value < 1.0, "{costs:?}");
        for (connections, taken) in [
            (1, Reactor::Poll),
            (999, Reactor::Poll),
            (1_000, Reactor::Ring),
            (50_000, Reactor::Ring),
        ] {
            assert_eq!(cheaper_loop(&costs, connections), taken, "{connections}");
        }
        // fewer than were ever measured are as the fewest
        assert_eq!(cheaper_loop(&costs[2..], 1), Reactor::Ring);
        assert_eq!(cheaper_loop(&[], 1_000), Reactor::Poll);
    }
}
