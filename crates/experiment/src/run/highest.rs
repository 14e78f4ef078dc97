//! A trial that looks for the highest rate at which its load's goal holds: it is the load at that rate.

use std::sync::atomic::{AtomicBool, Ordering};

use judge::{Threshold, thresholds};
use load::{Job, LoadError};
use observe::Seen;
use record::{Amount, Load, LoadFacts};

use crate::search::{Goal, Strategy as _};

/// Most connections that its rates may need.
const MOST: u32 = 1_024;

/// What came of a load.
type Applied = (LoadFacts, Seen);

/// What a load asks for, if it asks for that.
pub(super) fn goals(load: &Load) -> Option<Vec<Threshold>> {
    // whoever read the plan has read them
    thresholds(load.goal.as_ref()?).ok()
}

/// Applies loads, each as `apply` does, and gives the one at the highest rate at which all goals hold; or says why there is
/// none, as where the time was over before a rate near above it failed, or the load itself set the limit.
///
/// # Errors
/// As of `apply`.
pub(super) fn highest(
    job: &Job,
    goals: Vec<Threshold>,
    over: &AtomicBool,
    seed: u64,
    apply: &mut dyn FnMut(&Job) -> Result<Applied, LoadError>,
) -> Result<Result<Applied, String>, LoadError> {
    let base = Load {
        goal: None,
        ..job.load.clone()
    };
    let seconds = match base.amount {
        Amount::Seconds(seconds) => seconds,
        Amount::Requests(_) => 0.0,
    };
    let most = MOST.max(base.connections);
    let mut search = Goal::new(&base, goals, seconds, most, seed);
    // what held last at each rate, until there is a better one
    let mut held: Vec<(f64, Applied)> = Vec::new();
    while let Some(next) = search.next() {
        let job = Job {
            load: Load {
                tls: job.load.tls.clone(),
                ..next.load
            },
            ..job.clone()
        };
        let applied = apply(&job)?;
        search.learn(Some(&applied.0));
        held.extend(search.held_last().map(|rate| (rate, applied)));
        if over.load(Ordering::Relaxed) {
            break;
        }
    }
    let found = search.holds().filter(|_| search.is_bracketed());
    let best = held.into_iter().rfind(|(rate, _)| Some(*rate) == found);
    Ok(best.map(|(_, found)| found).ok_or_else(|| search.why_not()))
}
