//! The loads of a search for a rate.

use judge::Threshold;
use record::{Amount, Arrivals, Load, Process, Shape, WarmUpPlan, limits, units};

use super::Goal;
use crate::run::app_times::pool;
use crate::search::Proposal;

/// Connections of the closed loop that says about how much the URL can.
const CONNECTIONS: u32 = 32;
/// Seconds of that, and most of what leads in to it.
pub(super) const LOOK: f64 = 2.0;
/// Responses of a window, where its length allows: of a thousand a 99th percentile is known.
const RESPONSES: f64 = 1_200.0;
/// Seconds of such a window, at least and at most.
const WINDOW: (f64, f64) = (2.0, 12.0);
/// Responses of any window, if that takes no longer than so many seconds: of fewer nothing says how long the 99th percentile is
/// at most (0.99^n < 0.025).
const FEWEST: f64 = 400.0;
/// How many times as many as a goal about a rarer quantile needs: arrivals at random are some more or fewer.
const SPARE: f64 = 1.08;
const LONGEST: f64 = 60.0;
/// How many times a goal's time any window lasts, if that is no longer: a rate that is a twentieth too high makes a queue of as
/// long as that by its end.
const GOALS: f64 = 20.0;
/// Share of a window that leads in to it.
const WARM_UP: f64 = 0.1;

impl Goal {
    /// The closed loop, of so many seconds. If it is not the first one, what is under way at its end is waited for, as nothing else
    /// says how long the next one must be.
    pub(super) fn closed(&self, seconds: f64) -> Proposal {
        let patience = self.seconds.min(self.base.timeout).max(LOOK);
        let patience = Some(patience).filter(|_| self.loads > 1);
        let load = Load {
            connections: CONNECTIONS.min(self.most),
            amount: Amount::Seconds(seconds),
            warm_up: WarmUpPlan::Stationary(seconds.min(limits::TIME)),
            drain: self.base.drain.or(patience),
            ..self.base.clone()
        };
        self.proposal(format!("{} connections", load.connections), load)
    }

    /// A rate, where a response takes so many seconds.
    pub(super) fn open(&self, rate: f64, alone: f64) -> Proposal {
        let length = (RESPONSES / rate).clamp(WINDOW.0, WINDOW.1);
        let needed = self.goals.iter().filter_map(Threshold::fewest);
        let fewest = needed.fold(FEWEST, |most, needed| most.max(SPARE * needed));
        let times = self.goals.iter().filter_map(Threshold::seconds);
        let least = times.fold(fewest / rate, |most, goal| most.max(GOALS * goal));
        let length = length.max(least.min(LONGEST));
        let mut load = Load {
            connections: pool(rate, alone).clamp(CONNECTIONS.min(self.most), self.most),
            amount: Amount::Seconds(length),
            warm_up: WarmUpPlan::Seconds(length * WARM_UP),
            shape: Shape::Open(Arrivals {
                process: Process::Poisson,
                segments: Arrivals::steady(rate),
                max_outstanding: Arrivals::MAX_OUTSTANDING,
                seed: self.seed.wrapping_add(u64::from(self.loads)),
            }),
            ..self.base.clone()
        };
        load.make_room();
        self.proposal(self.name(rate), load)
    }

    /// Unique: each try of a rate has its own, and other rates are 2 % away and more.
    fn name(&self, rate: f64) -> String {
        let again = match self.tries(rate).all() {
            0 => String::new(),
            1 => ", again".to_owned(),
            2 => ", once more".to_owned(),
            tries => format!(", try {}", tries + 1),
        };
        format!("{}{again}", units::rate(rate))
    }

    fn proposal(&self, name: String, load: Load) -> Proposal {
        // a rate at which everything fails is an answer, and a closed loop in which nothing comes is done again
        let is_tried = self.look.is_some();
        let again = self.loads == 1 && LOOK < self.seconds;
        Proposal {
            name,
            sweep: None,
            load,
            until: None,
            may_break: is_tried || again,
            may_be_empty: is_tried,
        }
    }
}
