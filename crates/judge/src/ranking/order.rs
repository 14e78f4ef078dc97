use std::collections::{BTreeMap, BTreeSet};

use record::{Criterion, Metric, Rival};
use stats::{Confidence, FEWEST, Pairwise};

use super::later::later;
use super::opinion::{Order, Place, Unranked};
use crate::own_share;
use crate::seen_run::SeenRun;
use crate::selected::{over_variants, why_no_value};
use record::condition::{Figure, Pick};

/// An order, and the figures that it rests on.
pub(super) struct Standings {
    pub(super) order: Order,
    /// Of each rival (by its place among all) by block; empty for those without a rank.
    pub(super) figures: Vec<BTreeMap<u32, f64>>,
}

/// The order of rivals by one metric; what was reported is of the first criterion only, and what it is later on is looked at where
/// claims ask for ranks.
pub(super) fn standings(
    seen_run: &SeenRun,
    rivals: &[Rival],
    criterion: &Criterion,
    reported: bool,
    is_asked: bool,
) -> Standings {
    let metric = criterion.metric;
    let mut figures = Vec::new();
    let mut unranked = Vec::new();
    for rival in rivals {
        let own = match taken(seen_run, &asked(rival, criterion)) {
            Ok(own) => own,
            Err(because) => {
                unranked.push(out(rival, because));
                BTreeMap::new()
            }
        };
        figures.push(own);
    }
    while let Some(place) = missing_most(&figures) {
        let own = std::mem::take(&mut figures[place]).len();
        let planned = seen_run.run.plan.blocks;
        let because = format!(
            "it has a figure in {own} of {planned} blocks, which leaves too few to the others"
        );
        unranked.push(out(&rivals[place], because));
    }
    let blocks = common(&figures);
    if blocks.is_empty() {
        for (rival, own) in rivals.iter().zip(&mut figures) {
            if !std::mem::take(own).is_empty() {
                let because = "no block has a figure of all that could be ranked";
                unranked.push(out(rival, because.to_owned()));
            }
        }
    }
    let ranked = rivals.iter().zip(&figures);
    let ranked = ranked.filter(|(_, own)| !own.is_empty());
    let (named, values): (Vec<&Rival>, Vec<_>) =
        ranked.map(|(rival, own)| (rival, own.clone())).unzip();
    let confidence = |last: u32| seen_run.confidence([&last]);
    let so_far = is_asked.then(|| (blocks.len(), seen_run.narrower(blocks.len())));
    let mut order = Order {
        metric,
        levels: criterion.levels.clone(),
        blocks: blocks.len() as u32,
        unranked,
        ..placed(&named, metric, &values, reported, so_far, &confidence)
    };
    for place in &mut order.places {
        let rival = rivals.iter().find(|of| of.variants == place.rival);
        let figure = rival.map(|rival| asked(rival, criterion));
        let freed = figure.and_then(|figure| own_share::of_figure(seen_run, &figure));
        place.elsewhere = freed.map(|freed| freed.between(place.figure.value));
    }
    Standings { order, figures }
}

/// What a rival is ranked by: memory is what it comes to at its most, whatever the variant; all else is meant over its variants.
fn asked(rival: &Rival, criterion: &Criterion) -> Figure {
    let metric = criterion.metric;
    let pick = metric.row().is_peak.then_some(Pick::Largest);
    Figure::of(pick.unwrap_or_default(), metric, rival.at(criterion))
}

/// What some variants come to together, by block.
///
/// # Errors
/// Why they come to nothing in any.
fn taken(seen_run: &SeenRun, figure: &Figure) -> Result<BTreeMap<u32, f64>, String> {
    let metric = figure.metric;
    let by_block = |variant: &str| seen_run.compared(variant, metric);
    let blocks = over_variants(seen_run, figure, by_block);
    if blocks.is_empty() {
        return Err(why_no_value(seen_run, std::iter::once(figure)));
    }
    // left out, they would be its best blocks, or its worst
    let zeros = blocks.values().filter(|value| **value <= 0.0).count();
    if zeros > 0 {
        let (name, all) = (metric.name(), blocks.len());
        return Err(format!(
            "its {name} is zero in {zeros} of {all} blocks, and zero has no ratio"
        ));
    }
    Ok(blocks)
}

fn out(rival: &Rival, because: String) -> Unranked {
    let rival = rival.variants.clone();
    Unranked { rival, because }
}

/// Blocks in which all that have any figure have one.
pub(super) fn common(figures: &[BTreeMap<u32, f64>]) -> BTreeSet<u32> {
    let mut present = figures.iter().filter(|of| !of.is_empty());
    let Some(first) = present.next() else {
        return BTreeSet::new();
    };
    let first: BTreeSet<u32> = first.keys().copied().collect();
    present.fold(first, |mut left, of| {
        left.retain(|block| of.contains_key(block));
        left
    })
}

