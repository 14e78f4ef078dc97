//! How even the machine's own speed was from trial to trial.

use record::Trial;
use serde::Serialize;

/// Trials from which on it is told.
const TRIALS: usize = 4;

/// How fast the cores were while nothing of weir's ran, before trials.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Pace {
    /// Where they were slowest, as a share of where they were fastest: above 0, at most 1.
    pub lowest: f64,
    /// Trials before which that was seen.
    pub trials: usize,
}

/// `None` where it was seen before too few trials.
pub(crate) fn pace(trials: &[Trial]) -> Option<Pace> {
    let seen = trials
        .iter()
        .filter_map(|trial| trial.measured()?.observed.pace);
    let seen: Vec<f64> = seen.filter(|pace| *pace > 0.0).collect();
    let lowest = seen.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = seen.iter().copied().fold(0.0, f64::max);
    (seen.len() >= TRIALS).then_some(Pace {
        lowest: lowest / highest,
        trials: seen.len(),
    })
}
