use std::time::Instant;

use judge::goal::{self, LEAST, NEAR, Tries};
use judge::{Threshold, keeps};
use record::{Amount, Arrivals, Load, LoadFacts, Process, Shape, WarmUpPlan, limits};

use super::{Proposal, Strategy};
use crate::run::app_times::pool;

/// Connections of the closed loop that says about how much the URL can.
const CONNECTIONS: u32 = 32;
/// Seconds of that, and most of what leads in to it.
const LOOK: f64 = 2.0;
/// Share of what a closed loop got at which rates begin, where the goal did not hold in it.
const BEGIN: f64 = 0.5;
/// How many times the rate the next is, as long as goals hold. A closed loop says nothing of where that ends: where
/// responses wait for something else than this server's work, few connections get little of what it can.
const UP: f64 = 2.0;
/// Responses of a window, where its length allows: of a thousand a 99th percentile is known.
const RESPONSES: f64 = 1_200.0;
/// Seconds of such a window, at least and at most.
const WINDOW: (f64, f64) = (2.0, 12.0);
/// Responses of any window, if that takes no longer than so many seconds: of fewer nothing says how long the 99th percentile is
/// at most (0.99^n < 0.025).
const FEWEST: f64 = 400.0;
const LONGEST: f64 = 60.0;
/// How many times a goal's time any window lasts, if that is no longer: a rate that is a twentieth too high makes a queue of as
/// long as that by its end.
const GOALS: f64 = 20.0;
/// Share of a window that leads in to it.
const WARM_UP: f64 = 0.1;

/// The highest rate at which goals hold: it doubles as long as they do, or is halved until they do; then it lies half-way
/// between one that holds and one that does not (on a scale of ratios), until these are near. What fails is tried once
/// more before it counts as failing, as a window may be disturbed, and what holds in the end is tried once more, too.
#[derive(Debug)]
pub struct Goal {
    base: Load,
    goals: Vec<Threshold>,
    /// Most connections.
    most: u32,
    seed: u64,
    began: Instant,
    /// Seconds after which no further load begins.
    seconds: f64,
    look: Option<Look>,
    /// What became of each rate.
    rates: Vec<(f64, Tries)>,
    /// The rate that is under way.
    rate: f64,
    /// Whether the goals held in the load before.
    kept: bool,
    /// Loads so far: each has arrivals of its own.
    loads: u32,
}

/// What a closed loop says before rates begin.
#[derive(Clone, Copy, Debug)]
struct Look {
    /// The rate with which they begin, in requests per second.
    begin: f64,
    /// Seconds of a response.
    alone: f64,
}

impl Goal {
    /// A search of about so many seconds, which begins now.
    pub fn new(base: &Load, goals: Vec<Threshold>, seconds: f64, most: u32, seed: u64) -> Self {
        Self {
            base: base.clone(),
            goals,
            most,
            seed,
            began: Instant::now(),
            seconds,
            look: None,
            rates: Vec::new(),
            rate: 0.0,
            kept: false,
            loads: 0,
        }
    }

    /// The highest rate that holds, and the lowest above it that does not.
    fn between(&self) -> (Option<f64>, Option<f64>) {
        goal::between(&self.rates)
    }

    /// The highest rate that holds, so far.
    pub(crate) fn holds(&self) -> Option<f64> {
        self.between().0
    }

    /// Whether the rate that holds is the highest one but for so little as a search leaves open, or twice that: without a
    /// rate near above it that does not, it is no capacity, and its ratio to another one says nothing.
    pub(crate) fn is_bracketed(&self) -> bool {
        let (held, missed) = self.between();
        held.zip(missed)
            .is_some_and(|(held, missed)| missed / held <= NEAR * NEAR)
    }

    /// The rate that was tried last, if the goals held in that load.
    pub(crate) fn held_last(&self) -> Option<f64> {
        self.kept.then_some(self.rate)
    }

    fn tries(&self, rate: f64) -> Tries {
        let mut rates = self.rates.iter();
        let known = rates.find(|(of, _)| of.total_cmp(&rate).is_eq());
        known.map_or_else(Tries::default, |(_, tries)| *tries)
    }

    /// The next rate; none where there is no better answer.
    fn next_rate(&self, begin: f64) -> Option<f64> {
        let undecided = |(_, tries): &&(f64, Tries)| !tries.hold() && !tries.fail();
        if let Some((rate, _)) = self.rates.iter().find(undecided) {
            return Some(*rate);
        }
        match self.between() {
            (None, None) => Some(begin.max(LEAST)),
            (Some(held), None) => Some(held * UP).filter(|rate| *rate <= limits::RATE),
            (None, Some(missed)) => Some(missed / 2.0).filter(|rate| *rate >= LEAST),
            (Some(held), Some(missed)) if missed / held > NEAR => Some((held * missed).sqrt()),
            (Some(held), Some(_)) => Some(held).filter(|held| self.tries(*held).held < 2),
        }
    }

    fn closed(&self) -> Proposal {
        let load = Load {
            connections: CONNECTIONS.min(self.most),
            amount: Amount::Seconds(LOOK),
            warm_up: WarmUpPlan::Stationary(LOOK),
            ..self.base.clone()
        };
        self.proposal(format!("{} connections", load.connections), load)
    }

    fn open(&self, rate: f64, alone: f64) -> Proposal {
        let length = (RESPONSES / rate).clamp(WINDOW.0, WINDOW.1);
        let times = self.goals.iter().filter_map(Threshold::seconds);
        let least = times.fold(FEWEST / rate, |most, goal| most.max(GOALS * goal));
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
        let decimals = match rate {
            rate if rate < 10.0 => 2,
            rate if rate < 100.0 => 1,
            _ => 0,
        };
        let tries = self.tries(rate);
        let again = match tries.held + tries.missed {
            0 => "",
            1 => ", again",
            _ => ", once more",
        };
        format!("{rate:.decimals$} req/s{again}")
    }

    fn proposal(&self, name: String, load: Load) -> Proposal {
        Proposal {
            name,
            sweep: None,
            load,
            until: None,
            // a rate at which everything fails is an answer
            may_break: self.look.is_some(),
            may_be_empty: self.look.is_some(),
        }
    }
}

impl Strategy for Goal {
    fn next(&mut self) -> Option<Proposal> {
        self.loads += 1;
        let Some(look) = self.look else {
            return (self.loads == 1).then(|| self.closed());
        };
        // one rate at least is tried: the closed loop is no answer
        if !self.rates.is_empty() && self.began.elapsed().as_secs_f64() > self.seconds {
            return None;
        }
        self.rate = self.next_rate(look.begin)?;
        Some(self.open(self.rate, look.alone))
    }

    /// The closed loop is not kept: it asks when it was answered, so that what it gets is no rate at which goals hold.
    fn learn(&mut self, load: Option<&LoadFacts>) -> bool {
        self.kept = false;
        let Some(load) = load else { return false };
        let kept = keeps(load, &self.goals).is_ok();
        if self.look.is_none() {
            let alone = load.service.quantile(0.5);
            let share = if kept { 1.0 } else { BEGIN };
            self.look = alone.filter(|_| load.completed > 0).map(|alone| Look {
                begin: share * load.throughput(),
                alone,
            });
            return false;
        }
        self.kept = kept;
        goal::note(&mut self.rates, self.rate, kept);
        true
    }
}

#[cfg(test)]
mod tests;
