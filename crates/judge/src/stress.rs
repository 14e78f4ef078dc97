//! What becomes of each variant under stress: one trial of each kind beside the usual ones.

use record::{Failure, LoadFacts, Measured, Metric, Outcome, Run, Stress, Trial};
use serde::Serialize;

use crate::latency::{at_least, quantile};
use crate::opinion::{Figure, VariantOpinion};

/// Below this share of its usual throughput, and above this share of errors, a variant has been felled: far beyond what
/// a trial differs from the next by.
const FELLED: (f64, f64) = (0.5, 0.01);

/// A variant under one kind of stress.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Stressed {
    /// What was added to the usual load.
    pub stress: Stress,
    /// The variant.
    pub variant: String,
    /// Correct responses per second.
    pub throughput: f64,
    /// The same over its usual throughput; absent where that is not known, or this machine failed.
    pub ratio: Option<f64>,
    /// Quantile of 0.99 of the response times in seconds, with the interval of its order statistics; absent with too few
    /// responses.
    pub p99: Option<Figure>,
    /// What it is at least, in seconds with 97.5 % confidence, where there are too few responses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p99_at_least: Option<f64>,
    /// Share of requests that failed or were not answered in time, 0 to 1; absent where there was no load.
    pub errors: Option<f64>,
    /// Responses with another body than they should have.
    pub wrong: u64,
    /// Seconds until correct responses came as before a fault, where the stress is one; at least so many, where it is
    /// not `back`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovery: Option<f64>,
    /// Whether they came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub back: Option<bool>,
    /// Whether a main process was killed that nobody had started again by the end of the load.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub gone: bool,
    /// Why there was no load, if so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// Whether it serves less than half of what it usually does, one request of a hundred fails, or it failed as a whole. What
    /// this machine refused weir is no failure of it.
    pub felled: bool,
}

/// Every variant under every stress that was measured, in the plan's order.
pub(crate) fn stressed(run: &Run, trials: &[Trial], variants: &[VariantOpinion]) -> Vec<Stressed> {
    let standing: Vec<&Trial> = crate::standing(trials).collect();
    let of = |block: u32, stress: Stress| {
        let standing = &standing;
        variants.iter().filter_map(move |variant| {
            let mut own = standing.iter();
            let trial = own.find(|of| of.block == block && of.variant == variant.name)?;
            Some(line(stress, variant, trial))
        })
    };
    let kinds = (run.plan.blocks..).zip(&run.plan.stress);
    kinds
        .flat_map(|(block, stress)| of(block, *stress))
        .collect()
}

fn line(stress: Stress, variant: &VariantOpinion, trial: &Trial) -> Stressed {
    let usual = variant.figures.get(&Metric::Throughput);
    let (load, failure) = facts(&trial.outcome);
    let throughput = load.map_or(0.0, LoadFacts::throughput);
    let is_ours = failure.is_some_and(|failure| failure.machine);
    let ratio = usual
        .filter(|_| !is_ours)
        .map(|usual| throughput / usual.value);
    let recovery = load.and_then(LoadFacts::recovery);
    let errors = load.and_then(LoadFacts::error_share);
    let less = ratio.is_some_and(|ratio| ratio < FELLED.0);
    let failing = errors.is_some_and(|errors| errors > FELLED.1);
    Stressed {
        stress,
        variant: variant.name.clone(),
        throughput,
        ratio,
        p99: load.and_then(|load| quantile(&load.response, 0.99)),
        p99_at_least: load.and_then(|load| at_least(&load.response, 0.99)),
        errors,
        wrong: load.map_or(0, LoadFacts::wrong_bodies),
        recovery: recovery.map(|of| of.seconds),
        back: recovery.map(|of| of.back),
        gone: load.is_some_and(|load| load.struck.iter().any(|of| of.gone)),
        failure: failure.map(|failure| failure.error.clone()),
        felled: less || failing || (failure.is_some() && !is_ours),
    }
}

fn facts(outcome: &Outcome) -> (Option<&LoadFacts>, Option<&Failure>) {
    match outcome {
        Outcome::Measured(measured) => {
            let Measured { load, .. } = &**measured;
            (Some(load), None)
        }
        Outcome::Failed(failure) => (None, Some(failure)),
    }
}
