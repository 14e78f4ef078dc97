//! Left sides of which only one end is known: the generator, or the load itself, kept a stack from showing more.

use std::collections::BTreeMap;

use record::Metric;
use record::condition::{Expect, Figure};
use record::metric::Dimension;

use super::measure::{LeftSide, pairs, values};
use crate::curves::stands_at_its_ceiling;
use crate::seen_run::{Seen, SeenRun, figures_by_block};
use crate::selected::{over_variants, variants};

/// A left side of which only one end is known.
pub(super) struct Limit {
    /// As measured.
    pub(super) side: LeftSide,
    /// Where the truth lies: one end is infinite, or zero.
    pub(super) interval: (f64, f64),
    /// What limited it.
    pub(super) because: String,
}

/// A comparison with rates that the load itself held down.
pub(super) struct AtCeiling {
    /// What is measured at such a rate, as the condition names it.
    names: Vec<String>,
    /// Whether the true value is at least the measured one, or at most; `None` where it may be either.
    rises: Option<bool>,
}

impl AtCeiling {
    /// Where the truth lies, if what was measured lies in an interval.
    pub(super) fn opened(&self, (low, high): (f64, f64)) -> (f64, f64) {
        match self.rises {
            Some(true) => (low, f64::INFINITY),
            Some(false) => (0.0, high),
            None => (0.0, f64::INFINITY),
        }
    }

    /// What must be known of it.
    pub(super) fn because(&self) -> String {
        let names = self.names.join(" and ");
        let verb = if self.names.len() == 1 {
            "stands"
        } else {
            "stand"
        };
        let what = match self.rises {
            Some(true) => "the true ratio is at least this",
            Some(false) => "the true ratio is at most this",
            None => "this says nothing about the servers, and only more load would",
        };
        format!("{names} {verb} at the ceiling that the load sets: {what}")
    }
}

/// The rates of a comparison that stand at their workload's ceiling, if there are any: they are lower limits, as a server
/// that could do more would not have shown it. `None` for a figure without a ratio and for one `as loaded`, which are
/// about the load.
pub(super) fn at_ceiling(seen_run: &SeenRun, expect: &Expect) -> Option<AtCeiling> {
    let [rising, falling] = expect.sides();
    let reached = |figure: &&&Figure| held_down(seen_run, expect, figure);
    let above: Vec<_> = rising.iter().filter(reached).collect();
    let below: Vec<_> = falling.iter().filter(reached).collect();
    let rises = match (above.is_empty(), below.is_empty()) {
        (true, true) => return None,
        (false, true) => Some(true),
        (true, false) => Some(false),
        (false, false) => None,
    };
    let of = above.into_iter().chain(below);
    let mut names: Vec<String> = of.map(|figure| format!("`{}`", figure.variant)).collect();
    names.dedup();
    Some(AtCeiling { names, rises })
}

/// Whether the load itself held a figure of a comparison down.
fn held_down(seen_run: &SeenRun, expect: &Expect, figure: &Figure) -> bool {
    let compared = expect.over.is_some() && !expect.as_loaded;
    let is_rate = figure.metric.dimension() == Dimension::Rate;
    let mut meant = variants(seen_run, figure).into_iter();
    compared && is_rate && meant.any(|variant| stands_at_its_ceiling(seen_run, variant))
}

/// What is known where trials are out only because the generator was the bottleneck. The stack
/// then does at least the measured throughput and takes at most the measured times, so the truth
/// lies beyond one end of the measured interval: enough to decide a condition on that end. `None`
/// when that is not the case, when the figures of a ratio move against each other, or when there
/// is no interval.
pub(super) fn at_best(seen_run: &SeenRun, expect: &Expect) -> Option<Limit> {
    let outran = |figure: &Figure| {
        let variants = variants(seen_run, figure).into_iter();
        let mut trials = variants.flat_map(|variant| seen_run.of(&variant.name));
        trials.any(Seen::is_lower_limit)
    };
    let [rising, falling] = expect.sides();
    let mut ends = Vec::new();
    let mut limited = None;
    for (figure, is_above) in with(&rising, true).chain(with(&falling, false)) {
        if outran(figure) {
            limited = Some(figure);
        } else if !held_down(seen_run, expect, figure) {
            continue;
        }
        ends.push(better_is_larger(figure.metric)? == is_above);
    }
    let rises = *ends.first()?;
    if ends.iter().any(|end| *end != rises) {
        return None;
    }
    let (estimate, blocks) = estimate(seen_run, expect)?;
    let (low, high) = estimate.interval?;
    let end = if rises { "at least" } else { "at most" };
    Some(Limit {
        side: LeftSide {
            estimate,
            blocks,
            no_interval: None,
        },
        interval: if rises {
            (low, f64::INFINITY)
        } else {
            (0.0, high)
        },
        because: format!(
            "the load generator, not `{}`, was the bottleneck: the true value is {end} this",
            limited?.variant
        ),
    })
}

fn with<'a>(figures: &'a [&'a Figure], above: bool) -> impl Iterator<Item = (&'a Figure, bool)> {
    figures.iter().map(move |figure| (*figure, above))
}

/// The left side with the trials in which the generator was the bottleneck.
fn estimate(seen_run: &SeenRun, expect: &Expect) -> Option<(stats::Estimate, usize)> {
    let by_block = |figure: &Figure| with_limits(seen_run, figure);
    if let Some(pairs) = pairs(by_block, expect) {
        let (confidence, blocks) = (seen_run.confidence(pairs.keys()), pairs.len());
        return Some((stats::paired_limit(&values(pairs), confidence)?, blocks));
    }
    let figures = by_block(&expect.of);
    let (confidence, blocks) = (seen_run.confidence(figures.keys()), figures.len());
    let estimate = stats::median_estimate(&values(figures), confidence)?;
    Some((estimate, blocks))
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
        figures_by_block(seen_run.of(variant), metric, |seen| {
            seen.counts_for(metric) || seen.is_lower_limit()
        })
    })
}
