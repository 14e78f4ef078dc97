//! The most that several loads of one URL got out of it.

use record::{LoadFacts, Outcome, Plan, Search, Trial};
use serde::Serialize;

use crate::Figure;
use crate::throughput::throughput;

/// The load with the highest throughput among those of one URL.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Peak {
    /// Its variant.
    pub variant: String,
    /// Requests per second; the interval is that of the median of the window's tenths.
    pub rate: Figure,
    /// Its connections.
    pub connections: u32,
}

/// The highest throughput: of a sweep that of any point, of a survey the capacity, which is that of the closed
/// loops without an error. Nothing for other plans.
pub(crate) fn peak(plan: &Plan, trials: &[Trial]) -> Option<Peak> {
    let swept = plan.search? == Search::Sweep;
    let of = trials.iter().filter_map(|trial| match &trial.outcome {
        Outcome::Measured(measured) if swept || is_sound(&measured.load) => Some(Peak {
            variant: trial.variant.clone(),
            rate: throughput(&measured.load),
            connections: measured.load.connections,
        }),
        _ => None,
    });
    of.reduce(|best, next| {
        if next.rate.value > best.rate.value {
            next
        } else {
            best
        }
    })
}

/// Whether a load tells of the capacity: it is a closed loop, and nothing in it failed.
fn is_sound(load: &LoadFacts) -> bool {
    !load.shape.is_open() && load.completed > 0 && load.failures() + load.timed_out == 0
}
