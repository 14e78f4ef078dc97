//! What a plan file says of points that a run adds to its sweeps.

use record::{Plan, Refine, Stage};

use crate::plan::file::StageTable;
use crate::search::refine::point;

/// What its stages say, each thing once.
pub(crate) fn wished(stages: &[StageTable]) -> Vec<Refine> {
    let mut all: Vec<Refine> = Vec::new();
    for refine in stages.iter().flat_map(|stage| &stage.refine) {
        if !all.contains(refine) {
            all.push(refine.clone());
        }
    }
    all
}

/// The first sweep to which no points can be added along its key: a stage that is set to the level
/// that it has would be another one then.
pub(crate) fn impossible(plan: &Plan) -> Option<&Refine> {
    plan.refine.iter().find(|refine| {
        let mut stages = plan.stages.iter();
        !stages.all(|stage| !is_of(stage, refine) || stays(plan, stage, refine))
    })
}

fn is_of(stage: &Stage, refine: &Refine) -> bool {
    let sweep = stage.sweep.as_ref();
    sweep.is_some_and(|sweep| sweep.family == refine.family)
}

fn stays(plan: &Plan, stage: &Stage, refine: &Refine) -> bool {
    let mut levels = stage.sweep.iter().flat_map(|sweep| &sweep.levels);
    let level = levels.find(|of| of.factor == refine.factor);
    let level = level.and_then(|of| of.number).map(|number| number as i64);
    let again = level.and_then(|level| point(plan, stage, refine, level));
    again.is_some_and(|again| {
        let programs = again.server == stage.server && again.fronts == stage.fronts;
        programs && again.name == stage.name && plan.load_of(&again) == plan.load_of(stage)
    })
}
