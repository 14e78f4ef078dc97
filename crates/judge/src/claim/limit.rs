//! Left sides of which only one end is known: the generator, or the load itself, kept a stack from showing more.

use std::collections::BTreeMap;

use record::Metric;
use record::condition::{Expect, Figure};
use record::metric::Dimension;

use super::floor::Floor;
use super::measure::{LeftSide, pairs, values};
use crate::curves::stands_at_its_ceiling;
use crate::one_end::{is_of_the_pace, longer, outran};
use crate::seen_run::SeenRun;
use crate::selected::{over_variants, variants};
use crate::words::counted;

/// A left side of which only one end is known.
pub(super) struct Limit {
    /// As measured.
    pub(super) side: LeftSide,
    /// Where the truth lies: one end is infinite, or zero. `None` with too few blocks to tell.
    pub(super) interval: Option<(f64, f64)>,
    /// What limited it.
    pub(super) because: String,
}

/// What is known from one end only as it was measured: rates that the load itself held down, and times that nobody waited
/// out.
pub(super) struct OneSided {
    /// Whether the true value is at least the measured one, or at most; `None` where it may be either.
    rises: Option<bool>,
    /// What must be known of it.
    pub(super) because: String,
}

impl OneSided {
    /// Where the truth lies, if what was measured lies in an interval.
    pub(super) fn opened(&self, (low, high): (f64, f64)) -> (f64, f64) {
        match self.rises {
            Some(true) => (low, f64::INFINITY),
            Some(false) => (0.0, high),
            None => (0.0, f64::INFINITY),
        }
    }
}

/// Whether a figure of a condition is only known to be at least as large as it was measured. The rates of a comparison that
/// stand at their workload's ceiling are: a server that could do more would not have shown it (but not a figure without a
/// ratio and one `as loaded`, which are about the load). So are times in which requests had no response.
pub(super) fn one_sided(seen_run: &SeenRun, expect: &Expect) -> Option<OneSided> {
    let [rising, falling] = expect.sides();
    let (mut held, mut cut, mut ends) = (Vec::new(), Vec::new(), Vec::new());
    for (figure, is_above) in with(&rising, true).chain(with(&falling, false)) {
        if held_down(seen_run, expect, figure) {
            held.push(format!("`{}`", figure.variant));
        } else if let Some(why) = cut_short(seen_run, figure) {
            cut.push(why);
        } else {
            continue;
        }
        ends.push(is_above);
    }
    let first = *ends.first()?;
    let rises = ends.iter().all(|end| *end == first).then_some(first);
    held.dedup();
    cut.dedup();
    let of_the_load = !held.is_empty();
    let at_ceiling = of_the_load.then(|| {
        let stand = if held.len() == 1 { "stands" } else { "stand" };
        format!(
            "{} {stand} at the ceiling that the load sets",
            held.join(" and ")
        )
    });
    let reasons: Vec<String> = at_ceiling.into_iter().chain(cut).collect();
    let what = if expect.over.is_some() {
        "ratio"
    } else {
        "value"
    };
    let meaning = match rises {
        Some(true) => format!("the true {what} is at least this"),
        Some(false) => format!("the true {what} is at most this"),
        None if of_the_load => {
            "this says nothing about the servers, and only more load would".to_owned()
        }
        None => format!("this says nothing about the {what}"),
    };
    Some(OneSided {
        rises,
        because: format!("{}: {meaning}", reasons.join(" and ")),
    })
}

/// Why a figure is only known to be at least as large, where requests or a whole stack did not come back.
fn cut_short(seen_run: &SeenRun, figure: &Figure) -> Option<String> {
    let mut meant = variants(seen_run, figure).into_iter();
    meant.find_map(|variant| {
        let (why, trials) = longer(seen_run, &variant.name, figure.metric)?;
        let trials = counted(trials, "trial");
        Some(format!("{why} in {trials} of `{}`", variant.name))
    })
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
/// lies beyond one end of the measured interval: enough to decide a condition on that end. Where the figures of a ratio
/// move against each other it may lie anywhere. `None` when the generator was no bottleneck or says nothing about the
/// figure.
pub(super) fn at_best(seen_run: &SeenRun, expect: &Expect, floor: &Floor) -> Option<Limit> {
    let outran = |figure: &Figure| {
        let mut all = variants(seen_run, figure).into_iter();
        all.any(|variant| outran(seen_run, &variant.name))
    };
    let [rising, falling] = expect.sides();
    let mut ends = Vec::new();
    let mut limited = None;
    for (figure, is_above) in with(&rising, true).chain(with(&falling, false)) {
        if outran(figure) {
            limited = Some(figure);
            ends.push(better_is_larger(figure.metric)? == is_above);
        }
        // what is known from below beside that
        if held_down(seen_run, expect, figure) || cut_short(seen_run, figure).is_some() {
            ends.push(is_above);
        }
    }
    let limited = &limited?.variant;
    let first = *ends.first()?;
    let rises = ends.iter().all(|end| *end == first).then_some(first);
    let (estimate, blocks) = estimate(seen_run, expect)?;
    let meaning = match rises {
        Some(true) => "the true value is at least this",
        Some(false) => "the true value is at most this",
        None => "this says nothing about the ratio",
    };
    let interval = floor.widened(estimate).map(|(low, high)| match rises {
        Some(true) => (low, f64::INFINITY),
        Some(false) => (0.0, high),
        None => (0.0, f64::INFINITY),
    });
    Some(Limit {
        side: LeftSide {
            estimate,
            blocks,
            no_interval: None,
        },
        interval,
        because: format!("the load generator, not `{limited}`, was the bottleneck: {meaning}"),
    })
}

fn with<'a>(figures: &'a [&'a Figure], above: bool) -> impl Iterator<Item = (&'a Figure, bool)> {
    figures.iter().map(move |figure| (*figure, above))
}

/// The left side with the trials in which the generator was the bottleneck.
fn estimate(seen_run: &SeenRun, expect: &Expect) -> Option<(stats::Estimate, usize)> {
    let by_block = |figure: &Figure, is_compared| with_limits(seen_run, figure, is_compared);
    if let Some(pairs) = pairs(by_block, expect) {
        let (confidence, blocks) = (seen_run.confidence(pairs.keys()), pairs.len());
        return Some((stats::paired_limit(&values(pairs), confidence)?, blocks));
    }
    let figures = by_block(&expect.of, false);
    let (confidence, blocks) = (seen_run.confidence(figures.keys()), figures.len());
    let estimate = stats::median_estimate(&values(figures), confidence)?;
    Some((estimate, blocks))
}

/// Whether a stack that is better than measured has the larger figure. `None` where the
/// generator's saturation says nothing about the figure.
fn better_is_larger(metric: Metric) -> Option<bool> {
    is_of_the_pace(metric).then(|| metric.larger_is_better())
}

/// A variant's figure by block, trials included in which the generator was the bottleneck; as it is compared, if it is.
fn with_limits(seen_run: &SeenRun, figure: &Figure, is_compared: bool) -> BTreeMap<u32, f64> {
    let metric = figure.metric;
    over_variants(seen_run, figure, |variant| {
        if is_compared {
            seen_run.compared_with_limits(variant, metric)
        } else {
            seen_run.with_limits(variant, metric)
        }
    })
}