/// The rival that costs the others the blocks they need for an interval, if one does and there would be
/// enough without it, or without more of its kind.
fn missing_most(figures: &[BTreeMap<u32, f64>]) -> Option<usize> {
    let left = || (0..figures.len()).filter(|place| !figures[*place].is_empty());
    let enough = left().filter(|place| figures[*place].len() >= FEWEST);
    let some_have_enough = enough.count() >= 2;
    if common(figures).len() >= FEWEST || left().count() <= 2 || !some_have_enough {
        return None;
    }
    left().min_by_key(|place| figures[*place].len())
}

/// The places of those that are ranked, from their figures by block. With `so_far`, how many blocks there are and how many times
/// narrower their intervals are at the last look, what they are later on too.
fn placed(
    rivals: &[&Rival],
    metric: Metric,
    values: &[BTreeMap<u32, f64>],
    reported: bool,
    so_far: Option<(usize, f64)>,
    confidence: &dyn Fn(u32) -> Confidence,
) -> Order {
    let mut order = Order {
        metric,
        levels: None,
        blocks: 0,
        places: Vec::new(),
        unranked: Vec::new(),
        alike: Vec::new(),
        agreement: None,
        later: Vec::new(),
    };
    let Some(pairs) = Pairwise::by_block(values, 1, confidence) else {
        // alone, or without a block that all have
        let alone = rivals.iter().zip(values);
        let alone = alone.filter_map(|(rival, own)| {
            let last = *own.keys().next_back()?;
            let own: Vec<f64> = own.values().copied().collect();
            let figure = stats::figure_estimate(&own, confidence(last))?;
            Some(place(rival, figure, None, reported))
        });
        order.places = alone.collect();
        return order;
    };
    let surely = |of, over| surely_better(&pairs, metric, of, over);
    let mut places: Vec<usize> = (0..rivals.len()).collect();
    places.sort_by(|&one, &other| {
        let by = pairs.mean(one).value.total_cmp(&pairs.mean(other).value);
        let rises = metric.larger_is_better();
        if rises { by.reverse() } else { by }
    });
    let known: Vec<(usize, f64)> = (0..rivals.len())
        .filter_map(|rival| Some((rival, rivals[rival].reported.filter(|_| reported)?)))
        .collect();
    let at = |rival: usize| places.iter().position(|place| *place == rival);
    let follows = |surely: Pair<'_>| {
        let ranges = stats::rank_ranges(rivals.len(), surely);
        let first = |of: usize, over: usize| at(of) < at(over);
        let agreed = agreement(&known, metric, pairs.is_sure(), surely, &first);
        (ranges, agreed)
    };
    let (ranges, agreed) = follows(&surely);
    order.agreement = agreed;
    if pairs.is_sure() {
        order.alike = alike(&places, surely);
        let ahead = so_far.map(|so_far| later(&pairs, metric, so_far, &places, &follows));
        order.later = ahead.unwrap_or_default();
    }
    let ranked = places.iter().map(|&own| {
        let (first, last) = ranges[own];
        let ranks = pairs.is_sure().then_some((first as u32, last as u32));
        place(rivals[own], pairs.mean(own), ranks, reported)
    });
    order.places = ranked.collect();
    order
}

/// Whether one rival comes before another for sure.
pub(super) fn surely_better(pairs: &Pairwise, metric: Metric, of: usize, over: usize) -> bool {
    let Some((low, high)) = pairs.ratio(of, over).interval else {
        return false;
    };
    if metric.larger_is_better() {
        low > 1.0
    } else {
        high < 1.0
    }
}

/// The longest runs of places of which no two are sure.
fn alike(places: &[usize], surely: impl Fn(usize, usize) -> bool) -> Vec<(u32, u32)> {
    let even = |one: usize, other: usize| {
        !surely(places[one], places[other]) && !surely(places[other], places[one])
    };
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for first in 0..places.len() {
        let mut last = first;
        while last + 1 < places.len() && (first..=last).all(|one| even(one, last + 1)) {
            last += 1;
        }
        let reached = runs.last().is_some_and(|run| run.1 > last as u32);
        if last > first && !reached {
            runs.push((first as u32 + 1, last as u32 + 1));
        }
    }
    runs
}

/// Whether one rival of two comes before the other.
pub(super) type Pair<'a> = &'a dyn Fn(usize, usize) -> bool;

/// How far the order agrees with the reported one.
fn agreement(
    known: &[(usize, f64)],
    metric: Metric,
    sure: bool,
    surely: Pair,
    first: Pair,
) -> Option<crate::Figure> {
    let sign = if metric.larger_is_better() { 1.0 } else { -1.0 };
    let one: Vec<f64> = known.iter().map(|(_, value)| sign * value).collect();
    let of = |pair: Pair, a: usize, b: usize| pair(known[a].0, known[b].0);
    stats::agreement(&one, sure, |a, b| of(first, a, b), |a, b| of(surely, a, b))
}

fn place(rival: &Rival, figure: crate::Figure, ranks: Option<(u32, u32)>, told: bool) -> Place {
    Place {
        rival: rival.variants.clone(),
        figure,
        elsewhere: None,
        ranks,
        reported: rival.reported.filter(|_| told),
    }
}
