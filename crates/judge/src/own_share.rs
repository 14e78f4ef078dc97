//! What the load generator, which runs on the cores of what it measures, may have done to a ratio, or to a figure.
//!
//! Where a stack and the generator together keep every core busy, what the generator takes is what the stack does not
//! get: with the generator elsewhere a rate could be larger by its part, and no more. Where cores are idle it takes
//! nothing that the stack would have had. What a variant would make of that part is not known: all, or nothing. So a ratio
//! of two variants lies between what it is if the one alone gains by it and what it is if the other one does.

use record::condition::{Expect, Figure};
use record::metric::Dimension;
use record::{Load, Measured, Metric, ProcessCost};

use crate::compare::NEGLIGIBLE;
use crate::opinion::OwnShare;
use crate::seen_run::SeenRun;
use crate::selected::variants;
use crate::words::{number, percent};

/// Share of all cores' time from which on they count as busy.
const BUSY: f64 = 0.95;

/// By what a ratio, or a figure, may be multiplied with the generator elsewhere.
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
    let [rising, falling] = expect.sides().map(|figures| {
        let figures = figures.into_iter();
        let sides = figures.map(|figure| Side::of_figure(seen_run, figure));
        sides.collect::<Vec<_>>()
    });
    freed(&rising, &falling)
}

/// Of one variant over another, which may be of another run.
pub(crate) fn of_pair(
    of: (&SeenRun, &str),
    over: (&SeenRun, &str),
    metric: Metric,
) -> Option<Freed> {
    let [of, over] = [of, over].map(|side| Side::of_variant(side, metric));
    freed(&[of], &[over])
}

/// Of a figure by itself.
pub(crate) fn of_figure(seen_run: &SeenRun, figure: &Figure) -> Option<Freed> {
    freed(&[Side::of_figure(seen_run, figure)], &[])
}

/// Of one variant's figure by itself.
pub(crate) fn of_variant(of: (&SeenRun, &str), metric: Metric) -> Option<Freed> {
    freed(&[Side::of_variant(of, metric)], &[])
}

/// What stands above or below the line of a ratio.
struct Side<'a> {
    seen_run: &'a SeenRun<'a>,
    name: String,
    variants: Vec<String>,
    metric: Metric,
}

impl<'a> Side<'a> {
    fn of_figure(seen_run: &'a SeenRun<'a>, figure: &Figure) -> Self {
        Self {
            seen_run,
            name: figure.variant.clone(),
            variants: names(seen_run, figure),
            metric: figure.metric,
        }
    }

    fn of_variant((seen_run, name): (&'a SeenRun<'a>, &str), metric: Metric) -> Self {
        Self {
            seen_run,
            name: name.to_owned(),
            variants: vec![name.to_owned()],
            metric,
        }
    }
}

fn names(seen_run: &SeenRun, figure: &Figure) -> Vec<String> {
    let all = variants(seen_run, figure).into_iter();
    all.map(|variant| variant.name.clone()).collect()
}

/// `None` where that is within what weir calls no difference, and where it is not known.
fn freed(rising: &[Side], falling: &[Side]) -> Option<Freed> {
    let above = rising.iter().map(|side| (side, true));
    let below = falling.iter().map(|side| (side, false));
    let (mut low, mut high) = (1.0, 1.0);
    let mut shares: Vec<(String, f64)> = Vec::new();
    for (side, above) in above.chain(below) {
        let share = held_back(side)?;
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

/// The generator's share of the CPU time of these variants, where they had no core to spare; 0 where they had, where it has cores
/// of its own, and of a rate that was asked for, which is no larger for a core more. `None` where it is not known, or no rate and
/// no time is asked for.
fn held_back(side: &Side) -> Option<f64> {
    let dimension = side.metric.dimension();
    if !matches!(dimension, Dimension::Rate | Dimension::Time) {
        return None;
    }
    let seen_run = side.seen_run;
    let plan = &seen_run.run.plan;
    if plan.cpus.is_some() {
        return Some(0.0);
    }
    let cores = f64::from(seen_run.run.host.cores.max(1));
    let asked_for = |name: &str| {
        let load = plan.variant(name).map(|of| plan.load_of(of));
        dimension == Dimension::Rate && load.is_some_and(Load::is_at_a_rate)
    };
    let mut most: f64 = 0.0;
    let names = side.variants.iter().map(String::as_str);
    for variant in names.filter(|name| !asked_for(name)) {
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

/// Whether no core was idle, whoever had it: a database of the machine that the stack uses, other programs and the hypervisor, too.
fn is_busy(measured: &Measured, cores: f64) -> bool {
    let cpu: f64 = measured.processes.iter().map(ProcessCost::cpu).sum();
    let observed = &measured.observed;
    let beside = [&observed.partners, &observed.others];
    let beside: f64 = beside.into_iter().flatten().map(|of| of.share).sum();
    let stolen = measured.load.stolen.map_or(0.0, |of| of.share);
    let all = cores * measured.load.watched();
    cpu + (beside + stolen) * all >= BUSY * all
}

impl Freed {
    /// Where a ratio, or a figure, that came out at `value` lies.
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
