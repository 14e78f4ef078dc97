//! The highest rate at which a goal holds.

use record::{LoadFacts, Run, Search, Trial};
use serde::Serialize;

use crate::doubts;
use crate::threshold::{Crossed, Threshold, thresholds};

/// How far goals hold as the rate grows.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Reached {
    /// The goals, as they were written.
    pub goals: Vec<String>,
    /// The highest rate in requests per second at which all held each time, below any at which one did not; absent where they
    /// held at none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holds: Option<f64>,
    /// The lowest rate at which one did not hold; absent where they held at each that was tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub misses: Option<f64>,
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
    let missed = loads
        .iter()
        .filter_map(|(rate, kept)| Some((*rate, kept.as_ref().err()?)));
    let missed = missed.min_by(|(one, _), (other, _)| one.total_cmp(other));
    let below = missed.map_or(f64::INFINITY, |(rate, _)| rate);
    let held = loads
        .iter()
        .filter(|(rate, kept)| kept.is_ok() && *rate < below);
    Some(Reached {
        goals: plan.goals.clone(),
        holds: held.map(|(rate, _)| *rate).reduce(f64::max),
        misses: missed.map(|(rate, _)| rate),
        because: missed.map(|(_, because)| because.clone()),
    })
}
