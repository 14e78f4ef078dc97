//! A sweep that looks closer: when a run's first block has measured the points of its plan, it adds
//! some where the curves turn, which every block then measures like the others.

mod rule;
mod variant;

use judge::Curve;
use record::{Level, Plan, Refine, Run, Trial, Variant};

pub(crate) use variant::{name, point, words};

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

/// What a run may still add to this plan: for each curve one of its variants, and how many points.
pub(crate) fn to_come(plan: &Plan) -> Vec<(&Variant, u32)> {
    let mut curves: Vec<(Vec<&Level>, &Variant, u32)> = Vec::new();
    for refine in plan.refine.iter().filter(|refine| !refine.decided) {
        for variant in &plan.variants {
            let Some(sweep) = variant
                .sweep
                .as_ref()
                .filter(|of| of.family == refine.family)
            else {
                continue;
            };
            let others = sweep.levels.iter().filter(|of| of.factor != refine.factor);
            let others: Vec<&Level> = others.collect();
            let same = |(known, first, _): &(Vec<&Level>, &Variant, u32)| {
                *known == others
                    && first
                        .sweep
                        .as_ref()
                        .is_some_and(|of| of.family == sweep.family)
            };
            if !curves.iter().any(same) {
                curves.push((others, variant, refine.points));
            }
        }
    }
    curves
        .into_iter()
        .map(|(_, variant, points)| (variant, points))
        .collect()
}

/// Names of the variants that were added to a plan.
pub(crate) fn added(plan: &Plan) -> impl Iterator<Item = &str> {
    let variants = plan.variants.iter().filter(|variant| is_added(variant));
    variants.map(|variant| &*variant.name)
}

/// Whether a run added this variant to its plan.
pub(crate) fn is_added(variant: &Variant) -> bool {
    variant.sweep.as_ref().is_some_and(|sweep| sweep.added)
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
        let below = below
            .and_then(|point| plan.variant(&point.variant))
            .cloned();
        let Some(variant) = below.and_then(|below| variant::point(plan, &below, refine, level))
        else {
            continue;
        };
        let lower = |other: &Variant| variant::is_below(other, &variant, &refine.factor);
        let place = plan
            .variants
            .iter()
            .rposition(lower)
            .map_or(plan.variants.len(), |at| at + 1);
        plan.variants.insert(place, variant);
    }
}
