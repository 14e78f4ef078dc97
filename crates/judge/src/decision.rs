//! What follows from a run for whoever deploys the app.

use record::Metric;
use serde::Serialize;

use crate::compare::paired;
use crate::opinion::{Comparison, Lead, Verdict};
use crate::revised;
use crate::seen_run::SeenRun;
use crate::simple::simplest;

/// The variant to deploy, and what that means.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Decision {
    /// The variant to run: the simplest of those that lead, or the baseline where the leader is not surely better.
    pub variant: String,
    /// The leader, where a simpler variant cannot be told apart from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub simpler_than: Option<String>,
    /// The baseline, unless it is the variant itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<String>,
    /// In what it is surely better than the baseline.
    pub brings: Vec<Comparison>,
    /// In what it is surely worse.
    pub costs: Vec<Comparison>,
    /// Variants that it cannot be told apart from, the best first.
    pub as_good: Vec<String>,
    /// Variants that it does not surely beat, and that are for development only: none is to be deployed, however fast.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub development: Vec<String>,
    /// Whether no other variant could be measured.
    pub alone: bool,
}

/// The decision of a run that compared several stacks often enough for intervals, or of which one alone could be
/// measured; none of any other, and none where one for which the generator was too slow may be better. Versions of an
/// app are no stacks.
pub(crate) fn decision(seen_run: &SeenRun, lead: &Lead) -> Option<Decision> {
    let unknown = lead
        .outran
        .iter()
        .any(|(name, _)| is_for_use(seen_run, name));
    let plan = &seen_run.run.plan;
    if plan.search.is_some() || unknown || !revised::pairs(plan).is_empty() {
        return None;
    }
    let (rivals, development): (Vec<&String>, Vec<&String>) =
        (lead.rivals.iter()).partition(|name| is_for_use(seen_run, name));
    let rivals: Vec<&str> = rivals.into_iter().map(String::as_str).collect();
    let leader = *rivals.first()?;
    if lead.rivals.len() == 1 && lead.entered > 1 {
        return Some(alone(leader));
    }
    let against = |over: &str| paired(seen_run, leader, over, lead.metric);
    let known =
        |over: &String| over != leader && against(over).is_some_and(|of| of.interval.is_some());
    let better = |over: &str| against(over).is_some_and(|of| of.verdict == Verdict::Better);
    if !lead.rivals.iter().any(known) {
        return None;
    }
    let baseline = seen_run.baseline();
    let keeps = rivals.contains(&baseline) && !better(baseline);
    let variant = if keeps {
        baseline
    } else {
        simplest(seen_run, lead.metric, &rivals)
    };
    let over_rival = |over: &str| paired(seen_run, variant, over, lead.metric);
    let beats = |over: &str| {
        let compared = if keeps {
            against(over)
        } else {
            over_rival(over)
        };
        compared.is_some_and(|of| of.verdict == Verdict::Better)
    };
    let as_good = rivals
        .iter()
        .filter(|name| **name != variant && !beats(name));
    let development = development.into_iter().filter(|name| !beats(name));
    let over = (variant != baseline).then_some(baseline);
    let compared =
        |over| Metric::columns().filter_map(move |of| paired(seen_run, variant, over, of));
    let compared: Vec<Comparison> = over.into_iter().flat_map(compared).collect();
    let of = |verdict| {
        let compared = compared.iter();
        compared.filter(move |of| of.verdict == verdict).cloned()
    };
    Some(Decision {
        variant: variant.to_owned(),
        simpler_than: (!keeps && variant != leader).then(|| leader.to_owned()),
        over: over.map(str::to_owned),
        brings: of(Verdict::Better).collect(),
        costs: of(Verdict::Worse).collect(),
        as_good: as_good.map(|name| (*name).to_owned()).collect(),
        development: development.cloned().collect(),
        alone: false,
    })
}

/// To deploy the one that could be measured.
fn alone(variant: &str) -> Decision {
    Decision {
        variant: variant.to_owned(),
        simpler_than: None,
        over: None,
        brings: Vec::new(),
        costs: Vec::new(),
        as_good: Vec::new(),
        development: Vec::new(),
        alone: true,
    }
}

/// Whether no program of a variant is for development only.
fn is_for_use(seen_run: &SeenRun, variant: &str) -> bool {
    let mut trials = seen_run.of(variant);
    let stack = trials.find_map(|seen| seen.trial.measured().map(|measured| &measured.stack));
    !stack.is_some_and(|stack| stack.servers.iter().any(|server| server.development))
}
