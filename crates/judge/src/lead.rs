//! Which variant serves the baseline's route best, and of which others that is sure.

use record::{Load, Metric, Plan, Variant};

use crate::compare::paired;
use crate::leaders::Leaders;
use crate::one_end;
use crate::opinion::{Lead, OwnShare, VariantOpinion};
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
    let found = Leaders::of(seen_run, metric, by_median(variants, &entered, metric));
    let leader = found.order.first().copied();
    let names = entered.iter().map(|variant| variant.name.as_str());
    let development = names
        .clone()
        .filter(|name| is_for_development(seen_run, name));
    let others = names.filter(|name| Some(*name) != leader && metric == Metric::Throughput);
    let outran = others.filter_map(|name| Some((name.to_owned(), least(seen_run, name)?)));
    Lead {
        route: contest.route.to_owned(),
        metric,
        entered: entered.len() as u32,
        own_share: leader.and_then(|leader| own_share(seen_run, leader, metric)),
        outran: outran.collect(),
        development: development.map(str::to_owned).collect(),
        rivals: owned(&found.order),
        leaders: owned(&found.leading),
        beaten: found.beaten,
        comparisons: found.comparisons,
    }
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Those of these variants that have a figure, the best median first.
fn by_median<'a>(
    variants: &[VariantOpinion],
    entered: &[&'a Variant],
    metric: Metric,
) -> Vec<&'a str> {
    let figure = |name: &str| -> Option<f64> {
        let opinion = variants.iter().find(|of| of.name == name)?;
        Some(opinion.figures.get(&metric)?.value)
    };
    let names = entered.iter().map(|variant| variant.name.as_str());
    let mut figures: Vec<(&'a str, f64)> = names
        .filter_map(|name| Some((name, figure(name)?)))
        .collect();
    figures.sort_by(|a, b| a.1.total_cmp(&b.1));
    if metric.larger_is_better() {
        figures.reverse();
    }
    figures.into_iter().map(|(name, _)| name).collect()
}

/// What the load generator may have done to the ratio of the leader to the baseline.
fn own_share(seen_run: &SeenRun, leader: &str, metric: Metric) -> Option<OwnShare> {
    let baseline = seen_run.baseline();
    if leader == baseline {
        return None;
    }
    let compared = paired(seen_run, leader, baseline, metric)?;
    let (low, high) = compared.interval?;
    let ahead = |by: f64| low * by > 1.0 || high * by < 1.0;
    let freed = own_share::of_pair((seen_run, leader), (seen_run, baseline), metric)?;
    Some(freed.told(compared.ratio, |by| ahead(by) == ahead(1.0)))
}

/// Whether a program of a variant is for development only.
fn is_for_development(seen_run: &SeenRun, variant: &str) -> bool {
    let mut trials = seen_run.of(variant);
    let stack = trials.find_map(|seen| seen.trial.measured().map(|measured| &measured.stack));
    stack.is_some_and(|stack| stack.servers.iter().any(|server| server.development))
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
    /// The open loop that all have in common, if that is what makes them comparable.
    load: Option<&'a Load>,
    metric: Metric,
}

impl<'a> Contest<'a> {
    /// With the baseline. What variants do at a rate is compared at the same rate only, and there the one that responds
    /// soonest is best, as all that keep up respond as often. A rate that is looked for is what a variant can do, and is
    /// compared where the goal is the same.
    fn of(plan: &'a Plan, baseline: &str) -> Self {
        let planned = plan.variant(baseline);
        let load = planned.map(|variant| plan.load_of(variant));
        let load = load.filter(|load| load.is_open());
        let at_a_rate = load.is_some_and(|load| load.goal.is_none());
        Self {
            plan,
            route: planned.map_or("/", |variant| variant.route.as_str()),
            load,
            metric: if at_a_rate {
                Metric::Mean
            } else {
                Metric::Throughput
            },
        }
    }

    /// Whether a variant competes: one that answers another route, or at another rate, does other work.
    fn has(&self, variant: &Variant) -> bool {
        let load = self.plan.load_of(variant);
        let alike = match self.load {
            Some(own) if own.goal.is_some() => own.goal == load.goal,
            Some(own) => own == load,
            None => !load.is_open(),
        };
        variant.route == self.route && alike
    }
}
