//! Reasons not to trust a trial, each computed from its facts, with its numbers and a next step.
//!
//! The rules are fixed here, before any result is seen; nobody is asked whether a trial is liked.

mod answers;
mod machine;
mod window;

use record::{Measured, Metric, Run};

use crate::opinion::{Doubt, DoubtKind};

/// What a doubt may be computed from.
pub(crate) struct Evidence<'a> {
    pub(crate) run: &'a Run,
    pub(crate) stage: &'a str,
    pub(crate) measured: &'a Measured,
    /// Quantile metrics that somebody will look at: the median, and those that claims name.
    pub(crate) asked: &'a [Metric],
}

/// Every doubt about a trial, the disqualifying ones first.
pub(crate) fn all(evidence: &Evidence) -> Vec<Doubt> {
    let rules = [
        answers::accounting,
        answers::differed,
        answers::errors,
        answers::warm_up,
        machine::generator_saturated,
        machine::stolen_cpu,
        window::littles_law,
        window::short,
        window::too_few_samples,
    ];
    let mut doubts: Vec<Doubt> = rules.iter().filter_map(|rule| rule(evidence)).collect();
    doubts.sort_by_key(|doubt| !doubt.disqualifies);
    doubts
}

/// A doubt that keeps the trial out of figures and verdicts if `disqualifies`.
fn doubt(kind: DoubtKind, disqualifies: bool, because: String, advice: &str) -> Doubt {
    Doubt {
        kind,
        disqualifies,
        because,
        advice: advice.to_owned(),
    }
}
