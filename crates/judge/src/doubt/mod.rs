//! Reasons not to trust a trial, each computed from its facts, with its numbers and a next step.
//!
//! The rules are fixed here, before any result is seen. A new doubt is a file with its `RULE`, and its lines
//! below; `make docs` writes it into the table of `docs/how-we-measure.md`.

mod accounting;
mod answers_differed;
mod blame;
mod clock_changed;
mod connections;
mod crowd;
mod disturbed;
mod errors;
mod generator_saturated;
mod last_requests;
mod late;
mod lengths_differed;
mod littles_law;
mod long_turns;
mod not_kept_open;
mod not_stationary;
mod paused;
mod pool;
mod queue_full;
mod rate_not_held;
mod retransmits;
mod rule;
mod short_of_memory;
mod short_window;
mod stalled;
mod starved;
mod stolen_cpu;
mod time_in_failures;
mod too_few_samples;
mod unanswered;
mod warm_up;

use record::{LoadFacts, Measured, Metric, Others, ProcessCost, Run, Stolen, Variant};
use serde::Serialize;

pub(crate) use disturbed::of_trials as disturbed;
pub use disturbed::{beside_others, took};
pub(crate) use generator_saturated::SATURATED;
pub(crate) use queue_full::seen_full;
pub use rule::{Doubt, Held, Lasts, Outcome, Rule};
pub(crate) use stalled::stalls;

macro_rules! doubts {
    ($($kind:ident = $file:ident,)+) => {
        /// Reasons not to trust a trial.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum DoubtKind {
            $(#[doc = concat!("See `doubt/", stringify!($file), ".rs`.")] $kind,)+
        }

        impl DoubtKind {
            /// Every kind, in the order in which a load is held to the rules.
            pub const ALL: &[Self] = &[$(Self::$kind),+];

            /// The rule that raises it.
            pub const fn rule(self) -> &'static Rule {
                match self {
                    $(Self::$kind => &$file::RULE,)+
                }
            }
        }
    };
}

doubts! {
    Accounting = accounting,
    Paused = paused,
    Stalled = stalled,
    AnswersDiffered = answers_differed,
    LengthsDiffered = lengths_differed,
    Errors = errors,
    Unanswered = unanswered,
    TimeInFailures = time_in_failures,
    WarmUp = warm_up,
    NotStationary = not_stationary,
    GeneratorSaturated = generator_saturated,
    LongTurns = long_turns,
    StolenCpu = stolen_cpu,
    Disturbed = disturbed,
    Starved = starved,
    ShortOfMemory = short_of_memory,
    ClockChanged = clock_changed,
    RateNotHeld = rate_not_held,
    Connections = connections,
    Late = late,
    Crowd = crowd,
    NotKeptOpen = not_kept_open,
    QueueFull = queue_full,
    Retransmits = retransmits,
    LittlesLaw = littles_law,
    ShortWindow = short_window,
    LastRequests = last_requests,
    TooFewSamples = too_few_samples,
}

impl DoubtKind {
    /// Whether it is other programs that keep out the trials which it disqualifies.
    pub const fn is_of_others(self) -> bool {
        matches!(self, Self::Disturbed | Self::Starved)
    }
}

/// What a doubt may be computed from.
pub(crate) struct Evidence<'a> {
    load: &'a LoadFacts,
    /// The status that the loaded route responds with, if it is known.
    status: Option<u16>,
    /// Whether weir started what is loaded, and has looked at its responses before.
    started: bool,
    /// Whether somebody else started it.
    theirs: bool,
    /// CPU time that the hypervisor took, if that was watched.
    stolen: Option<Stolen>,
    /// Attempts to connect that the stack's listeners turned away, if that is known.
    turned_away: Option<u64>,
    /// What other programs took, if that was watched.
    others: Option<&'a Others>,
    /// CPU seconds of that within the window: of one in slices the others' are of all of the time that it took.
    taken: f64,
    /// What programs took that weir did not start and that the stack uses, if there are such.
    partners: Option<&'a Others>,
    /// CPU seconds of that within the window.
    served: f64,
    /// Whether other programs are always there.
    shared: bool,
    /// What the programs under load and weir cost.
    processes: &'a [ProcessCost],
    /// Quantile metrics that are shown or asked for.
    asked: &'a [Metric],
}

