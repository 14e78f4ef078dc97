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
