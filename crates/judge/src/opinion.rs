use std::collections::BTreeMap;

use record::{Distribution, Metric};
use serde::Serialize;
/// A figure in its metric's unit: the median over blocks, with its 95 % interval.
pub use stats::Estimate as Figure;

use crate::doubt::Doubt;
use crate::findings::Found;
use crate::machines::Fewer;
use crate::parts::Parts;
use crate::ranking::Beaten;
use crate::states::TwoStates;
use crate::talked::Talked;
pub use crate::trial_opinion::{TakenAgain, TrialOpinion};
use record::condition::Expectation;

/// What can be said about one variant over all its trials.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct VariantOpinion {
    /// The variant's name.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// Trials that count: of one that runs twice in a block (A/A) both.
    pub counted: u32,
    /// Trials kept out by a disqualifying doubt or a failure.
    pub left_out: u32,
    /// Figures by metric; a metric that cannot be given is absent (and `too_few` may say why).
    pub figures: BTreeMap<Metric, Figure>,
    /// Quantile metrics left out because fewer than 100 samples lie beyond them.
    pub too_few: Vec<Metric>,
    /// Response times of all counted trials, merged. Exported apart (it is large).
    #[serde(skip)]
    pub response: Distribution,
    /// Two sizes of its throughput, far apart; absent where it has one, which is the usual.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<TwoStates>,
    /// Throughput, mean and median against the baseline, and where both are loaded at the same rate the CPU time of a request;
    /// empty for the baseline itself, and where only one of the two is loaded at a rate.
    pub against_baseline: Vec<Comparison>,
    /// Doubts of its trials, each kind once (disqualifying ones apart), worst first, with how many trials have it.
    pub doubts: Vec<(Doubt, u32)>,
    /// Why it is as fast as it is, in the order in which it is worth a try: what is wrong with the measurement first, then
    /// what brings most for what it costs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Found>,
    /// Where the time of a response is spent; absent where neither a front end nor what a server had not begun to read tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<Parts>,
    /// How it talked, where it is a client; absent of stacks, and where no trial of it counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub talked: Option<Talked>,
    /// Its trials that were put aside by a transient disturbance, or lost, and taken again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub taken_again: Vec<TakenAgain>,
    /// Why no trial of it counts, if none does.
    pub failure: Option<String>,
}

/// Which variant serves the baseline's route best, and of which others that is sure.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Lead {
    /// The route.
    pub route: String,
    /// By what: throughput, or at a given rate the mean response time.
    pub metric: Metric,
    /// Variants that do the same work: those that answer the route under a load that can be compared.
    pub entered: u32,
    /// Those of them that could be measured, the best first.
    pub rivals: Vec<String>,
    /// Those of them that lead, the best first: the first, and each that it is not surely better than and that no other
    /// one surely beats. None where each has another that is surely better in the blocks that both have.
    pub leaders: Vec<String>,
    /// Those that the first is not surely better than, but another one is, which is named with each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub beaten: Vec<Beaten>,
    /// Those that are for development only: none is to be deployed, however fast.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub development: Vec<String>,
    /// Those for which the load generator was too slow in some trials, beside the first: they may be better than it. Each with the
    /// median rate that was measured, which it does at least.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outran: Vec<(String, f64)>,
    /// The first against each of the others with which it has a block in common, in that order.
    pub comparisons: Vec<Comparison>,
    /// What the load generator, on the same cores, may have done to the ratio of the first to the baseline; absent where
    /// that is little, or not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own_share: Option<OwnShare>,
}

/// Two variants, one metric.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Comparison {
    /// What is compared.
    pub metric: Metric,
    /// The variant above the line (`RUN:VARIANT` when two runs are compared).
    pub of: String,
    /// The variant below the line.
    pub over: String,
    /// Median of the per-block ratios (of the medians, when the blocks are not paired).
    pub ratio: f64,
    /// 95 % interval of the ratio; `None` with too few blocks.
    pub interval: Option<(f64, f64)>,
    /// Blocks (pairs) it rests on.
    pub pairs: u32,
    /// Whether both sides ran interleaved in the same blocks.
    pub paired: bool,
    /// Whether the ratio would tell, but one end of a figure is not known, as that of requests without a response.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub one_ended: bool,
    /// Between what it lies with the load generator off the cores that both kept busy; absent where that is little, or not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elsewhere: Option<(f64, f64)>,
    /// How many pairs most likely tell what cannot be told, by their scatter; absent where it can be, and where no number up to
    /// 100 would do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wanted: Option<u32>,
    /// What to say.
    pub verdict: Verdict,
}

impl Comparison {
    /// Of the names `of` and `over`, by a ratio over so many pairs.
    pub(crate) fn new(
        metric: Metric,
        (of, over): (String, String),
        ratio: Figure,
        pairs: usize,
        verdict: Verdict,
    ) -> Self {
        Self {
            metric,
            of,
            over,
            ratio: ratio.value,
            interval: ratio.interval,
            pairs: pairs as u32,
            paired: true,
            one_ended: false,
            elsewhere: None,
            wanted: None,
            verdict,
        }
    }

