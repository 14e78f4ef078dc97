//! What became of an app from one version to another: where variants differ in nothing but the app that they serve, no
//! stack is looked for.

use std::collections::BTreeMap;
use std::path::Path;

use record::condition::{Figure, Pick};
use record::{Load, Metric, Plan, Run, Variant};
use serde::Serialize;

use crate::compare::paired;
use crate::opinion::Comparison;
use crate::seen_run::SeenRun;
use crate::selected::why_no_value;

/// A version of an app against the one that it is compared with. Both are served and loaded alike.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Revised {
    /// The variant that serves it.
    pub variant: String,
    /// The variant that serves the other one, which is the baseline's.
    pub over: String,
    /// Its commit, as `git describe` has it; absent where it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The commit of the other one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over_commit: Option<String>,
    /// By what it is called faster or slower: throughput, or at a given rate the mean response time.
    pub metric: Metric,
    /// The first over the second, by each metric that both have.
    pub comparisons: Vec<Comparison>,
    /// How many blocks most likely tell whether it is faster or slower; absent where that can be told, and where no number
    /// up to 100 would do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wanted: Option<u32>,
    /// Why they have no ratio of that metric, if so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

impl Revised {
    /// The comparison by which it is called faster or slower; none where the two could not be compared.
    pub fn main(&self) -> Option<&Comparison> {
        self.comparisons.iter().find(|of| of.metric == self.metric)
    }
}

/// The versions of a run that compares them, each with what it is compared with; none in any other run.
pub(crate) fn revised(seen_run: &SeenRun, metric: Metric) -> Vec<Revised> {
    let pairs = pairs(&seen_run.run.plan).into_iter();
    pairs
        .map(|(of, over)| one(seen_run, metric, [&of.name, &over.name]))
        .collect()
}

fn one(seen_run: &SeenRun, metric: Metric, [of, over]: [&str; 2]) -> Revised {
    let plan = &seen_run.run.plan;
    let compared = Metric::columns().filter_map(|metric| paired(seen_run, of, over, metric));
    let comparisons: Vec<Comparison> = compared.collect();
    let main = comparisons.iter().find(|found| found.metric == metric);
    let figures = [of, over].map(|name| Figure::of(Pick::default(), metric, name.to_owned()));
    let known = |variant: &str| commit(plan, variant).map(str::to_owned);
    Revised {
        variant: of.to_owned(),
        over: over.to_owned(),
        commit: known(of),
        over_commit: known(over),
        metric,
        wanted: main.and_then(|found| found.wanted),
        failure: main
            .is_none()
            .then(|| why_no_value(seen_run, figures.iter())),
        comparisons,
    }
}

/// Each variant of another app than the baseline's, with the one of the baseline's app that is the same otherwise. None
/// where a variant has no such partner: what differs then is not the app alone.
pub(crate) fn pairs(plan: &Plan) -> Vec<(&Variant, &Variant)> {
    let Some(baseline) = plan.variant(&plan.baseline) else {
        return Vec::new();
    };
    let (before, after): (Vec<&Variant>, Vec<&Variant>) = plan
        .variants
        .iter()
        .partition(|of| served(plan, of) == served(plan, baseline));
    let partner = |of: &Variant| {
        let of = bare(plan, of);
        before.iter().find(|over| bare(plan, over) == of).copied()
    };
    let pairs: Option<Vec<_>> = after.iter().map(|of| Some((*of, partner(of)?))).collect();
    let pairs = pairs.unwrap_or_default();
    let met = |over: &&Variant| pairs.iter().any(|(_, met)| met.name == over.name);
    if before.iter().all(met) && plan.variants.iter().all(Variant::is_stack) {
        pairs
    } else {
        Vec::new()
    }
}

/// The app of a variant: the folder, and what is loaded there.
fn served<'a>(plan: &'a Plan, variant: &'a Variant) -> (&'a Path, &'a str) {
    let app = plan.app_of(variant);
    (&app.dir, &app.entry)
}

/// A variant's stack and load, without what names it and what it serves.
fn bare(plan: &Plan, variant: &Variant) -> Variant {
    let load = plan.load_of(variant);
    Variant {
        name: String::new(),
        title: String::new(),
        env: BTreeMap::new(),
        app: None,
        sweep: None,
        change: None,
        // each variant may draw its own arrivals
        load: Some(Load {
            shape: load.shape.reseeded(0),
            ..load.clone()
        }),
        ..variant.clone()
    }
}

/// The commits of the two sides of a comparison of variants of these runs, as `git describe` has them, where they are
/// known.
pub fn commits<'a>(of: &'a Run, over: &'a Run, comparison: &Comparison) -> [Option<&'a str>; 2] {
    let known = |run: &'a Run, side: &str| -> Option<&'a str> {
        let variant = if of.id == over.id {
            side
        } else {
            side.strip_prefix(&format!("{}:", run.id))?
        };
        commit(&run.plan, variant)
    };
    [known(of, &comparison.of), known(over, &comparison.over)]
}

/// The commit of the app that a variant serves.
fn commit<'a>(plan: &'a Plan, variant: &str) -> Option<&'a str> {
    let variant = plan.variant(variant).filter(|of| of.is_stack())?;
    let folder = plan.app_of(variant).dir.display().to_string();
    plan.revisions.get(&folder).map(String::as_str)
}
