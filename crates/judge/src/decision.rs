//! What follows from a run for whoever deploys the app.

use record::Metric;
use serde::Serialize;

use crate::compare::paired;
use crate::leaders::{Leaders, better};
use crate::opinion::{Comparison, Lead, Verdict};
use crate::revised;
use crate::seen_run::SeenRun;
use crate::simple::{cheaper, saved, simplest};

/// How much worse a variant that is cheaper may be at most, as a share, to take the place of what runs today.
const BEARABLE: f64 = 0.1;

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
    /// In what it may be worse by more than a tenth, though the run cannot tell.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub may_cost: Vec<Comparison>,
    /// Variants that may be as good, the best first: none is surely better than these either, and the variant is not surely
    /// cheaper.
    pub as_good: Vec<String>,
    /// Variants that none surely beats, and that are for development only: none is to be deployed, however fast.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub development: Vec<String>,
    /// Whether no other variant could be measured.
    pub alone: bool,
}

/// What a run says to deploy, or what keeps it from saying so.
#[derive(Default)]
pub(crate) struct Decided {
    /// The decision, if there is one.
    pub(crate) decision: Option<Decision>,
    /// The variant that would be deployed because it is cheaper, against what runs today, where it may be too much slower.
    pub(crate) too_wide: Option<Comparison>,
}

/// The decision of a run that compared several stacks often enough for intervals, or of which one alone could be
/// measured; none of any other, none where one for which the generator was too slow may be better, and none where what is
/// cheaper than the baseline may be so much slower that nothing could be told. Versions of an app are no stacks.
pub(crate) fn decided(seen_run: &SeenRun, lead: &Lead) -> Decided {
    let Some(found) = compared(seen_run, lead) else {
        return Decided::default();
    };
    if lead.rivals.len() == 1 && lead.entered > 1 {
        return Decided {
            decision: Some(alone(found.leading[0])),
            too_wide: None,
        };
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
    let beside = (keeps && variant != usual)
        .then(|| paired(seen_run, variant, usual, lead.metric))
        .flatten();
    let too_wide = beside.filter(may_be_worse);
    if too_wide.is_some() {
        return Decided {
            decision: None,
            too_wide,
        };
    }
    let leader = found.leading[0];
    open.retain(|name| *name != variant && saved(seen_run, variant, name).is_empty());
    let development = lead.development.iter();
    let development = development.filter(|name| lead.rivals.contains(name) && unbeaten(name));
    Decided {
        decision: Some(Decision {
            simpler_than: (!keeps && variant != leader).then(|| leader.to_owned()),
            saves,
            as_good: open.into_iter().map(str::to_owned).collect(),
            development: development.cloned().collect(),
            ..weighed(seen_run, variant)
        }),
        too_wide: None,
    }
}

/// The variants that may be deployed, the best first, at least one that leads; none where the run has none to choose from.
fn compared<'a>(seen_run: &SeenRun, lead: &'a Lead) -> Option<Leaders<'a>> {
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
    let known = |over: &String| {
        let compared = paired(seen_run, leader, over, lead.metric);
        over != leader && compared.is_some_and(|of| of.interval.is_some())
    };
    let is_alone = lead.rivals.len() == 1 && lead.entered > 1;
    (is_alone || lead.rivals.iter().any(known)).then_some(found)
}

/// Whether nothing could be told of two variants, and the first may be worse than can be borne.
fn may_be_worse(of: &Comparison) -> bool {
    let at_most = of.worse_at_most();
    of.verdict == Verdict::CannotTell && at_most.is_some_and(|share| share > BEARABLE)
}

/// To deploy a variant, with what that brings and costs against the baseline.
fn weighed(seen_run: &SeenRun, variant: &str) -> Decision {
    let baseline = seen_run.baseline();
    let over = (variant != baseline).then_some(baseline);
    let compared =
        |over| Metric::columns().filter_map(move |of| paired(seen_run, variant, over, of));
    let compared: Vec<Comparison> = over.into_iter().flat_map(compared).collect();
    let of = |verdict| {
        let compared = compared.iter();
        compared.filter(move |of| of.verdict == verdict).cloned()
    };
    Decision {
        over: over.map(str::to_owned),
        brings: of(Verdict::Better).collect(),
        costs: of(Verdict::Worse).collect(),
        may_cost: compared
            .iter()
            .filter(|of| may_be_worse(of))
            .cloned()
            .collect(),
        alone: false,
        ..alone(variant)
    }
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
        may_cost: Vec::new(),
        as_good: Vec::new(),
        development: Vec::new(),
        alone: true,
    }
}
