use std::time::Instant;

use judge::{Threshold, keeps};
use record::{Amount, Arrivals, Load, LoadFacts, Process, Shape, WarmUpPlan};

use super::{Proposal, Strategy};
use crate::run::app_times::pool;

/// Connections of the closed loop that says about how much the URL can.
const CONNECTIONS: u32 = 32;
/// Seconds of that, and most of what leads in to it.
const LOOK: f64 = 2.0;
/// Share of what a closed loop got at which rates begin.
const BEGIN: f64 = 0.5;
/// How many times the rate the next is, as long as goals hold.
const UP: f64 = 1.25;
/// How many times as much as a closed loop got is tried at most: it had few connections.
const MOST: f64 = 4.0;
/// Lowest rate that is tried.
const LEAST: f64 = 1.0;
/// A rate that holds and one that does not are near enough when they are so many times apart.
const NEAR: f64 = 1.05;
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

/// The highest rate at which goals hold: it grows by a quarter as long as they do, or is halved until they do; then it lies
/// half-way between one that holds and one that does not (on a scale of ratios), until these are near. The one that holds is then tried once more.
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
    /// What a closed loop got: requests per second, and seconds of a response.
    look: Option<(f64, f64)>,
    held: Vec<f64>,
    missed: Vec<f64>,
    /// The rate that is under way.
    rate: f64,
    /// Rates that held twice.
    again: Vec<f64>,
    /// Loads so far: each has arrivals of its own.
    loads: u32,
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
            held: Vec::new(),
            missed: Vec::new(),
            rate: 0.0,
            again: Vec::new(),
            loads: 0,
        }
    }

    /// The highest rate that holds, below any that does not, and the lowest that does not.
    fn between(&self) -> (Option<f64>, Option<f64>) {
        let missed = self.missed.iter().copied().reduce(f64::min);
        let below = |rate: &f64| missed.is_none_or(|missed| *rate < missed);
        let held = self.held.iter().copied().filter(below).reduce(f64::max);
        (held, missed)
    }

    /// The highest rate that holds, so far.
    pub(crate) fn holds(&self) -> Option<f64> {
        self.between().0
    }

    /// The rate that was tried last.
    pub(crate) fn rate(&self) -> f64 {
        self.rate
    }

    /// The next rate; none where there is no better answer.
    fn next_rate(&self, capacity: f64) -> Option<f64> {
        match self.between() {
            (None, None) => Some((BEGIN * capacity).max(LEAST)),
            (Some(held), None) => Some(held * UP).filter(|rate| *rate <= MOST * capacity),
            (None, Some(missed)) => Some(missed / 2.0).filter(|rate| *rate >= LEAST),
            (Some(held), Some(missed)) if missed / held > NEAR => Some((held * missed).sqrt()),
            (Some(held), Some(_)) => Some(held).filter(|held| !self.again.contains(held)),
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

    /// Unique: a rate is tried twice at most, and others are 2 % away and more.
    fn name(&self, rate: f64) -> String {
        let decimals = match rate {
            rate if rate < 10.0 => 2,
            rate if rate < 100.0 => 1,
            _ => 0,
        };
        let again = if self.held.contains(&rate) {
            ", again"
        } else {
            ""
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
        let Some((capacity, alone)) = self.look else {
            return (self.loads == 1).then(|| self.closed());
        };
        if self.began.elapsed().as_secs_f64() > self.seconds {
            return None;
        }
        self.rate = self.next_rate(capacity)?;
        Some(self.open(self.rate, alone))
    }

    fn learn(&mut self, load: Option<&LoadFacts>) -> bool {
        let Some(load) = load else { return false };
        if self.look.is_none() {
            let alone = load.service.quantile(0.5);
            self.look = alone
                .filter(|_| load.completed > 0)
                .map(|alone| (load.throughput(), alone));
            return true;
        }
        match keeps(load, &self.goals) {
            Err(_) => self.missed.push(self.rate),
            Ok(()) if self.held.contains(&self.rate) => self.again.push(self.rate),
            Ok(()) => self.held.push(self.rate),
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server whose responses take 10 ms up to a rate, and 100 ms beyond it.
    fn answered(load: &Load, most: f64) -> LoadFacts {
        let rate = load.shape.arrivals().map(Arrivals::highest_rate);
        let slow = rate.is_some_and(|rate| rate > most);
        let seconds = match load.amount {
            Amount::Seconds(seconds) => seconds,
            Amount::Requests(_) => panic!("a window of time"),
        };
        let completed = (rate.unwrap_or(2.0 * most) * seconds) as u64;
        let mut facts = LoadFacts {
            seconds,
            scheduled: completed,
            completed,
            connections: load.connections,
            offered: rate,
            shape: load.shape.clone(),
            statuses: [(200, completed)].into(),
            ..LoadFacts::default()
        };
        for _ in 0..completed {
            let time = if slow { 100_000_000 } else { 10_000_000 };
            facts.response.record(time);
            facts.service.record(time);
        }
        facts
    }

    fn goals(text: &str) -> Vec<Threshold> {
        judge::thresholds(text).unwrap()
    }

    /// The rates that are tried, and between which the search ends.
    fn searched(most: f64, goal: &str) -> (Vec<f64>, (Option<f64>, Option<f64>)) {
        let mut search = Goal::new(&Load::default(), goals(goal), 1e6, 1_000, 1);
        let mut rates = Vec::new();
        while let Some(next) = search.next() {
            rates.extend(next.load.shape.arrivals().map(Arrivals::highest_rate));
            let facts = answered(&next.load, most);
            assert!(search.learn(Some(&facts)));
            assert!(rates.len() < 40, "{rates:?}");
        }
        (rates, search.between())
    }

    #[test]
    fn it_ends_near_the_rate_beyond_which_the_goal_is_missed() {
        for most in [30.0, 300.0, 4_000.0] {
            let (rates, (held, missed)) = searched(most, "p99 < 50ms");
            let (held, missed) = (held.unwrap(), missed.unwrap());
            assert!(
                held <= most && most < missed && missed / held <= NEAR,
                "{most}: {rates:?}"
            );
            assert_eq!(
                rates
                    .iter()
                    .filter(|rate| (**rate - held).abs() < 1e-9)
                    .count(),
                2,
                "{rates:?}"
            );
        }
    }

    #[test]
    fn a_goal_that_never_holds_or_always_does_ends_the_search() {
        let (rates, found) = searched(100.0, "p99 < 1ms");
        assert_eq!(found.0, None);
        assert!(rates.last().unwrap() / 2.0 < LEAST, "{rates:?}");
        let (rates, found) = searched(100.0, "p99 < 1s");
        assert_eq!(found.1, None);
        assert!(rates.last().unwrap() * UP > MOST * 200.0, "{rates:?}");
    }
}
