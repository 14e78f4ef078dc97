//! What each change between two variants does.

use record::{Change, Metric};
use serde::Serialize;

use crate::compare::paired;
use crate::opinion::Comparison;
use crate::seen_run::SeenRun;

/// A change, and what it does to the metric by which variants are compared.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Effect {
    /// The variant that has it.
    pub variant: String,
    /// What is changed, and of which variant.
    #[serde(flatten)]
    pub change: Change,
    /// The variant against that one.
    pub comparison: Comparison,
}

/// The effects of all changes of which both sides were measured, in the plan's order.
pub(crate) fn effects(seen_run: &SeenRun, metric: Metric) -> Vec<Effect> {
    let variants = seen_run.run.plan.variants.iter();
    let effect = variants.filter_map(|variant| {
        let change = variant.change.clone()?;
        Some(Effect {
            comparison: paired(seen_run, &variant.name, &change.from, metric)?,
            variant: variant.name.clone(),
            change,
        })
    });
    effect.collect()
}
