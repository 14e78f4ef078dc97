//! The most that several loads of one URL got out of it.

use record::{LoadFacts, Outcome, Plan, Search, Trial};
use serde::Serialize;

use crate::Figure;
use crate::doubt::SATURATED;
use crate::throughput::throughput;

/// A load with so many times the throughput of the best before it gains something.
const GAIN: f64 = 1.02;

/// The load with the highest throughput among those of one URL.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Peak {
    /// Its variant.
    pub variant: String,
    /// Requests per second; the interval is that of the median of the window's tenths.
    pub rate: Figure,
    /// Its connections.
    pub connections: u32,
    /// Whether it is no capacity but the least that this is: a survey's last closed loop, which still gained.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub rising: bool,
    /// Whether the load generator was the bottleneck in a survey's best closed loop, so that the capacity is at least this.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub limited: bool,
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
            rising: false,
            limited: false,
        }),
        _ => None,
    });
    let peak = of.reduce(|best, next| {
        if next.rate.value > best.rate.value {
            next
        } else {
            best
        }
    })?;
    let survey = plan.search == Some(Search::Survey);
    let rising = survey && is_rising(&peak, trials);
    let limited = survey && is_limited(&peak, trials);
    Some(Peak {
        rising,
        limited,
        ..peak
    })
}

/// Whether no closed loop of a survey came after that one, and it gained over all before it.
fn is_rising(peak: &Peak, trials: &[Trial]) -> bool {
    let closed = trials.iter().filter_map(|trial| {
        let load = &trial.measured()?.load;
        (!load.shape.is_open()).then_some((trial.variant.as_str(), load))
    });
    let closed: Vec<_> = closed.collect();
    let Some(((last, _), before)) = closed.split_last() else {
        return false;
    };
    let before = before.iter().map(|(_, load)| throughput(load).value);
    *last == peak.variant && peak.rate.value > before.fold(0.0, f64::max) * GAIN
}

/// Whether the generator, and not the server, set that rate.
fn is_limited(peak: &Peak, trials: &[Trial]) -> bool {
    let mut own = trials.iter().filter(|trial| trial.variant == peak.variant);
    own.any(|trial| {
        let load = trial.measured().map(|measured| &measured.load);
        load.is_some_and(|load| load.engine.busiest >= SATURATED)
    })
}

/// Whether a load tells of the capacity: it is a closed loop, and each of its requests had a correct response.
fn is_sound(load: &LoadFacts) -> bool {
    !load.shape.is_open() && load.completed > 0 && load.lost() == 0
}
