use std::collections::BTreeMap;

use record::Metric;
use serde::Serialize;

use crate::doubt::{Doubt, DoubtKind};

/// One trial as the judge sees it.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct TrialOpinion {
    /// Block, 0-based.
    pub block: u32,
    /// The variant's name.
    pub variant: String,
    /// Second half of the A/A pair.
    pub again: bool,
    /// The group of its block that it was in, where not all variants fit at the same time.
    #[serde(skip_serializing_if = "is_zero")]
    pub group: u32,
    /// How often its place in the block was tried before.
    #[serde(skip_serializing_if = "is_zero")]
    pub attempt: u32,
    /// Whether it was put aside and taken again: the attempt after it stands in its place.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub taken_again: bool,
    /// Whether it enters figures, comparisons and claims.
    pub counts: bool,
    /// Its figures (no intervals: it is one trial).
    pub figures: BTreeMap<Metric, f64>,
    /// Why to doubt it.
    pub doubts: Vec<Doubt>,
    /// Why it has no facts, if it failed.
    pub failure: Option<String>,
}

impl TrialOpinion {
    /// Whether its facts say where the time went, so that findings rest on it: what keeps it out of figures, if anything does, is the
    /// stack's own failures, or that the generator was the bottleneck, which is a finding.
    pub fn tells_of_the_stack(&self) -> bool {
        let tells =
            |of: &Doubt| of.kind.rule().errors_decide || of.kind == DoubtKind::GeneratorSaturated;
        let mut grave = self.doubts.iter().filter(|of| of.disqualifies);
        self.failure.is_none() && !self.taken_again && grave.all(tells)
    }

    /// The same of a trial in whose place a later attempt stands, if it `is` one.
    pub(crate) fn taken_again(self, is: bool) -> Self {
        Self {
            taken_again: is,
            counts: self.counts && !is,
            ..self
        }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// Trials of a variant that were put aside and taken again, for one reason.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct TakenAgain {
    /// The doubt that put them aside; `None` when they were lost.
    pub doubt: Option<DoubtKind>,
    /// The facts of the first of them, one line.
    pub because: String,
    /// How many.
    pub trials: u32,
}
