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
const BLOCKS: usize = stats::PAIRS;

/// The scatter of throughput, of all variants taken together: standard deviations as shares (0.04 is 4 %).
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Scatter {
    /// Of starts: what is left when a variant's and a block's own pace are taken out, and what a window's own scatter
    /// explains. 0 where that explains all of it.
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
    let by_variant: Vec<BTreeMap<u32, Window>> = closed
        .map(|variant| windows(seen_run, &variant.name))
        .filter(|windows| windows.len() >= BLOCKS)
        .collect();
    let blocks = common(&by_variant);
    if by_variant.len() < VARIANTS || blocks.len() < BLOCKS {
        return None;
    }
    let all = || {
        blocks
            .iter()
            .flat_map(|block| by_variant.iter().map(move |of| of[block]))
    };
    let (count, starts) = (by_variant.len() as f64, blocks.len() as f64);
    let middle = all().map(|of| of.log).sum::<f64>() / (count * starts);
    let mut squares = 0.0;
    for block in &blocks {
        let pace = by_variant.iter().map(|of| of[block].log).sum::<f64>() / count;
        for of in &by_variant {
            let own = blocks.iter().map(|block| of[block].log).sum::<f64>() / starts;
            squares += (of[block].log - own - pace + middle).powi(2);
        }
    }
    let left = squares / ((count - 1.0) * (starts - 1.0));
    let within = all().map(|of| of.variance).sum::<f64>() / (count * starts);
    Some(Scatter {
        between: (left - within).max(0.0).sqrt(),
        within: within.sqrt(),
    })
}

/// A window's throughput.
#[derive(Clone, Copy)]
struct Window {
    /// Its logarithm.
    log: f64,
    /// The variance of that, from its pieces.
    variance: f64,
}

/// Of each block in which a trial of the variant counts.
fn windows(seen_run: &SeenRun, variant: &str) -> BTreeMap<u32, Window> {
    let trials = seen_run.half(variant, false);
    let counted = trials.filter(|seen| seen.counts_for(Metric::Throughput));
    let window = |seen: &Seen| {
        let load = &seen.trial.measured()?.load;
        let pieces: Vec<f64> = rates_of_pieces(load).into_iter().map(f64::ln).collect();
        let many = pieces.len() as f64;
        let mean = pieces.iter().sum::<f64>() / many;
        let squares: f64 = pieces.iter().map(|piece| (piece - mean).powi(2)).sum();
        let window = Window {
            log: load.throughput().ln(),
            variance: squares / (many - 1.0) / many,
        };
        (window.log.is_finite() && window.variance.is_finite())
            .then_some((seen.trial.block, window))
    };
    counted.filter_map(window).collect()
}

/// The blocks that all have.
fn common(all: &[BTreeMap<u32, Window>]) -> BTreeSet<u32> {
    let blocks = all.iter().flat_map(BTreeMap::keys).copied();
    blocks
        .filter(|block| all.iter().all(|of| of.contains_key(block)))
        .collect()
}
