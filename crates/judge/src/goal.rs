//! The highest rate at which a goal holds.

mod kept;
mod tries;

use record::{Run, RunStatus, Search, Trial};
use serde::Serialize;

pub use kept::{Kept, keeps};
pub use tries::{Tries, between, limit, note};

use crate::threshold::{Threshold, thresholds};

/// A rate that holds and one that does not are near enough when they are so many times apart.
pub const NEAR: f64 = 1.05;

/// The lowest rate that is tried, in requests per second.
pub const LEAST: f64 = 1.0;

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
    /// The rate between the two, or above the one that holds, at which it could not be told whether they hold, as the load itself
    /// set the limit: they hold up to the lower rate at least. Absent where they are known not to hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
    /// Seconds that the search had, where they were over before the two were within 5 %.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<f64>,
    /// What was measured there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// Every rate that was tried, from the lowest on.
    pub tried: Vec<Tried>,
}

/// A rate that was tried.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Tried {
    /// Requests per second.
    pub rate: f64,
    /// What its windows say of the goals.
    pub windows: Tries,
    /// What the last of its windows in which the goals did not hold lacked; absent where the windows decide the rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
}

/// A rate at which windows say nothing of the server.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Limit {
    /// Requests per second.
    pub rate: f64,
    /// Why.
    pub because: String,
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
        let measured = &trial.measured()?.load;
        // what was ended before its time is no try
        (!kept::was_interrupted(measured)).then(|| (rate, keeps(measured, &goals)))
    });
    let loads: Vec<(f64, Kept)> = loads.collect();
    let mut rates = Vec::new();
    for (rate, kept) in &loads {
        note(&mut rates, *rate, kept);
    }
    let (holds, misses) = between(&rates);
    let limit = limit(&rates).map(|rate| Limit {
        rate,
        because: last(&loads, rate, Kept::unknown).unwrap_or_default(),
    });
    // of a rate that was missed in one window too it is told why the search did not go on from there
    let ended = misses.or_else(|| rates.last().map(|(rate, _)| *rate));
    let because = ended.and_then(|ended| last(&loads, ended, Kept::why));
    let above = limit.as_ref().map(|of| of.rate).or(misses);
    rates.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let tried = rates.into_iter().map(|(rate, windows)| Tried {
        rate,
        windows,
        because: last(&loads, rate, Kept::why).filter(|_| !windows.decide()),
    });
    Some(Reached {
        goals: plan.goals.clone(),
        holds,
        misses,
        limit,
        cut: plan
            .budget
            .filter(|_| run.status == RunStatus::Finished && !is_whole(holds, above)),
        because,
        tried: tried.collect(),
    })
}

/// What the last window at a rate that says this of it does say.
fn last(loads: &[(f64, Kept)], rate: f64, of: fn(&Kept) -> Option<&str>) -> Option<String> {
    let there = loads.iter().rev();
    let mut there = there.filter(|(tried, _)| tried.total_cmp(&rate).is_eq());
    there.find_map(|(_, kept)| of(kept)).map(str::to_owned)
}

/// Whether a search ends by itself with this rate that holds and this one above it, which does not, or at which nothing could be
/// told.
fn is_whole(holds: Option<f64>, above: Option<f64>) -> bool {
    match (holds, above) {
        (Some(holds), Some(above)) => above / holds <= NEAR * (1.0 + 1e-9),
        (None, Some(above)) => above < 2.0 * LEAST,
        (_, None) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_is_whole_where_there_is_no_better_answer() {
        assert!(is_whole(Some(100.0), Some(105.0)));
        assert!(!is_whole(Some(100.0), Some(110.0)));
        assert!(!is_whole(Some(100.0), None));
        assert!(is_whole(None, Some(1.5)));
        assert!(!is_whole(None, Some(40.0)));
    }
}
