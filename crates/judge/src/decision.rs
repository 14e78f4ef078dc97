//! What follows from a run for whoever deploys the app.

use record::Metric;
use serde::Serialize;

use crate::compare::paired;
use crate::leaders::{Leaders, better};
use crate::opinion::{Comparison, Lead, Verdict};
use crate::revised;
use crate::seen_run::SeenRun;
use crate::simple::{cheaper, saved, simplest};

/// The variant to deploy, and what that means.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Decision {
    /// The variant to run: the simplest of those that lead, or the baseline where none is surely better; or instead of that one
    /// which is as fast and surely cheaper.
    pub variant: String,
    /// The leader, where another that leads is to be run: it is surely better than the baseline and the leader is not, or
    /// it is simpler, or surely cheaper.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub simpler_than: Option<String>,
    /// In what it is surely better than the variant that would be run otherwise, and as fast and surely worse in nothing, as far as
    /// the run can tell: p99, CPU time for each request, or memory.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub saves: Vec<Comparison>,
    /// The baseline, unless it is the variant itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<String>,
    /// In what it is surely better than the baseline.
    pub brings: Vec<Comparison>,
    /// In what it is surely worse.
    pub costs: Vec<Comparison>,
    /// Variants that may be as good, the best first: none is surely better than these either, and the variant is not surely
    /// cheaper.
    pub as_good: Vec<String>,
    /// Variants that none surely beats, and that are for development only: none is to be deployed, however fast.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub development: Vec<String>,
    /// Whether no other variant could be measured.
    pub alone: bool,
}

/// The decision of a run that compared several stacks often enough for intervals, or of which one alone could be
/// measured; none of any other, and none where one for which the generator was too slow may be better. Versions of an
/// app are no stacks.
pub(crate) fn decision(seen_run: &SeenRun, lead: &Lead) -> Option<Decision> {
    let for_use = |name: &&str| !lead.development.iter().any(|of| of == name);
    let mut outran = lead.outran.iter();
    let unknown = outran.any(|(name, _)| for_use(&name.as_str()));
    let plan = &seen_run.run.plan;
    if plan.search.is_some() || unknown || !revised::pairs(plan).is_empty() {
        return None;
    }
    let rivals = lead.rivals.iter().map(String::as_str);
    let found = Leaders::of(seen_run, lead.metric, rivals.filter(for_use).collect());
    let leader = *found.leading.first()?;
    if lead.rivals.len() == 1 && lead.entered > 1 {
        return Some(alone(leader));
    }
    let known = |over: &String| {
        let compared = paired(seen_run, leader, over, lead.metric);
        over != leader && compared.is_some_and(|of| of.interval.is_some())
    };
    if !lead.rivals.iter().any(known) {
        return None;
    }
    let unbeaten = |name: &str| better(seen_run, lead.metric, name, &found.order).is_none();
    let baseline = seen_run.baseline();
    let keeps = found.order.contains(&baseline) && unbeaten(baseline);
    let mut open = found.order.clone();
    open.retain(|name| unbeaten(name));
    let usual = if keeps {
        baseline
    } else {
        simplest(seen_run, lead.metric, &found.leading)
    };
    let (variant, saves) = cheaper(seen_run, lead.metric, usual, &open);
    open.retain(|name| *name != variant && saved(seen_run, variant, name).is_empty());
    let development = lead.development.iter();
    let development = development.filter(|name| lead.rivals.contains(name) && unbeaten(name));
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
        saves,
        over: over.map(str::to_owned),
        brings: of(Verdict::Better).collect(),
        costs: of(Verdict::Worse).collect(),
        as_good: open.into_iter().map(str::to_owned).collect(),
        development: development.cloned().collect(),
        alone: false,
    })
}

/// To deploy the one that could be measured.
fn alone(variant: &str) -> Decision {
    Decision {
        variant: variant.to_owned(),
        simpler_than: None,
        saves: Vec::new(),
        over: None,
        brings: Vec::new(),
        costs: Vec::new(),
        as_good: Vec::new(),
        development: Vec::new(),
        alone: true,
    }
}
