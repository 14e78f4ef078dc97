//! What the loads of `weir bench` say of the thresholds that were asked for.

use std::collections::{BTreeMap, BTreeSet};

use experiment::Found;
use judge::{Crossed, ThresholdResult};
use record::{LoadFacts, Search};

use crate::args::BenchArgs;

/// The thresholds of each load that decides them: of a survey its open loops, as its closed loops seek the point where they
/// break; of a search for a goal the windows at the rate that holds, as the others seek where it does not.
pub(super) fn thresholds(
    args: &BenchArgs,
    found: &Found,
    holds: Option<f64>,
) -> BTreeMap<String, Vec<ThresholdResult>> {
    let plan = &found.run.plan;
    let decided = found.trials.iter().filter_map(|trial| {
        let load = &trial.measured()?.load;
        let doubts = judge::doubts(load);
        let decides = match plan.search {
            Some(Search::Survey) => load.shape.is_open(),
            Some(Search::Goal) => is_at(load, holds?),
            Some(Search::Sweep) | None => true,
        };
        let all = args.output.thresholds().filter(|_| decides);
        let all = all.map(|threshold| threshold.decide(load, &doubts));
        Some((trial.variant.clone(), all.collect()))
    });
    let mut decided: BTreeMap<String, Vec<ThresholdResult>> = decided.collect();
    match plan.search {
        Some(Search::Goal) => keep_what_counts(&mut decided),
        Some(Search::Survey) => add_undecided(args, found, &mut decided),
        _ => {}
    }
    decided
}

/// A survey that came to no load at a rate decides nothing, and what could not be checked was not passed.
fn add_undecided(
    args: &BenchArgs,
    found: &Found,
    all: &mut BTreeMap<String, Vec<ThresholdResult>>,
) {
    let mut trials = found.trials.iter().rev();
    let Some(last) = trials.find(|trial| trial.measured().is_some()) else {
        return;
    };
    for threshold in args.output.thresholds() {
        if !all.values().flatten().any(|of| of.text == threshold.text) {
            let results = all.entry(last.variant.clone()).or_default();
            results.push(ThresholdResult {
                text: threshold.text.clone(),
                crossed: Crossed::CannotTell,
                counts: true,
                value: None,
                because: "no load at a rate was applied, which decides it".to_owned(),
            });
        }
    }
}

/// Of several windows at one rate those decide whose figures can be trusted, where there is one.
fn keep_what_counts(all: &mut BTreeMap<String, Vec<ThresholdResult>>) {
    let counted = all.values().flatten().filter(|of| of.counts);
    let counted: BTreeSet<String> = counted.map(|of| of.text.clone()).collect();
    for results in all.values_mut() {
        results.retain(|of| of.counts || !counted.contains(&of.text));
    }
}

/// Whether requests of a load fell due at this rate.
fn is_at(load: &LoadFacts, rate: f64) -> bool {
    let arrivals = load.shape.arrivals();
    arrivals.is_some_and(|of| of.highest_rate().total_cmp(&rate).is_eq())
}
