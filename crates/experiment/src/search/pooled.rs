use std::time::{Duration, Instant};

use record::{Amount, Load, LoadFacts, Shape, WarmUpPlan};

use super::{Proposal, Strategy};
use crate::run::app_times::pool;

/// Seconds for which the URL is asked over one connection, and after which that is given up.
const LOOK: f64 = 0.2;
const LOOK_LIMIT: Duration = Duration::from_secs(5);

/// Loads with schedules, over as many connections as their rates need: the URL is asked for a moment over one connection
/// first, of which nothing is kept, and the median response time decides (`pool`).
#[derive(Debug)]
pub struct Pooled<S> {
    loads: S,
    /// Fewest connections, and most.
    within: (u32, u32),
    /// Seconds that a response took alone; `None` before the URL was asked.
    alone: Option<f64>,
    /// What comes next, while the URL is asked for it.
    waiting: Option<Proposal>,
}

impl<S: Strategy> Pooled<S> {
    /// The loads of another strategy, each with so many connections at least and at most.
    pub fn new(loads: S, least: u32, most: u32) -> Self {
        Self {
            loads,
            within: (least, most.max(least)),
            alone: None,
            waiting: None,
        }
    }

    /// The same without asking the URL: a response is presumed to take so many seconds alone.
    #[must_use]
    pub fn presuming(self, alone: f64) -> Self {
        Self {
            alone: Some(alone),
            ..self
        }
    }

    /// Gives a load its connections.
    fn size(&self, mut next: Proposal) -> Proposal {
        let arrivals = next.load.shape.arrivals();
        let highest = arrivals.map(record::Arrivals::highest_rate);
        if let Some((rate, alone)) = highest.zip(self.alone) {
            let needed = pool(rate, alone).div_ceil(next.load.streams.max(1));
            next.load.connections = needed.clamp(self.within.0, self.within.1);
            next.load.make_room();
        }
        next
    }
}

impl<S: Strategy> Strategy for Pooled<S> {
    fn next(&mut self) -> Option<Proposal> {
        if let Some(waiting) = self.waiting.take() {
            return Some(self.size(waiting));
        }
        let next = self.loads.next()?;
        if self.alone.is_some() || !next.load.shape.is_open() {
            return Some(self.size(next));
        }
        let look = look(&next);
        self.waiting = Some(next);
        Some(look)
    }

    fn learn(&mut self, load: Option<&LoadFacts>) -> bool {
        if self.waiting.is_none() {
            return self.loads.learn(load);
        }
        // where nothing came in that time, it takes that long at least
        let median = load.and_then(|load| load.service.quantile(0.5));
        self.alone = Some(median.unwrap_or(LOOK_LIMIT.as_secs_f64()));
        false
    }
}

/// The same over one connection, as fast as it goes, for a moment.
fn look(next: &Proposal) -> Proposal {
    Proposal {
        // not the load's own: whoever follows it by its name would take this for a part of it
        name: format!("{} (first look)", next.name),
        load: Load {
            connections: 1,
            streams: 1,
            threads: 1,
            amount: Amount::Seconds(LOOK),
            warm_up: WarmUpPlan::None,
            shape: Shape::default(),
            ..next.load.clone()
        },
        until: Some(Instant::now() + LOOK_LIMIT),
        may_be_empty: false,
        ..next.clone()
    }
}

#[cfg(test)]
mod tests {
    use record::{Arrivals, Process};

    use super::super::Listed;
    use super::*;

    fn at(rate: f64, streams: u32) -> Proposal {
        Proposal {
            name: rate.to_string(),
            sweep: None,
            load: Load {
                streams,
                shape: Shape::Open(Arrivals {
                    process: Process::Poisson,
                    segments: Arrivals::steady(rate),
                    max_outstanding: 100,
                    seed: 1,
                }),
                ..Load::default()
            },
            until: None,
            may_break: false,
            may_be_empty: true,
        }
    }

    /// The connections of the loads, where a response takes so many seconds alone; nothing where none comes.
    fn given(loads: Vec<Proposal>, alone: Option<f64>) -> Vec<u32> {
        let mut pooled = Pooled::new(Listed::new(loads), 10, 1_000);
        let look = pooled.next().unwrap();
        assert!(!look.load.shape.is_open() && look.load.connections == 1);
        assert_ne!(look.name, "400");
        let seen = alone.map(|seconds| {
            let mut load = LoadFacts::default();
            (0..9).for_each(|_| load.service.record((seconds * 1e9) as u64));
            load
        });
        assert!(!pooled.learn(seen.as_ref()), "a look is no result");
        std::iter::from_fn(|| pooled.next().map(|next| next.load.connections)).collect()
    }

    #[test]
    fn where_nothing_may_be_asked_beside_there_is_no_look() {
        let listed = Listed::new(vec![at(400.0, 1)]);
        let mut pooled = Pooled::new(listed, 10, 1_000).presuming(0.05);
        let first = pooled.next().unwrap().load;
        assert!(first.shape.is_open() && first.connections == 107);
        assert!(pooled.next().is_none());
    }

    #[test]
    fn a_rate_has_the_connections_that_it_keeps_busy() {
        // 4 x 400 x 0.05 = 80, and three times its root
        assert_eq!(given(vec![at(400.0, 1), at(1.0, 1)], Some(0.05)), [107, 10]);
        assert_eq!(given(vec![at(400.0, 10)], Some(0.05)), [11]);
        assert_eq!(given(vec![at(400.0, 1)], None), [1_000]);
    }
}
