//! A sweep that looks closer: when a run's first block has measured the points of its plan, it adds
//! some where the curves turn, which every block then measures like the others.

mod rule;
mod stage;

use judge::Curve;
use record::{Level, Plan, Refine, Run, Stage, Trial};

pub(crate) use stage::{name, point, words};

/// Whether a plan leaves points to be chosen.
pub(crate) fn is_open(plan: &Plan) -> bool {
    plan.refine.iter().any(|refine| !refine.decided)
}

/// Chooses the points that a run's plan leaves to it, from its trials of the first block alone, and
/// gives the plan with them. The same trials always give the same plan.
pub(crate) fn refined(run: &Run, trials: &[Trial]) -> Plan {
    let first: Vec<Trial> = trials
        .iter()
        .filter(|trial| trial.block == 0)
        .cloned()
        .collect();
    let mut seen = run.clone();
    seen.plan.claims.clear();
    let curves = judge::judge(&seen, &first).curves;
    let mut plan = run.plan.clone();
    let open = |refine: &&mut Refine| !refine.decided;
    let open: Vec<Refine> = plan
        .refine
        .iter_mut()
        .filter(open)
        .map(|refine| {
            refine.decided = true;
            refine.clone()
        })
        .collect();
    for refine in &open {
        let same = |curve: &&Curve| curve.family == refine.family && curve.factor == refine.factor;
        for curve in curves.iter().filter(same) {
            add(&mut plan, refine, curve);
        }
    }
    plan
}

/// What a run may still add to this plan: for each curve one of its stages, and how many points.
pub(crate) fn to_come(plan: &Plan) -> Vec<(&Stage, u32)> {
    let mut curves: Vec<(Vec<&Level>, &Stage, u32)> = Vec::new();
    for refine in plan.refine.iter().filter(|refine| !refine.decided) {
        for stage in &plan.stages {
            let Some(sweep) = stage.sweep.as_ref().filter(|of| of.family == refine.family) else {
                continue;
            };
            let others = sweep.levels.iter().filter(|of| of.factor != refine.factor);
            let others: Vec<&Level> = others.collect();
            let same = |(known, first, _): &(Vec<&Level>, &Stage, u32)| {
                *known == others
                    && first
                        .sweep
                        .as_ref()
                        .is_some_and(|of| of.family == sweep.family)
            };
            if !curves.iter().any(same) {
                curves.push((others, stage, refine.points));
            }
        }
    }
    curves
        .into_iter()
        .map(|(_, stage, points)| (stage, points))
        .collect()
}

/// Names of the stages that were added to a plan.
pub(crate) fn added(plan: &Plan) -> impl Iterator<Item = &str> {
    let stages = plan.stages.iter().filter(|stage| is_added(stage));
    stages.map(|stage| &*stage.name)
}

/// Whether a run added this stage to its plan.
pub(crate) fn is_added(stage: &Stage) -> bool {
    stage.sweep.as_ref().is_some_and(|sweep| sweep.added)
}

/// Puts a curve's further points into the plan, each after the level below it.
fn add(plan: &mut Plan, refine: &Refine, curve: &Curve) {
    // where a factor is no load, and so has no knee, the curve turns at its highest point
    let Some(turn) = curve.knee.or(curve.peak) else {
        return;
    };
    let points = curve.points().iter();
    let points: Vec<(f64, f64)> = points
        .map(|point| (point.level, point.figure.value))
        .collect();
    let missing = curve.missing.iter().map(|of| of.level);
    let taken: Vec<f64> = points
        .iter()
        .map(|(level, _)| *level)
        .chain(missing)
        .collect();
    for level in rule::levels(&points, &taken, turn.level, refine.points as usize) {
        let below = curve
            .points()
            .iter()
            .rfind(|point| point.level < level as f64);
        let below = below.and_then(|point| plan.stage(&point.stage)).cloned();
        let Some(stage) = below.and_then(|below| stage::point(plan, &below, refine, level)) else {
            continue;
        };
        let lower = |other: &Stage| stage::is_below(other, &stage, &refine.factor);
        let place = plan
            .stages
            .iter()
            .rposition(lower)
            .map_or(plan.stages.len(), |at| at + 1);
        plan.stages.insert(place, stage);
    }
}
