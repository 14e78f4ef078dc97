use std::collections::BTreeMap;

use record::{Distribution, Load, Metric, Variant};

use crate::compare;
use crate::doubt::Doubt;
use crate::figures;
use crate::findings;
use crate::opinion::{Figure, TakenAgain, VariantOpinion};
use crate::parts;
use crate::seen_run::{Seen, SeenRun};
use crate::states;
use crate::talked;

/// The metrics by which a variant is compared with the baseline.
const AGAINST_BASELINE: [Metric; 3] = [Metric::Throughput, Metric::Mean, Metric::P50];

/// And where both are loaded at the same rate, so that each that keeps up does as much as the other.
const AT_ONE_RATE: Metric = Metric::CpuPerRequest;

/// What can be said about one variant over all its trials, those of the A/A half too. Blocks are what intervals count, so
/// that one that ran twice as often does not look twice as sure.
pub(crate) fn opinion(seen_run: &SeenRun, variant: &Variant) -> VariantOpinion {
    let trials: Vec<&Seen> = seen_run.of(&variant.name).collect();
    let counted = trials.iter().filter(|seen| seen.opinion.counts).count();
    let response = seen_run.response(&variant.name);
    let metrics = Metric::ALL.iter().copied();
    let of = |metric| Some((metric, figure(seen_run, &variant.name, metric, &response)?));
    let figures: BTreeMap<Metric, Figure> = metrics.clone().filter_map(of).collect();
    // a client's response times are its own to know
    let times = counted > 0 && variant.client.is_none();
    let wanted = metrics.filter(|metric| times && metric.quantile().is_some());
    let too_few = wanted.filter(|metric| !figures.contains_key(metric));
    let too_few = too_few.collect();
    VariantOpinion {
        name: variant.name.clone(),
        title: variant.title.clone(),
        counted: counted as u32,
        left_out: (trials.len() - counted) as u32,
        figures,
        too_few,
        response,
        states: states::of_variant(seen_run, variant),
        against_baseline: against_baseline(seen_run, &variant.name),
        doubts: doubts(&trials),
        findings: findings::of_variant(seen_run, &variant.name),
        parts: parts::of_variant(seen_run, &variant.name),
        talked: talked::of_variant(seen_run, &variant.name),
        taken_again: taken_again(seen_run, &variant.name),
        failure: (counted == 0).then(|| seen_run.why_none_counts(&variant.name)),
    }
}

/// A variant's figure: the median over its blocks, with the interval of that median.
///
/// A quantile is given per block where every counted trial has the samples for it. Where only all
/// of them together have, it is that of the merged times, and has no interval: one taken from the
/// merged sample would know nothing of what differs from start to start, and be far too narrow.
pub(crate) fn figure(
    seen_run: &SeenRun,
    variant: &str,
    metric: Metric,
    response: &Distribution,
) -> Option<Figure> {
    let by_block = seen_run.by_block(variant, metric);
    let confidence = seen_run.confidence(by_block.keys());
    let counted = seen_run.of(variant).filter(|seen| seen.counts_for(metric));
    let lacks = |seen: &Seen| !seen.opinion.figures.contains_key(&metric);
    if metric.quantile().is_some() && counted.into_iter().any(lacks) {
        let (value, interval) = (figures::quantile(metric, response)?, None);
        return Some(Figure { value, interval });
    }
    let by_block: Vec<f64> = by_block.into_values().collect();
    stats::figure_estimate(&by_block, confidence)
}

/// None for the baseline itself, and where only one of the two is loaded at a rate: what that does is as much as it is asked.
fn against_baseline(seen_run: &SeenRun, variant: &str) -> Vec<crate::opinion::Comparison> {
    let (plan, baseline) = (&seen_run.run.plan, seen_run.baseline());
    let load = |name: &str| plan.variant(name).map(|of| plan.load_of(of));
    let (own, other) = (load(variant), load(baseline));
    if variant == baseline || own.map(Load::is_open) != other.map(Load::is_open) {
        return Vec::new();
    }
    let shapes = own
        .zip(other)
        .map(|(own, other)| (&own.shape, &other.shape));
    let at_one_rate = shapes.is_some_and(|(own, other)| own.is_open() && own == other);
    let compared = |metric| compare::paired(seen_run, variant, baseline, metric);
    let metrics = AGAINST_BASELINE
        .into_iter()
        .chain(at_one_rate.then_some(AT_ONE_RATE));
    metrics.filter_map(compared).collect()
}

/// Each kind of doubt once (disqualifying ones apart), with how many trials have it; the
/// disqualifying ones first, then the more frequent.
fn doubts(trials: &[&Seen]) -> Vec<(Doubt, u32)> {
    let mut kinds: Vec<(Doubt, u32)> = Vec::new();
    for doubt in trials.iter().flat_map(|seen| &seen.opinion.doubts) {
        let same =
            |known: &Doubt| known.kind == doubt.kind && known.disqualifies == doubt.disqualifies;
        match kinds.iter_mut().find(|(known, _)| same(known)) {
            Some((_, count)) => *count += 1,
            None => kinds.push((doubt.clone(), 1)),
        }
    }
    kinds.sort_by_key(|(doubt, count)| (!doubt.disqualifies, std::cmp::Reverse(*count)));
    kinds
}

/// The trials that were put aside and taken again, one row for each reason.
fn taken_again(seen_run: &SeenRun, variant: &str) -> Vec<TakenAgain> {
    let mut reasons: Vec<TakenAgain> = Vec::new();
    for seen in seen_run.taken_again(variant) {
        let transient = seen.transient();
        let doubt = transient.map(|doubt| doubt.kind);
        match reasons.iter_mut().find(|known| known.doubt == doubt) {
            Some(known) => known.trials += 1,
            None => reasons.push(TakenAgain {
                doubt,
                because: transient.map_or_else(
                    || seen.opinion.failure.clone().unwrap_or_default(),
                    |doubt| doubt.because.clone(),
                ),
                trials: 1,
            }),
        }
    }
    reasons
}
