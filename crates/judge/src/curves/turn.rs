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
    let Some(throughput) = at_one_pace(seen_run, line) else {
        return;
    };
    let turn = |of: Turn| Turn {
        at_end: throughput.levels().last() == Some(&of.level),
        ..of
    };
    curve.peak = stats::summit(&throughput).map(turn);
    if curve.counts.is_load() {
        let power = power(seen_run, variants);
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

/// The figures of a line as they are compared: which level is the highest in a block must not hang on what the machine did to
/// the group that it was in.
fn at_one_pace(seen_run: &SeenRun, line: &Line) -> Option<stats::Curve> {
    let points = line.points.iter();
    let points = points.map(|of| (of.level, seen_run.compared(&of.variant, line.metric)));
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
fn power(seen_run: &SeenRun, variants: &[At]) -> Option<stats::Curve> {
    let at = |(level, variant): &At| {
        let of = |metric| seen_run.compared(&variant.name, metric);
        let [times, rates, all] = [Metric::Mean, Metric::Throughput, Metric::Goodput].map(of);
        let power = |(block, rate)| Some((block, rate / times.get(&block)?));
        let powers = rates.into_iter().filter_map(power);
        let powers = powers.filter(|(_, power): &(u32, f64)| power.is_finite());
        let powers: BTreeMap<u32, f64> = powers.collect();
        (powers.len() == all.len()).then_some((*level, powers))
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
