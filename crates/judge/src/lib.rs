//! Stored facts become opinions: doubts, figures with intervals, comparisons, verdicts on claims.
//!
//! Everything here is a pure function of a [`record::Run`] and its [`record::Trial`]s, so a better
//! statistic improves old runs. `report` words and draws what this crate concludes.
//!
//! A trial with a disqualifying doubt is shown and enters nothing, with two exceptions that are
//! written down where they are made: errors are counted where they happen, and a stack that was
//! faster than the load generator may still satisfy a claim that it is fast.

mod against;
mod ceiling;
mod claim;
mod compare;
mod curves;
mod doubt;
pub mod expect;
mod figures;
mod latency;
mod lead;
mod matrix;
mod opinion;
mod ranking;
mod runs;
mod session;
mod stage;
mod threshold;
mod throughput;
mod words;

use std::collections::BTreeSet;

use record::{LoadFacts, Run, Trial};

pub use against::{Apart, against};
pub use ceiling::{Ceiling, Standing};
pub use curves::{
    Collapse, Counts, Curve, Line, Missing, Point, Scalability, StageCeiling, Turn, WorkloadCeiling,
};
pub use doubt::{Held, Outcome};
pub use expect::{
    Expect, ExpectError, RankExpect, check_condition, check_expectation, ranking_of, stages_of,
};
pub use latency::{QUANTILES, enough, quantile, quantiles, samples_for};
pub use matrix::{Axis, Cell, Matrix};
pub use opinion::{
    ClaimVerdict, Comparison, Condition, Doubt, DoubtKind, Figure, Holds, Judged, Lead, NoiseFloor,
    StageOpinion, TakenAgain, TrialOpinion, Verdict,
};
pub use ranking::{
    Beaten, Order, Pareto, Place, Ranking, RankingFlaw, USUAL, Unranked, check_ranking,
    metric_named, rivals_by,
};
pub use runs::{CompareError, Side, compare, differences};
pub use stats::FEWEST;
pub use threshold::{Crossed, Threshold, ThresholdResult, thresholds};
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

/// The doubt that keeps a trial out by a transient disturbance (CPU time went to other guests, the generator
/// was held up), so that it is worth taking again. Nothing where the trial counts, where what keeps it out would
/// come again, and where it has no facts.
pub fn transient(run: &Run, trial: &Trial) -> Option<Doubt> {
    let record::Outcome::Measured(measured) = &trial.outcome else {
        return None;
    };
    let doubts = doubt::all(&doubt::Evidence::of(run, &trial.stage, measured, &[]));
    doubt::transient(&doubts).cloned()
}

/// The attempts that stand: of each place in a block the last one.
pub fn standing(trials: &[Trial]) -> impl Iterator<Item = &Trial> {
    trials.iter().filter(|trial| !is_taken_again(trial, trials))
}

/// Whether there is a later attempt of the same place in the same block.
fn is_taken_again(trial: &Trial, trials: &[Trial]) -> bool {
    let place = |of: &Trial| (of.block, of.again, of.stage.clone());
    trials
        .iter()
        .any(|other| other.attempt > trial.attempt && place(other) == place(trial))
}

/// Everything that can be concluded from a run and its trials (in the order in which they ran; a
/// run under way or cut short has fewer than planned).
pub fn judge(run: &Run, trials: &[Trial]) -> Judged {
    let session = session::Session::new(run, trials);
    let blocks: BTreeSet<u32> = trials.iter().map(|trial| trial.block).collect();
    let stages = run.plan.stages.iter();
    let stages: Vec<_> = stages.map(|of| stage::opinion(&session, of)).collect();
    let rankings = ranking::all(&session);
    Judged {
        run: run.id,
        blocks: blocks.len() as u32,
        baseline: session.baseline().to_owned(),
        claims: claim::verdicts(&session, &rankings),
        rankings,
        lead: lead::lead(&session, &stages),
        matrices: matrix::all(&run.plan, &stages),
        stages,
        noise_floor: compare::noise_floor(&session),
        curves: curves::curves(&session),
        ceilings: curves::ceilings(&session),
        trials: session
            .trials
            .into_iter()
            .map(|seen| seen.opinion)
            .collect(),
    }
}
