//! Which variant serves the baseline's route best, and of which others that is sure.

use record::{Load, Metric, Plan, Variant};

use crate::compare::paired;
use crate::one_end;
use crate::opinion::{Comparison, Figure, Lead, VariantOpinion, Verdict};
use crate::own_share;
use crate::seen_run::SeenRun;

/// The variants that do the baseline's work, and the first of them against each of the others: by the same comparison,
/// and so in the same words, as against the baseline.
///
/// That a variant is the fastest of many asks that it be better than each of the others. All of these must be sure
/// at once, so that each keeps its 95 %: more rivals make it harder to be named, and not likelier
/// (intersection-union test: Berger, "Multiparameter Hypothesis Testing and Acceptance Sampling",
/// Technometrics 24, 1982).
pub(crate) fn lead(seen_run: &SeenRun, variants: &[VariantOpinion]) -> Lead {
    let plan = &seen_run.run.plan;
    let contest = Contest::of(plan, seen_run.baseline());
    let metric = contest.metric;
    let entered: Vec<&Variant> = plan.variants.iter().filter(|of| contest.has(of)).collect();
    let figure = |variant: &Variant| -> Option<Figure> {
        let opinion = variants.iter().find(|of| of.name == variant.name)?;
        opinion.figures.get(&metric).copied()
    };
    let mut rivals: Vec<(&str, f64)> = entered
        .iter()
        .filter_map(|variant| Some((variant.name.as_str(), figure(variant)?.value)))
        .collect();
    rivals.sort_by(|a, b| a.1.total_cmp(&b.1));
    if metric.larger_is_better() {
        rivals.reverse();
    }
    let mut rivals: Vec<&str> = rivals.into_iter().map(|(name, _)| name).collect();
    let against = |leader: &str, rivals: &[&str]| -> Vec<Comparison> {
        let others = rivals.iter().filter(|name| **name != leader);
        let compared = others.filter_map(|other| paired(seen_run, leader, other, metric));
        compared.collect()
    };
    // block by block another one may be surely better than the one with the best median
    let beaten = |leader: &str| {
        let comparisons = against(leader, &rivals);
        comparisons.iter().any(|of| of.verdict == Verdict::Worse)
    };
    if let Some(first) = rivals.iter().position(|name| !beaten(name)) {
        rivals[..=first].rotate_right(1);
    }
    let comparisons = rivals.first().map(|leader| against(leader, &rivals));
    let baseline = seen_run.baseline();
    let over = rivals.first().filter(|leader| **leader != baseline);
    let own_share = over.and_then(|leader| {
        let compared = paired(seen_run, leader, baseline, metric)?;
        let (low, high) = compared.interval?;
        let ahead = |by: f64| low * by > 1.0 || high * by < 1.0;
        let freed = own_share::of_pair(seen_run, leader, baseline, metric)?;
        Some(freed.told(compared.ratio, |by| ahead(by) == ahead(1.0)))
    });
    let leader = rivals.first().copied();
    let others = entered.iter().map(|variant| variant.name.as_str());
    let others = others.filter(|name| Some(*name) != leader && metric == Metric::Throughput);
    let outran = others.filter_map(|name| Some((name.to_owned(), least(seen_run, name)?)));
    Lead {
        route: contest.route.to_owned(),
        metric,
        entered: entered.len() as u32,
        comparisons: comparisons.unwrap_or_default(),
        own_share,
        outran: outran.collect(),
        rivals: rivals.into_iter().map(str::to_owned).collect(),
    }
}

/// The rate that a variant reached at least, the median over its blocks, where the generator was the bottleneck in some.
fn least(seen_run: &SeenRun, variant: &str) -> Option<f64> {
    let outran = one_end::outran(seen_run, variant);
    let reached = outran.then(|| seen_run.with_limits(variant, Metric::Throughput))?;
    stats::median(&reached.into_values().collect::<Vec<_>>())
}

/// By what variants are compared, and which of them can be.
struct Contest<'a> {
    plan: &'a Plan,
    /// What all of them serve.
    route: &'a str,
    /// The load that all have in common, if that is what makes them comparable.
    load: Option<&'a Load>,
    metric: Metric,
}

impl<'a> Contest<'a> {
    /// With the baseline. What variants do at a rate is compared at the same rate only, and there who answers soonest
    /// is best, as all that keep up answer as much.
    fn of(plan: &'a Plan, baseline: &str) -> Self {
        let planned = plan.variant(baseline);
        let load = planned.map(|variant| plan.load_of(variant));
        let load = load.filter(|load| load.shape.is_open());
        Self {
            plan,
            route: planned.map_or("/", |variant| variant.route.as_str()),
            load,
            metric: load.map_or(Metric::Throughput, |_| Metric::Mean),
        }
    }

    /// Whether a variant competes: one that answers another route, or at another rate, does other work.
    fn has(&self, variant: &Variant) -> bool {
        let load = self.plan.load_of(variant);
        let alike = match self.load {
            Some(own) => own == load,
            None => !load.shape.is_open(),
        };
        variant.route == self.route && alike
    }
}
