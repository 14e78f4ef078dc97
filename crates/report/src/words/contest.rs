use judge::{Figure, StageOpinion};
use record::{Load, Metric, Plan};

use crate::units;

/// By what stages are compared, and which of them can be.
pub(super) struct Contest<'a> {
    plan: &'a Plan,
    /// What all of them serve.
    pub(super) route: &'a str,
    /// The load that all have in common, if that is what makes them comparable.
    load: Option<&'a Load>,
    pub(super) metric: Metric,
    /// What stands before its figures.
    words: &'static str,
}

impl<'a> Contest<'a> {
    /// With the baseline. What stages do at a rate is compared at the same rate only.
    pub(super) fn of(plan: &'a Plan, baseline: &str) -> Self {
        let planned = plan.stage(baseline);
        let load = planned.map(|stage| plan.load_of(stage));
        let load = load.filter(|load| load.shape.is_open());
        let (metric, words) = match load {
            Some(_) => (Metric::Mean, "mean response time "),
            None => (Metric::Throughput, ""),
        };
        Self {
            plan,
            route: planned.map_or("/", |stage| stage.route.as_str()),
            load,
            metric,
            words,
        }
    }

    /// Whether the stage of this name competes.
    pub(super) fn has(&self, name: &str) -> bool {
        self.plan.stage(name).is_some_and(|stage| {
            let load = self.plan.load_of(stage);
            let alike = match self.load {
                Some(own) => own == load,
                None => !load.shape.is_open(),
            };
            stage.route == self.route && alike
        })
    }

    pub(super) fn told(&self, figure: &Figure) -> String {
        format!("{}{}", self.words, units::figure(self.metric, figure))
    }

    pub(super) fn told_wholly(&self, figure: &Figure) -> String {
        let missing = if figure.interval.is_none() {
            " (no interval)"
        } else {
            ""
        };
        format!("{}{missing}", self.told(figure))
    }

    pub(super) fn against_baseline(&self, stage: &StageOpinion) -> String {
        let mut comparisons = stage.against_baseline.iter();
        let own = comparisons.find(|comparison| comparison.metric == self.metric);
        own.map_or_else(String::new, |comparison| {
            let ratio = units::ratio_within(comparison.ratio, comparison.interval);
            format!(", {ratio} that of `{}`", comparison.over)
        })
    }

    pub(super) fn overlap(&self, best: &Figure, rival: &Figure) -> bool {
        match (best.interval, rival.interval) {
            (Some((low, _)), Some((_, high))) if self.metric.larger_is_better() => high >= low,
            (Some((_, high)), Some((low, _))) => low <= high,
            _ => true,
        }
    }
}
