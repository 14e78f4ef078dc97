use std::collections::BTreeMap;

use record::Metric;

use super::assemble::At;
use super::{Curve, Line, Scalability, Turn};
use crate::seen_run::SeenRun;

/// Finds where a curve turns, and the law that it follows.
pub(super) fn find(seen_run: &SeenRun, variants: &[At], curve: &mut Curve) {
    let Some(line) = curve.line(Metric::Goodput) else {
        return;
    };
    let Some(throughput) = measured(line) else {
        return;
    };
    let turn = |of: Turn| Turn {
        at_end: throughput.levels().last() == Some(&of.level),
        ..of
    };
    curve.peak = stats::summit(&throughput).map(turn);
    if curve.counts.is_load() {
        let power = power(seen_run, variants, curve);
        curve.knee = power.as_ref().and_then(stats::summit).map(turn);
    }
    curve.collapse = stats::collapse(&throughput);
    if curve.counts.has_law() {
        let fit = law(seen_run, curve, &throughput);
        (curve.law, curve.no_law) = match fit {
            Ok(law) => (Some(law), None),
            Err(why) => (None, Some(why)),
        };
    }
}

fn measured(line: &Line) -> Option<stats::Curve> {
    let points = line.points.iter();
    let points = points.map(|point| (point.level, point.blocks.iter().copied().collect()));
    by_block(&points.collect::<Vec<_>>())
}

/// Levels with their figures by block, as a matrix with a place for every block of any level.
fn by_block(points: &[(f64, BTreeMap<u32, f64>)]) -> Option<stats::Curve> {
    let last = points
        .iter()
        .filter_map(|(_, blocks)| blocks.keys().next_back());
    let all = 0..=*last.max()?;
    let row = |(level, of): &(f64, BTreeMap<u32, f64>)| {
        let blocks = all.clone().map(|block| of.get(&block).copied());
        (*level, blocks.collect())
    };
    stats::Curve::new(&points.iter().map(row).collect::<Vec<_>>())
}

/// Throughput over mean response time, trial by trial, at the levels at which errors kept no trial
/// from having both: a server that refuses quickly is not powerful.
fn power(seen_run: &SeenRun, variants: &[At], curve: &Curve) -> Option<stats::Curve> {
    let at = |(level, variant): &At| {
        let mut points = curve.points().iter();
        let point = points.find(|point| point.variant == variant.name)?;
        let times = seen_run.by_block(&variant.name, Metric::Mean);
        let rates = seen_run.by_block(&variant.name, Metric::Throughput);
        let power = |(block, rate)| Some((block, rate / times.get(&block)?));
        let powers = rates.into_iter().filter_map(power);
        let powers = powers.filter(|(_, power): &(u32, f64)| power.is_finite());
        let powers: BTreeMap<u32, f64> = powers.collect();
        (powers.len() == point.blocks.len()).then_some((*level, powers))
    };
    by_block(&variants.iter().filter_map(at).collect::<Vec<_>>())
}

fn law(
    seen_run: &SeenRun,
    curve: &Curve,
    throughput: &stats::Curve,
) -> Result<Scalability, String> {
    let (levels, needed) = (throughput.levels().len(), Scalability::LEVELS);
    let points = curve.points();
    if levels < needed {
        let why = format!("{levels} levels are too few for it: {needed} are needed");
        return Err(why);
    }
    let reached = |point: &super::Point| point.ceiling.is_some_and(|ceiling| ceiling.reached);
    if points.iter().all(reached) {
        return Err("all its points stand at the workload's ceiling".to_owned());
    }
    if points.iter().any(|point| point.errors.is_some()) {
        let why = "the law is about correct responses, and this curve has errors";
        return Err(why.to_owned());
    }
    let law = Scalability::fit(throughput, seen_run.run.plan.seed);
    law.ok_or_else(|| "a level has no response, or is below 1".to_owned())
}
