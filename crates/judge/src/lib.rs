//! Stored facts become opinions: doubts, figures with intervals, comparisons, verdicts on claims.
//!
//! Everything here is a pure function of a [`record::Run`] and its [`record::Trial`]s, so a better
//! statistic improves old runs. `report` words and draws what this crate concludes.
//!
//! A trial with a disqualifying doubt is shown and enters nothing, with three exceptions that are
//! written down where they are made: errors are counted where they happen, a stack that was
//! faster than the load generator may still satisfy a claim that it is fast, and the generator's
//! own share of the CPU time is counted where the generator was busy.

#[macro_use]
extern crate schemars;

mod account;
mod against;
mod ceiling;
mod change;
mod claim;
mod compare;
mod curves;
mod decision;
mod doubt;
mod exchange;
mod faulted;
mod figures;
mod findings;
pub mod goal;
mod guarded;
mod habits;
mod judged;
mod latency;
mod lead;
mod leaders;
mod left_out;
mod look;
mod machines;
mod matrix;
mod one_end;
mod opinion;
mod own_share;
mod pace;
mod parts;
mod peak;
mod ranking;
mod revised;
mod ring_cost;
mod runs;
mod scatter;
mod seen_run;
mod selected;
mod simple;
mod states;
mod stress;
mod taken_twice;
mod talked;
mod threshold;
mod throughput;
mod trial_opinion;
mod variant;
mod words;

use record::{LoadFacts, Measured, Metric, Run, Trial};

pub use account::Account;
pub use against::{Apart, against};
pub use ceiling::{Ceiling, Standing};
pub use change::Effect;
pub use compare::{MOST_BLOCKS, NEGLIGIBLE, side_by_side_figures};
pub use curves::{
    Collapse, Counts, Curve, Line, Missing, Point, Scalability, Turn, VariantCeiling,
    WorkloadCeiling,
};
pub use decision::Decision;
pub use doubt::{Doubt, DoubtKind, Held, Lasts, Outcome, Rule, beside_others, took};
pub use exchange::{Exchange, exchanges};
pub use faulted::Faulted;
pub use findings::{About, Confidence, Cost, Finding, FindingKind, FindingRule, Found};
pub use goal::{Kept, Limit, Reached, Tried, keeps};
pub use guarded::{Guarded, guarded};
pub use habits::{Habit, HabitKind};
pub use judged::{Judged, Looks, judge};
pub use latency::{QUANTILES, at_least, enough, quantile, quantiles, samples_for};
pub use left_out::{left_out, left_out_of_loads};
pub use look::{Look, StillOpen, Wanted, look, wanted};
pub use machines::{Demand, Fewer, Machines, machines};
pub use matrix::{Axis, Cell, Matrix};
pub use opinion::{
    ClaimVerdict, Comparison, ConditionVerdict, Figure, Holds, Lead, NoiseFloor, OwnShare,
    TakenAgain, TrialOpinion, VariantOpinion, Verdict,
};
pub use pace::Pace;
pub use parts::Parts;
pub use peak::Peak;
pub use ranking::{
    Beaten, Later, Order, Pareto, Place, Ranking, RankingFlaw, USUAL, Unranked, check_ranking,
    rivals_by,
};
pub use revised::{Revised, commits};
pub use ring_cost::{RingCost, cheaper_loop, ring_costs};
pub use runs::{CompareError, Side, check_variant, compare, differences};
pub use scatter::Scatter;
pub use states::TwoStates;
pub use stats::{FEWEST, PAIRS};
pub use stress::Stressed;
pub use taken_twice::TakenTwice;
pub use talked::{Talked, Usual};
pub use threshold::{Crossed, Threshold, ThresholdResult, goals, thresholds};
pub use throughput::throughput;

/// The doubts about a load by itself, the disqualifying ones first: what `weir bench` says of a
/// target that it did not start.
pub fn doubts(load: &LoadFacts) -> Vec<Doubt> {
    doubt::raised(held(load))
}

/// Every rule that a load by itself is held to, and how it stood to it: what the doubts come from.
pub fn held(load: &LoadFacts) -> Vec<Held> {
    doubt::held(&doubt::Evidence::alone(load))
}

/// Every rule that a load of a run is held to, with what else was seen meanwhile, and how it stood to it.
pub fn held_in(run: &Run, variant: &str, measured: &Measured) -> Vec<Held> {
    doubt::held(&doubt::Evidence::of(run, variant, measured, &[Metric::P50]))
}

/// The doubt that keeps a trial out by a transient disturbance (CPU time went to other guests, the generator
/// was held up), so that it is worth taking again. Nothing where the trial counts, where what keeps it out would
/// come again, and where it has no facts.
pub fn transient(run: &Run, trial: &Trial) -> Option<Doubt> {
    let measured = trial.measured()?;
    let doubts = doubt::all(&doubt::Evidence::of(run, &trial.variant, measured, &[]));
    doubt::transient(&doubts).cloned()
}

/// The attempts that stand: of each place in a block the last one.
pub fn standing(trials: &[Trial]) -> impl Iterator<Item = &Trial> {
    trials.iter().filter(|trial| !is_taken_again(trial, trials))
}

/// Whether there is a later attempt of the same place in the same block.
fn is_taken_again(trial: &Trial, trials: &[Trial]) -> bool {
    let place = |of: &Trial| (of.block, of.again, of.group, of.variant.clone());
    trials
        .iter()
        .any(|other| other.attempt > trial.attempt && place(other) == place(trial))
}
