use std::collections::BTreeMap;

use record::{Distribution, Level, Metric, Variant};

use super::factor::Counts;
use super::workload::WorkloadCeiling;
use super::{Curve, Line, Missing, Point, turn};
use crate::seen_run::{Seen, SeenRun};
use crate::variant;

/// Fewest levels that make a curve.
const FEWEST: usize = 3;

/// The figures that are drawn, the throughput first.
const LINES: [Metric; 3] = [Metric::Goodput, Metric::P50, Metric::P99];

/// A variant at a level of the factor.
pub(super) type At<'a> = (f64, &'a Variant);

/// The variants along one factor.
struct Along<'a> {
    family: &'a str,
    factor: &'a str,
    others: Vec<(&'a str, &'a str)>,
    variants: Vec<At<'a>>,
}

/// Every curve of a run: for each family and each of its factors that is a number at three levels at
/// least, one for each combination of the other factors.
pub(crate) fn curves(seen_run: &SeenRun) -> Vec<Curve> {
    let mut all = Vec::new();
    for mut along in alongs(&seen_run.run.plan.variants) {
        along.variants.sort_by(|a, b| a.0.total_cmp(&b.0));
        if along.variants.len() >= FEWEST {
            all.extend(curve(seen_run, &along));
        }
    }
    all
}

fn alongs(variants: &[Variant]) -> Vec<Along<'_>> {
    let mut alongs: Vec<Along> = Vec::new();
    for variant in variants {
        let Some(sweep) = &variant.sweep else {
            continue;
        };
        for Level { factor, number, .. } in &sweep.levels {
            let Some(number) = number else { continue };
            let others = sweep.levels.iter().filter(|of| of.factor != *factor);
            let others: Vec<_> = others.map(|of| (&*of.factor, &*of.level)).collect();
            let same = |along: &&mut Along| {
                (along.family, along.factor) == (&*sweep.family, &**factor)
                    && along.others == others
            };
            match alongs.iter_mut().find(same) {
                Some(along) => along.variants.push((*number, variant)),
                None => alongs.push(Along {
                    family: &sweep.family,
                    factor,
                    others,
                    variants: vec![(*number, variant)],
                }),
            }
        }
    }
    // a family's curves along one factor stand together
    let place = |along: &Along| {
        let mut sweeps = variants.iter().map(|variant| variant.sweep.as_ref());
        sweeps.position(|sweep| sweep.is_some_and(|sweep| sweep.family == along.family))
    };
    alongs.sort_by(|a, b| (place(a), a.factor).cmp(&(place(b), b.factor)));
    alongs
}

fn curve(seen_run: &SeenRun, along: &Along) -> Option<Curve> {
    let line = |metric| {
        let points = along.variants.iter();
        let points = points.filter_map(|at| point(seen_run, *at, metric));
        let points: Vec<Point> = points.collect();
        (points.len() >= FEWEST).then_some(Line { metric, points })
    };
    let lines: Vec<Line> = LINES.into_iter().filter_map(line).collect();
    let throughput = lines.first();
    let throughput = throughput.filter(|line| line.metric == Metric::Goodput)?;
    let (_, first) = along.variants.first()?;
    let counts = Counts::of(along.factor, seen_run.run.plan.load_of(first));
    let missing = along.variants.iter().filter(|(_, variant)| {
        let mut points = throughput.points.iter();
        !points.any(|point| point.variant == variant.name)
    });
    let missing = missing.map(|(level, variant)| Missing {
        level: *level,
        variant: variant.name.clone(),
        why: seen_run.why_none_counts(&variant.name),
    });
    let others = along.others.iter();
    let mut curve = Curve {
        family: along.family.to_owned(),
        factor: along.factor.to_owned(),
        others: others
            .map(|(factor, level)| ((*factor).to_owned(), (*level).to_owned()))
            .collect(),
        counts,
        missing: missing.collect(),
        lines,
        peak: None,
        knee: None,
        collapse: None,
        law: None,
        no_law: None,
    };
    turn::find(seen_run, &along.variants, &mut curve);
    Some(curve)
}

fn point(seen_run: &SeenRun, (level, variant): At, metric: Metric) -> Option<Point> {
    let response = match metric.quantile() {
        Some(_) => seen_run.response(&variant.name),
        None => Distribution::default(),
    };
    let figure = variant::figure(seen_run, &variant.name, metric, &response)?;
    let is_first = metric == Metric::Goodput;
    let ceiling = is_first.then(|| WorkloadCeiling::of(seen_run, variant, figure.value));
    let blocks = seen_run.by_block(&variant.name, metric);
    Some(Point {
        level,
        variant: variant.name.clone(),
        figure,
        blocks: blocks.into_iter().collect(),
        errors: errors(seen_run, variant),
        ceiling: ceiling.flatten(),
        added: variant.sweep.as_ref().is_some_and(|sweep| sweep.added),
    })
}

/// The share of failed requests, where it kept a trial from counting as throughput.
fn errors(seen_run: &SeenRun, variant: &Variant) -> Option<f64> {
    let spoiled =
        |seen: &&Seen| seen.counts_for(Metric::Goodput) && !seen.counts_for(Metric::Throughput);
    seen_run.of(&variant.name).find(spoiled)?;
    let shares: BTreeMap<u32, f64> = seen_run.by_block(&variant.name, Metric::Errors);
    stats::median(&shares.into_values().collect::<Vec<_>>())
}
