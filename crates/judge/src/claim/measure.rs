use std::collections::BTreeMap;

use record::Metric;
use record::metric::Dimension;
use stats::Estimate;

use crate::compare::{matched, ratio, shared};
use crate::seen_run::{Seen, SeenRun};
use crate::selected::{over_variants, variants, why_no_value};
use crate::variant;
use record::condition::{Expect, Figure};

/// The measured left side of a condition.
pub(super) struct LeftSide {
    pub(super) estimate: Estimate,
    /// Blocks that it is of.
    pub(super) blocks: usize,
    /// Why there is no interval, if there is none.
    pub(super) no_interval: Option<String>,
}

/// A left side of which only one end is known.
pub(super) struct Limit {
    /// As measured.
    pub(super) side: LeftSide,
    /// Where the truth lies: one end is infinite, or zero.
    pub(super) interval: (f64, f64),
    /// What limited it.
    pub(super) because: String,
}

/// A ratio is measured block by block (the centre of the log-ratios), a single figure as the median
/// over blocks. The error says why there is no value at all.
pub(super) fn measure(seen_run: &SeenRun, expect: &Expect) -> Result<LeftSide, String> {
    let by_block = |figure: &Figure| {
        over_variants(seen_run, figure, |variant| {
            seen_run.by_block(variant, false, figure.metric)
        })
    };
    let of = by_block(&expect.of);
    let (found, blocks) = match &expect.over {
        Some(over) => ratio(seen_run, &of, &by_block(over)).unzip(),
        None => (single(seen_run, &expect.of, &of), Some(of.len())),
    };
    let blocks = blocks.unwrap_or(0);
    // of four blocks and more there is none where figures are zero, which have no logarithms
    let needed = if blocks < stats::PAIRS {
        stats::PAIRS
    } else {
        stats::FEWEST
    };
    let found = found.map(|estimate| measured(estimate, blocks, needed, expect.of.metric));
    found.ok_or_else(|| why_no_value(seen_run, expect.figures()))
}

fn single(seen_run: &SeenRun, figure: &Figure, by_block: &BTreeMap<u32, f64>) -> Option<Estimate> {
    let variants = variants(seen_run, figure);
    let [variant] = variants[..] else {
        let confidence = seen_run.confidence(by_block.keys());
        let figures: Vec<f64> = by_block.values().copied().collect();
        return stats::figure_estimate(&figures, confidence);
    };
    let response = seen_run.response(&variant.name);
    variant::figure(seen_run, &variant.name, figure.metric, &response)
}

fn measured(estimate: Estimate, blocks: usize, needed: usize, metric: Metric) -> LeftSide {
    let name = metric.name();
    let why = || match blocks {
        1 => "one block gives no interval".to_owned(),
        few if 0 < few && few < needed => {
            format!("{few} blocks give no 95 % interval: {needed} are needed")
        }
        _ => format!(
            "{name} is of the responses of all blocks together, which gives no interval: load each with \
             more requests"
        ),
    };
    LeftSide {
        estimate,
        blocks,
        no_interval: estimate.interval.is_none().then(why),
    }
}

/// What is known where trials are out only because the generator was the bottleneck. The stack
/// then does at least the measured throughput and takes at most the measured times, so the truth
/// lies beyond one end of the measured interval: enough to decide a condition on that end. `None`
/// when that is not the case, when both sides of a ratio move against each other, or when there
/// is no interval.
pub(super) fn at_best(seen_run: &SeenRun, expect: &Expect) -> Option<Limit> {
    let limited = |figure: &&Figure| {
        let variants = variants(seen_run, figure).into_iter();
        let mut trials = variants.flat_map(|variant| seen_run.of(&variant.name, false));
        trials.any(Seen::is_lower_limit)
    };
    let of = Some(&expect.of).filter(limited);
    let over = expect.over.as_ref().filter(limited);
    let rises = match (of, over) {
        (Some(of), None) => better_is_larger(of.metric)?,
        (None, Some(over)) => !better_is_larger(over.metric)?,
        _ => return None,
    };
    let above = with_limits(seen_run, &expect.of);
    let blocks = above.len();
    let estimate = if let Some(over) = &expect.over {
        let below = with_limits(seen_run, over);
        let confidence = seen_run.confidence(shared(&above, &below));
        stats::paired_limit(&matched(&above, &below), confidence)?
    } else {
        let confidence = seen_run.confidence(above.keys());
        stats::median_estimate(&above.into_values().collect::<Vec<_>>(), confidence)?
    };
    let (low, high) = estimate.interval?;
    let variant = &of.or(over)?.variant;
    let end = if rises { "at least" } else { "at most" };
    let open = (low, f64::INFINITY);
    Some(Limit {
        side: LeftSide {
            estimate,
            blocks,
            no_interval: None,
        },
        interval: if rises { open } else { (0.0, high) },
        because: format!(
            "the load generator, not `{variant}`, was the bottleneck: the true value is {end} this"
        ),
    })
}

/// Whether a stack that is better than measured has the larger figure. `None` where the
/// generator's saturation says nothing about the figure.
fn better_is_larger(metric: Metric) -> Option<bool> {
    match metric.dimension() {
        Dimension::Rate | Dimension::Time => Some(metric.larger_is_better()),
        Dimension::CpuTime | Dimension::Size | Dimension::Share | Dimension::Count => None,
    }
}

/// A variant's figure by block, trials included in which the generator was the bottleneck.
fn with_limits(seen_run: &SeenRun, figure: &Figure) -> BTreeMap<u32, f64> {
    let metric = figure.metric;
    over_variants(seen_run, figure, |variant| {
        seen_run
            .of(variant, false)
            .filter(|seen| seen.counts_for(metric) || seen.is_lower_limit())
            .filter_map(|seen| Some((seen.trial.block, *seen.opinion.figures.get(&metric)?)))
            .collect()
    })
}
