//! How far equal measurements lie apart: from start to start of a variant, and within one start.
//!
//! A nested design (Searle, Casella and others, "Variance Components", 1992, 3.2): a block is a fresh start, and the pieces of
//! a window are repeats within it. Intervals of figures and ratios are over blocks and so hold both; apart they tell what
//! would narrow an interval.

use std::collections::{BTreeMap, BTreeSet};

use record::Metric;
use serde::Serialize;

use crate::seen_run::{Seen, SeenRun};
use crate::throughput::rates_of_pieces;

/// Variants and blocks from which on scatter can be told.
const VARIANTS: usize = 2;
const BLOCKS: usize = 4;
/// Logarithms that are no more than this are nothing.
const NOTHING: f64 = 1e-9;
/// Most rounds in which the paces are taken out.
const ROUNDS: usize = 1_000;

/// The scatter of throughput, of all variants taken together: standard deviations as shares (0.04 is 4 %).
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Scatter {
    /// Of starts: what is left when a variant's own pace, that of a block (where it has several groups, that of each of these), and
    /// what a window's own scatter explains are taken out. 0 where that explains all of it.
    pub between: f64,
    /// Of a window's mean, from how much its tenths differ, or its slices where there are fewer.
    pub within: f64,
}

/// `None` with too few blocks that have every variant, or windows too short to be cut. What is loaded at a given rate is
/// left out, as its throughput is that rate; and so is what looks for one, whose scatter is that of the search as well.
pub(crate) fn scatter(seen_run: &SeenRun) -> Option<Scatter> {
    let plan = &seen_run.run.plan;
    let closed = plan.variants.iter();
    let closed = closed.filter(|variant| !plan.load_of(variant).is_open());
    let by_variant: Vec<Vec<Window>> = closed
        .map(|variant| windows(seen_run, &variant.name))
        .filter(|windows| blocks(windows).len() >= BLOCKS)
        .collect();
    let common = by_variant.iter().map(|of| blocks(of));
    let common = common.reduce(|all, own| &all & &own)?;
    if by_variant.len() < VARIANTS || common.len() < BLOCKS {
        return None;
    }
    let variants = by_variant.len();
    let mut all = by_variant.concat();
    all.retain(|of| common.contains(&of.place.0));
    let places: BTreeSet<_> = all.iter().map(|of| of.place).collect();
    let free = (all.len() + 1).checked_sub(variants + places.len());
    let free = free.filter(|free| *free > 0)?;
    let within = all.iter().map(|of| of.variance).sum::<f64>() / all.len() as f64;
    take_paces_out(&mut all);
    let left = all.iter().map(|of| of.log.powi(2)).sum::<f64>() / free as f64;
    Some(Scatter {
        between: (left - within).max(0.0).sqrt(),
        within: within.sqrt(),
    })
}

/// A window's throughput.
#[derive(Clone, Copy)]
struct Window<'a> {
    variant: &'a str,
    /// Its block, and its group in that: what is measured at the same time, and what ratios are taken within.
    place: (u32, u32),
    /// Its logarithm.
    log: f64,
    /// The variance of that, from its pieces.
    variance: f64,
}

/// Of each trial of the variant that counts, but for the second half of the A/A pair. The baseline has one in each group.
fn windows<'a>(seen_run: &SeenRun, variant: &'a str) -> Vec<Window<'a>> {
    let trials = seen_run.of(variant).filter(|seen| !seen.trial.again);
    let counted = trials.filter(|seen| seen.counts_for(Metric::Throughput));
    let window = |seen: &Seen| {
        let load = &seen.trial.measured()?.load;
        let pieces: Vec<f64> = rates_of_pieces(load).into_iter().map(f64::ln).collect();
        let many = pieces.len() as f64;
        let mean = pieces.iter().sum::<f64>() / many;
        let squares: f64 = pieces.iter().map(|piece| (piece - mean).powi(2)).sum();
        let window = Window {
            variant,
            place: (seen.trial.block, seen.trial.group),
            log: load.throughput().ln(),
            variance: squares / (many - 1.0) / many,
        };
        (window.log.is_finite() && window.variance.is_finite()).then_some(window)
    };
    counted.filter_map(window).collect()
}

fn blocks(windows: &[Window]) -> BTreeSet<u32> {
    windows.iter().map(|of| of.place.0).collect()
}

/// Takes out of the logarithms what is each variant's own, and what the machine did to all that were measured at the same time: in
/// turn, until nothing of either is left. Where every variant is in each place once, that takes one round.
fn take_paces_out(all: &mut [Window]) {
    for _ in 0..ROUNDS {
        let of_variants = take_means_out(all, |of| of.variant);
        let of_places = take_means_out(all, |of| of.place);
        if of_variants.max(of_places) < NOTHING {
            return;
        }
    }
}

/// Takes their mean out of the logarithms that have the same key. The largest that was taken out.
fn take_means_out<'a, K: Ord>(all: &mut [Window<'a>], key: impl Fn(&Window<'a>) -> K) -> f64 {
    let mut sums: BTreeMap<K, (f64, f64)> = BTreeMap::new();
    for of in &*all {
        let (sum, count) = sums.entry(key(of)).or_default();
        *sum += of.log;
        *count += 1.0;
    }
    let mut largest: f64 = 0.0;
    for of in all {
        let (sum, count) = sums[&key(of)];
        let mean = sum / count;
        of.log -= mean;
        largest = largest.max(mean.abs());
    }
    largest
}
