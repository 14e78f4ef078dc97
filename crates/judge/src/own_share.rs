//! What the load generator, which runs on the cores of what it measures, may have done to a ratio.
//!
//! Where a stack and the generator together keep every core busy, what the generator takes is what the stack does not
//! get: with the generator elsewhere a rate could be larger by its part, and no more. Where cores are idle it takes
//! nothing that the stack would have had. What a variant would make of that part is not known: all, or nothing. So a ratio
//! of two variants lies between what it is if the one alone gains by it and what it is if the other one does.

use record::condition::{Expect, Figure};
use record::metric::Dimension;
use record::{Measured, Metric, ProcessCost};

use crate::compare::NEGLIGIBLE;
use crate::opinion::OwnShare;
use crate::seen_run::SeenRun;
use crate::selected::variants;
use crate::words::{number, percent};

/// Share of all cores' time from which on they count as busy.
const BUSY: f64 = 0.95;

/// By what a ratio may be multiplied with the generator elsewhere.
pub(crate) struct Freed {
    /// At least, and at most: 1 lies between.
    factors: (f64, f64),
    shares: Vec<(String, f64)>,
}

/// Of a condition that compares.
pub(crate) fn of_condition(seen_run: &SeenRun, expect: &Expect) -> Option<Freed> {
    expect.over.as_ref()?;
    if expect.as_loaded {
        return None;
    }
    let side = |figures: Vec<&Figure>| -> Vec<Side> {
        let figures = figures.into_iter();
        figures
            .map(|figure| Side {
                name: figure.variant.clone(),
                variants: names(seen_run, figure),
                metric: figure.metric,
            })
            .collect()
    };
    let [rising, falling] = expect.sides();
    freed(seen_run, &side(rising), &side(falling))
}

/// Of one variant over another.
pub(crate) fn of_pair(seen_run: &SeenRun, of: &str, over: &str, metric: Metric) -> Option<Freed> {
    let side = |name: &str| Side {
        name: name.to_owned(),
        variants: vec![name.to_owned()],
        metric,
    };
    freed(seen_run, &[side(of)], &[side(over)])
}

/// What stands above or below the line of a ratio.
struct Side {
    name: String,
    variants: Vec<String>,
    metric: Metric,
}

fn names(seen_run: &SeenRun, figure: &Figure) -> Vec<String> {
    let all = variants(seen_run, figure).into_iter();
    all.map(|variant| variant.name.clone()).collect()
}

/// `None` where that is within what weir calls no difference, and where it is not known.
fn freed(seen_run: &SeenRun, rising: &[Side], falling: &[Side]) -> Option<Freed> {
    if seen_run.run.plan.cpus.is_some() {
        return None;
    }
    let above = rising.iter().map(|side| (side, true));
    let below = falling.iter().map(|side| (side, false));
    let (mut low, mut high) = (1.0, 1.0);
    let mut shares: Vec<(String, f64)> = Vec::new();
    for (side, above) in above.chain(below) {
        let share = held_back(seen_run, side)?;
        let grows = (side.metric.dimension() == Dimension::Rate) == above;
        if grows {
            high /= 1.0 - share;
        } else {
            low *= 1.0 - share;
        }
        if share > 0.0 && !shares.iter().any(|(of, _)| *of == side.name) {
            shares.push((side.name.clone(), share));
        }
    }
    let matters = high.max(1.0 / low) > 1.0 + NEGLIGIBLE;
    let factors = (low, high);
    matters.then_some(Freed { factors, shares })
}

/// The generator's share of the CPU time of these variants, where they had no core to spare; 0 where they had.
/// `None` where it is not known, or no rate and no time is asked for.
fn held_back(seen_run: &SeenRun, side: &Side) -> Option<f64> {
    let dimension = side.metric.dimension();
    if !matches!(dimension, Dimension::Rate | Dimension::Time) {
        return None;
    }
    let cores = f64::from(seen_run.run.host.cores.max(1));
    let mut most: f64 = 0.0;
    for variant in &side.variants {
        let trials = seen_run.of(variant);
        let counted = trials.filter(|seen| seen.counts_for(Metric::Throughput));
        let shares = counted.filter_map(|seen| {
            let share = seen.opinion.figures.get(&Metric::GeneratorCpu)?;
            let busy = is_busy(seen.trial.measured()?, cores);
            Some(if busy { *share } else { 0.0 })
        });
        most = most.max(stats::median(&shares.collect::<Vec<_>>())?);
    }
    Some(most)
}

fn is_busy(measured: &Measured, cores: f64) -> bool {
    let cpu: f64 = measured.processes.iter().map(ProcessCost::cpu).sum();
    cpu >= BUSY * cores * measured.load.watched()
}

impl Freed {
    /// Where a ratio that came out at `value` lies.
    pub(crate) fn between(&self, value: f64) -> (f64, f64) {
        let (low, high) = self.factors;
        (value * low, value * high)
    }

    /// Of a ratio that came out at `value`; `same` is whether what is said of it stays the same when it is multiplied.
    pub(crate) fn told(self, value: f64, same: impl Fn(f64) -> bool) -> OwnShare {
        let (low, high) = self.factors;
        let (between, same) = (self.between(value), same(low) && same(high));
        let shares = self.shares.iter();
        let shares = shares.map(|(of, share)| format!("{} beside `{of}`", percent(*share)));
        let beyond = if same {
            ""
        } else {
            ", beyond the edge: with a core more, `--load-cpus 1` measures that"
        };
        let because = format!(
            "no core was idle, and of the CPU time the load generator took {}: with it elsewhere the ratio lies between {} × \
             and {} ×{beyond}",
            shares.collect::<Vec<_>>().join(" and "),
            number(between.0),
            number(between.1)
        );
        OwnShare {
            between,
            same,
            shares: self.shares,
            because,
        }
    }
}