impl<'a> Evidence<'a> {
    /// All there is about a trial.
    pub(crate) fn of(
        run: &Run,
        variant: &str,
        measured: &'a Measured,
        asked: &'a [Metric],
    ) -> Self {
        let variant = run.plan.variant(variant);
        let route = variant.and_then(|variant| run.plan.app_of(variant).route(&variant.route).ok());
        let whole = f64::from(run.host.cores.max(1)) * measured.load.seconds;
        let others = measured.observed.others.as_ref();
        let partners = measured.observed.partners.as_ref();
        let within = |of: Option<&Others>| of.map_or(0.0, |of| of.share * whole);
        Self {
            load: &measured.load,
            status: route.map(|route| route.status),
            started: variant.is_some_and(Variant::is_stack),
            theirs: variant.is_some_and(|variant| variant.url.is_some()),
            stolen: Some(measured.load.stolen.unwrap_or(Stolen {
                share: measured.stolen,
                seconds: measured.stolen * whole,
            })),
            turned_away: measured.observed.turned_away(),
            others,
            taken: within(others),
            partners,
            served: within(partners),
            shared: run.plan.shared,
            processes: &measured.processes,
            asked,
        }
    }

    /// A load by itself, on a target that weir did not start.
    pub(crate) fn alone(load: &'a LoadFacts) -> Self {
        Self {
            load,
            status: None,
            started: false,
            theirs: true,
            stolen: load.stolen,
            turned_away: None,
            others: None,
            taken: 0.0,
            partners: None,
            served: 0.0,
            shared: false,
            processes: &[],
            asked: &[Metric::P50],
        }
    }
}

impl Evidence<'_> {
    /// Seconds that the kernel's counts are of: those of the window, and of what led in to its slices.
    fn counted_over(&self) -> f64 {
        let share = self.load.counted_share().max(f64::MIN_POSITIVE);
        (self.load.seconds / share).max(f64::MIN_POSITIVE)
    }
}

/// The first fault that befell anything: `a worker is killed 2.1 s into the window`.
fn struck(load: &LoadFacts) -> Option<String> {
    let first = load.struck.iter().find(|of| of.befell())?;
    let words = first.fault.words();
    Some(format!("{words} {:.1} s into the window", first.at))
}

/// Every rule, and how a trial or a load stood to it.
pub(crate) fn held(evidence: &Evidence) -> Vec<Held> {
    let rules = DoubtKind::ALL.iter().map(|kind| kind.rule());
    rules.map(|rule| (rule.look)(evidence)).collect()
}

/// Every doubt about a trial or a load, the disqualifying ones first.
pub(crate) fn all(evidence: &Evidence) -> Vec<Doubt> {
    raised(held(evidence))
}

/// The doubts among what was found, the disqualifying ones first.
pub(crate) fn raised(held: Vec<Held>) -> Vec<Doubt> {
    let mut doubts: Vec<Doubt> = held.into_iter().filter_map(|of| of.doubt).collect();
    doubts.sort_by_key(|doubt| !doubt.disqualifies);
    doubts
}

/// The transient doubt that keeps a trial with these doubts out: that other programs disturbed it before what these bring
/// about, such as pauses.
pub(crate) fn transient(doubts: &[Doubt]) -> Option<&Doubt> {
    let grave = doubts.iter().filter(|doubt| doubt.disqualifies);
    if grave
        .clone()
        .any(|doubt| doubt.kind.rule().lasts == Lasts::Recurs)
    {
        return None;
    }
    let mut passing = grave.filter(|doubt| doubt.kind.rule().lasts == Lasts::Passes);
    let mut reasons = passing.clone();
    let reason = reasons.find(|doubt| doubt.kind.is_of_others());
    reason.or_else(|| passing.next())
}
