//! The highest rate at which a goal holds.

use record::{LoadFacts, Run, RunStatus, Search, Trial};
use serde::Serialize;

use crate::doubts;
use crate::threshold::{Crossed, Threshold, thresholds};

/// A rate that holds and one that does not are near enough when they are so many times apart.
pub const NEAR: f64 = 1.05;

/// The lowest rate that is tried, in requests per second.
pub const LEAST: f64 = 1.0;

/// The windows at one rate in which goals held, and in which they did not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tries {
    /// Windows in which all held.
    pub held: u32,
    /// Windows in which one did not.
    pub missed: u32,
}

impl Tries {
    /// Another window.
    pub const fn add(&mut self, held: bool) {
        if held {
            self.held += 1;
        } else {
            self.missed += 1;
        }
    }

    /// One window may have been disturbed: it takes two, and more than held.
    pub const fn fail(self) -> bool {
        self.missed > 1 && self.missed > self.held
    }

    /// It held in a window, and does not fail.
    pub const fn hold(self) -> bool {
        self.held > 0 && !self.fail()
    }
}

/// The highest of these rates that holds, and the lowest above it that fails.
pub fn between(rates: &[(f64, Tries)]) -> (Option<f64>, Option<f64>) {
    let those = |of: fn(Tries) -> bool| {
        let those = rates.iter().filter(move |(_, tries)| of(*tries));
        those.map(|(rate, _)| *rate)
    };
    let holds = those(Tries::hold).reduce(f64::max);
    let above = |rate: &f64| holds.is_none_or(|holds| *rate > holds);
    let misses = those(Tries::fail).filter(above).reduce(f64::min);
    (holds, misses)
}

/// Notes a window at a rate.
pub fn note(rates: &mut Vec<(f64, Tries)>, rate: f64, held: bool) {
    let known = rates.iter().position(|(of, _)| of.total_cmp(&rate).is_eq());
    let at = known.unwrap_or_else(|| {
        rates.push((rate, Tries::default()));
        rates.len() - 1
    });
    rates[at].1.add(held);
}

/// How far goals hold as the rate grows.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Reached {
    /// The goals, as they were written.
    pub goals: Vec<String>,
    /// The highest rate in requests per second at which all held; absent where they held at none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holds: Option<f64>,
    /// The lowest rate above that at which one did not hold, in two windows and in more than it did; absent where there was
    /// none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub misses: Option<f64>,
    /// Seconds that the search had, where they were over before the two were within 5 %.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<f64>,
    /// What was measured there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
}

/// Whether a load keeps to all goals: conditions that have to hold, as thresholds are conditions that must not.
///
/// # Errors
/// The first that does not, and what was measured; or why its figures cannot be trusted.
pub fn keeps(load: &LoadFacts, goals: &[Threshold]) -> Result<(), String> {
    let doubts = doubts(load);
    for goal in goals {
        let result = goal.decide(load, &doubts);
        if result.crossed != Crossed::Yes {
            return Err(format!("`{}`: {}", result.text, result.because));
        }
    }
    match doubts.iter().find(|doubt| doubt.disqualifies) {
        Some(doubt) => Err(doubt.because.clone()),
        None => Ok(()),
    }
}

/// How far the goals of a run hold, where it looked for that.
pub(crate) fn reached(run: &Run, trials: &[Trial]) -> Option<Reached> {
    let plan = &run.plan;
    if plan.search != Some(Search::Goal) {
        return None;
    }
    let goals: Vec<Threshold> = plan
        .goals
        .iter()
        .flat_map(|of| thresholds(of))
        .flatten()
        .collect();
    let loads = trials.iter().filter_map(|trial| {
        let load = plan.load_of(plan.variant(&trial.variant)?);
        let rate = load.shape.arrivals()?.highest_rate();
        Some((rate, keeps(&trial.measured()?.load, &goals)))
    });
    let loads: Vec<(f64, Result<(), String>)> = loads.collect();
    let mut rates = Vec::new();
    for (rate, kept) in &loads {
        note(&mut rates, *rate, kept.is_ok());
    }
    let (holds, misses) = between(&rates);
    // of a rate that was missed in one window too it is told why the search did not go on from there
    let tried = misses.or_else(|| rates.last().map(|(rate, _)| *rate));
    let because = loads.iter().rev().find_map(|(rate, kept)| {
        let there = tried.is_some_and(|tried| tried.total_cmp(rate).is_eq());
        kept.as_ref().err().filter(|_| there)
    });
    Some(Reached {
        goals: plan.goals.clone(),
        holds,
        misses,
        cut: plan
            .budget
            .filter(|_| run.status == RunStatus::Finished && !is_whole(holds, misses)),
        because: because.cloned(),
    })
}

/// Whether a search ends there by itself.
fn is_whole(holds: Option<f64>, misses: Option<f64>) -> bool {
    match (holds, misses) {
        (Some(holds), Some(misses)) => misses / holds <= NEAR * (1.0 + 1e-9),
        (None, Some(misses)) => misses < 2.0 * LEAST,
        (_, None) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rates(windows: &[(f64, bool)]) -> Vec<(f64, Tries)> {
        let mut rates = Vec::new();
        for (rate, held) in windows {
            note(&mut rates, *rate, *held);
        }
        rates
    }

    #[test]
    fn one_window_in_which_a_goal_was_missed_decides_nothing() {
        let once = [(100.0, true), (150.0, false), (200.0, true)];
        assert_eq!(between(&rates(&once)), (Some(200.0), None));
        let twice = [(100.0, true), (150.0, false), (150.0, false)];
        assert_eq!(between(&rates(&twice)), (Some(100.0), Some(150.0)));
        let again = [(150.0, false), (150.0, true), (150.0, false), (150.0, true)];
        assert_eq!(between(&rates(&again)), (Some(150.0), None));
    }

    #[test]
    fn the_answer_is_no_lower_than_a_rate_that_holds() {
        let windows = [(90.0, false), (90.0, false), (100.0, true), (120.0, false)];
        assert_eq!(between(&rates(&windows)), (Some(100.0), None));
        let missed = [&windows[..], &[(120.0, false)]].concat();
        assert_eq!(between(&rates(&missed)), (Some(100.0), Some(120.0)));
    }

    #[test]
    fn a_search_is_whole_where_there_is_no_better_answer() {
        assert!(is_whole(Some(100.0), Some(105.0)));
        assert!(!is_whole(Some(100.0), Some(110.0)));
        assert!(!is_whole(Some(100.0), None));
        assert!(is_whole(None, Some(1.5)));
        assert!(!is_whole(None, Some(40.0)));
    }
}
