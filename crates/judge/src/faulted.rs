//! What a fault costs: how long until a stack is back, and what is lost until then.

use record::{Cause, LoadFacts, Recovery, Run, Struck, Trial};
use serde::Serialize;

/// A variant whose load has faults, over its trials that were struck.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Faulted {
    /// The variant.
    pub variant: String,
    /// The faults of a trial, in order.
    pub faults: Vec<Struck>,
    /// Trials that were struck.
    pub trials: u32,
    /// Median of the seconds until correct responses came as before, and the least and most; absent where nothing was
    /// answered before the fault.
    pub recovery: Option<[f64; 3]>,
    /// Trials in which they never did: their seconds are what was left of the window.
    pub never: u32,
    /// Median share of requests that failed or were not answered in time, and the least and most; 0 to 1.
    pub lost: [f64; 3],
    /// Responses with another body than they should have, of all trials.
    pub wrong: u64,
}

/// Each variant that was struck, in the plan's order.
pub(crate) fn faulted(run: &Run, trials: &[Trial]) -> Vec<Faulted> {
    let variants = run.plan.variants.iter();
    variants
        .filter_map(|variant| {
            let own = crate::standing(trials).filter(|of| of.variant == variant.name);
            let own = own.filter(|of| run.plan.stress_in(of.block).is_none());
            let loads = own.filter_map(|of| Some(&of.measured()?.load));
            let loads: Vec<_> = loads.filter(|load| !load.struck.is_empty()).collect();
            of_variant(&variant.name, &loads)
        })
        .collect()
}

fn of_variant(variant: &str, loads: &[&LoadFacts]) -> Option<Faulted> {
    let faults = loads.first()?.struck.clone();
    let lost: Vec<f64> = loads.iter().filter_map(|load| load.error_share()).collect();
    let recoveries: Vec<Recovery> = loads.iter().filter_map(|load| load.recovery()).collect();
    let seconds: Vec<f64> = recoveries.iter().map(|of| of.seconds).collect();
    let wrong = [Cause::Body, Cause::Check, Cause::Malformed];
    let wrong =
        |load: &&LoadFacts| -> u64 { wrong.iter().filter_map(|of| load.failed.get(of)).sum() };
    Some(Faulted {
        variant: variant.to_owned(),
        faults,
        trials: loads.len() as u32,
        recovery: spread(&seconds),
        never: recoveries.iter().filter(|of| !of.back).count() as u32,
        lost: spread(&lost)?,
        wrong: loads.iter().map(wrong).sum(),
    })
}

/// Median, least and most.
fn spread(values: &[f64]) -> Option<[f64; 3]> {
    let least = values.iter().copied().reduce(f64::min)?;
    let most = values.iter().copied().reduce(f64::max)?;
    Some([stats::median(values)?, least, most])
}
