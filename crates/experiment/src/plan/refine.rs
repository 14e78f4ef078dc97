//! What a plan file says of points that a run adds to its sweeps.

use record::{Plan, Refine, Variant};

use crate::plan::file::VariantTable;
use crate::search::refine::point;

/// What its variants say, each thing once.
pub(crate) fn wished(variants: &[VariantTable]) -> Vec<Refine> {
    let mut all: Vec<Refine> = Vec::new();
    for refine in variants.iter().flat_map(|variant| &variant.refine) {
        if !all.contains(refine) {
            all.push(refine.clone());
        }
    }
    all
}

/// The first sweep to which no points can be added along its key: a variant that is set to the level
/// that it has would be another one then.
pub(crate) fn impossible(plan: &Plan) -> Option<&Refine> {
    plan.refine.iter().find(|refine| {
        let mut variants = plan.variants.iter();
        !variants.all(|variant| !is_of(variant, refine) || stays(plan, variant, refine))
    })
}

fn is_of(variant: &Variant, refine: &Refine) -> bool {
    let sweep = variant.sweep.as_ref();
    sweep.is_some_and(|sweep| sweep.family == refine.family)
}

fn stays(plan: &Plan, variant: &Variant, refine: &Refine) -> bool {
    let mut levels = variant.sweep.iter().flat_map(|sweep| &sweep.levels);
    let level = levels.find(|of| of.factor == refine.factor);
    let level = level.and_then(|of| of.number).map(|number| number as i64);
    let again = level.and_then(|level| point(plan, variant, refine, level));
    again.is_some_and(|again| {
        let programs = again.server == variant.server && again.fronts == variant.fronts;
        programs && again.name == variant.name && plan.load_of(&again) == plan.load_of(variant)
    })
}