    /// By how much the first may be worse than the second, as a share of the second's figure: 0.38 where its throughput may be
    /// 0.62 times the other's, or its mean 1.38 times. Zero where it is not worse by any ratio of the interval; `None` without one.
    pub fn worse_at_most(&self) -> Option<f64> {
        let (low, high) = self.interval?;
        let share = if self.metric.larger_is_better() {
            1.0 - low
        } else {
            high - 1.0
        };
        Some(share.max(0.0))
    }

    /// Pairs that an interval takes at least; where two runs are compared, blocks of each.
    pub fn fewest(&self) -> u32 {
        let fewest = if self.paired {
            stats::PAIRS
        } else {
            stats::FEWEST
        };
        fewest as u32
    }
}

/// What to say of a comparison. "Same" and "cannot tell" are different words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The interval lies on the better side of 1, and the ratio beyond the noise floor and 3 %.
    Better,
    /// The interval lies on the worse side of 1, and the ratio beyond the noise floor and 3 %.
    Worse,
    /// The whole interval lies within the noise floor (at least 3 %, at most 10 %) around 1.
    Same,
    /// Anything else: more blocks are needed.
    CannotTell,
}

/// The A/A pair: one variant under two names.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct NoiseFloor {
    /// The variant that ran twice.
    pub variant: String,
    /// Throughput of the second over the first. It is nowhere else with the load generator elsewhere, which took the same part of both.
    pub comparison: Comparison,
    /// Half-width of that interval as a share (0.04: ratios within 4 % of 1 are noise), and never
    /// less than the distance of its ratio from 1; `None` with too few blocks.
    pub share: Option<f64>,
    /// The same for every metric that has one: a verdict on a metric uses that metric's own floor.
    pub by_metric: BTreeMap<Metric, f64>,
}

/// A claim of the plan, decided.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct ClaimVerdict {
    /// Identifier (`A1`).
    pub id: String,
    /// The statement in words.
    pub text: String,
    /// The figure that the field report gave.
    pub reported: String,
    /// Whether the run fails unless it holds.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub required: bool,
    /// Its conditions.
    pub conditions: Vec<ConditionVerdict>,
    /// Those that test what is told of the time since the report; they decide nothing here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub since: Vec<ConditionVerdict>,
    /// The first condition that compares throughputs, in machines; absent where the claim has no demand, and where these are not
    /// known to be what a machine carries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machines: Option<Fewer>,
    /// All conditions together.
    pub holds: Holds,
    /// Whether the load generator's own share of the CPU time may turn that: with the generator elsewhere it could be another one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub as_measured: bool,
    /// Why it cannot be told, if so ("one block gives no interval", "no trial of `x` counts"); for
    /// a decided claim, what must be known to believe it ("the load generator, not `x`, was the
    /// bottleneck: the true value is at least this").
    pub reason: Option<String>,
}

impl ClaimVerdict {
    /// What must be known of its figures, whatever the verdict.
    pub fn notes(&self) -> impl Iterator<Item = &str> {
        let own = self
            .conditions
            .iter()
            .filter_map(|of| of.own_share.as_ref());
        let own = own.map(|own| own.because.as_str());
        own.chain(self.machines.iter().map(|of| of.because.as_str()))
    }
}

/// One condition of a claim.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct ConditionVerdict {
    /// As the plan has it.
    pub text: String,
    /// The same, read; `None` where it cannot be read.
    #[serde(skip)]
    pub about: Option<Expectation>,
    /// The measured value of its left side.
    pub value: Option<f64>,
    /// 95 % interval of that value.
    pub interval: Option<(f64, f64)>,
    /// Whether it holds.
    pub holds: Holds,
    /// What the load generator, on the same cores, may have done to it; absent where that is little, or not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own_share: Option<OwnShare>,
}

impl ConditionVerdict {
    /// Whether it is decided, and the load generator's own share of the CPU time may turn that.
    pub fn is_as_measured(&self) -> bool {
        let may_turn = self.own_share.as_ref().is_some_and(|own| !own.same);
        may_turn && self.holds != Holds::CannotTell
    }
}

/// What the load generator, which ran on the cores of what it measured, may have done to a ratio.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct OwnShare {
    /// Where the ratio lies with the generator elsewhere: what was measured is between these.
    pub between: (f64, f64),
    /// Whether the same is said of it there.
    pub same: bool,
    /// The generator's share of the CPU time, 0 to 1, of each variant whose cores had none to spare.
    pub shares: Vec<(String, f64)>,
    /// The same in words.
    pub because: String,
}

/// Whether a statement holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Holds {
    /// The whole interval satisfies it.
    Holds,
    /// The whole interval contradicts it.
    DoesNotHold,
    /// The interval reaches over the edge, or there is none.
    CannotTell,
}
