//! Whether a load keeps to goals, and whether it says anything of that.

use record::{Cause, LoadFacts};

use crate::doubt::{Doubt, DoubtKind};
use crate::doubts;
use crate::threshold::{Crossed, Threshold, ThresholdResult};

/// What a load says of goals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kept {
    /// All held.
    Held,
    /// One did not: which, and what was measured; or what the server did wrong, so that its times do not count.
    Missed(String),
    /// Nothing: why its figures are not those of the server.
    Unknown(String),
}

impl Kept {
    /// Whether all held.
    pub const fn is_held(&self) -> bool {
        matches!(self, Self::Held)
    }

    /// Why not; `None` where all held.
    pub fn why(&self) -> Option<&str> {
        match self {
            Self::Held => None,
            Self::Missed(why) | Self::Unknown(why) => Some(why),
        }
    }

    /// Why nothing is known; `None` where it is.
    pub fn unknown(&self) -> Option<&str> {
        match self {
            Self::Unknown(why) => Some(why),
            Self::Held | Self::Missed(_) => None,
        }
    }
}

/// Whether a load keeps to all goals: conditions that have to hold, as thresholds are conditions that must not.
///
/// What the load itself was too small or too slow for is asked first, as no window at that rate would tell more. What the machine
/// did to one window only takes away that goals held in it: a miss has to be seen in two windows anyway.
pub fn keeps(load: &LoadFacts, goals: &[Threshold]) -> Kept {
    if was_interrupted(load) {
        return Kept::Unknown("it was interrupted".to_owned());
    }
    let doubts = doubts(load);
    let mut grave = doubts.iter().filter(|doubt| doubt.disqualifies);
    if let Some(doubt) = grave.clone().find(|doubt| is_of_the_load(doubt, load)) {
        return Kept::Unknown(words(doubt));
    }
    let results = goals.iter().map(|goal| goal.decide(load, &doubts));
    let results: Vec<ThresholdResult> = results.collect();
    let words_of = |of: &ThresholdResult| format!("`{}`: {}", of.text, of.because);
    let mut open = results.iter().filter(|of| of.crossed != Crossed::Yes);
    if let Some(missed) = open.clone().find(|of| of.crossed == Crossed::No) {
        return Kept::Missed(words_of(missed));
    }
    if let Some(open) = open.next() {
        let mut goals = goals.iter().zip(&results);
        let too_few = goals.any(|(goal, of)| {
            of.crossed == Crossed::CannotTell && goal.fewest() > Some(load.scheduled as f64)
        });
        return if too_few {
            Kept::Unknown(words_of(open))
        } else {
            Kept::Missed(words_of(open))
        };
    }
    if results.iter().all(|of| of.counts) {
        return Kept::Held;
    }
    if let Some(doubt) = grave.clone().find(|doubt| !is_of_the_server(doubt.kind)) {
        return Kept::Unknown(words(doubt));
    }
    // without a doubt all would count
    grave
        .next()
        .map_or(Kept::Held, |doubt| Kept::Missed(words(doubt)))
}

/// Whether a load was ended before its time, so that it is no try of its rate.
pub(super) fn was_interrupted(load: &LoadFacts) -> bool {
    load.drain.as_ref().is_some_and(|drain| drain.interrupted)
}

/// Whether it is the load generator, its connections or this machine's limits that a grave doubt is about: of a rate that was not
/// held only the generator's share disqualifies.
fn is_of_the_load(doubt: &Doubt, load: &LoadFacts) -> bool {
    match doubt.kind {
        DoubtKind::Connections | DoubtKind::GeneratorSaturated | DoubtKind::RateNotHeld => true,
        DoubtKind::Errors => {
            let ours = load.failed.get(&Cause::Exhausted).copied().unwrap_or(0);
            ours * 2 > load.failures() + load.timed_out
        }
        _ => false,
    }
}

/// Whether a grave doubt is about what the server did, or did not do.
fn is_of_the_server(kind: DoubtKind) -> bool {
    kind.rule().errors_decide || kind == DoubtKind::ShortWindow
}

/// `the load generator was the bottleneck: its busiest thread was busy 95.0 % of the time`.
fn words(doubt: &Doubt) -> String {
    let title = doubt.kind.rule().title(doubt.disqualifies);
    format!("{title}: {}", doubt.because)
}

#[cfg(test)]
mod tests {
    use record::{Arrivals, DrainFacts, EngineCost, Process, Shape};

    use super::*;
    use crate::thresholds;

    /// A window of 1,200 requests at 100 a second that were answered in 10 ms, but for those that failed.
    fn load(failed: u64, cause: Cause) -> LoadFacts {
        let mut load = LoadFacts {
            seconds: 12.0,
            scheduled: 1_200,
            completed: 1_200 - failed,
            failed: [(cause, failed)]
                .into_iter()
                .filter(|of| of.1 > 0)
                .collect(),
            connections: 32,
            offered: Some(100.0),
            shape: Shape::Open(Arrivals {
                process: Process::Poisson,
                segments: Arrivals::steady(100.0),
                max_outstanding: 1_000,
                seed: 1,
            }),
            statuses: [(200, 1_200 - failed)].into(),
            ..LoadFacts::default()
        };
        for _ in 0..1_200 - failed {
            load.response.record(10_000_000);
            load.service.record(10_000_000);
        }
        load
    }

    fn kept(load: &LoadFacts, goals: &str) -> Kept {
        keeps(load, &thresholds(goals).unwrap())
    }

    #[test]
    fn errors_are_held_against_the_share_that_the_goal_allows() {
        let some = load(36, Cause::Status);
        assert_eq!(kept(&some, "errors < 5%"), Kept::Held);
        assert!(matches!(kept(&some, "errors < 2%"), Kept::Missed(_)));
        // the times of a load in which so many failed do not count
        let both = kept(&some, "errors < 5%, p50 < 50ms");
        assert!(matches!(both, Kept::Missed(why) if why.starts_with("requests failed")));
    }

    #[test]
    fn what_the_load_itself_did_is_no_miss_of_the_server() {
        let mut busy = load(0, Cause::Status);
        busy.engine = EngineCost {
            busiest: 0.95,
            ..EngineCost::default()
        };
        for goal in ["p50 < 50ms", "p50 < 5ms"] {
            let kept = kept(&busy, goal);
            assert!(
                matches!(&kept, Kept::Unknown(why) if why.contains("bottleneck")),
                "{kept:?}"
            );
        }
        let ran_out = load(36, Cause::Exhausted);
        assert!(matches!(kept(&ran_out, "errors < 1%"), Kept::Unknown(_)));
    }

    /// Of 1,200 responses none says how long the slowest in a thousand are at most.
    #[test]
    fn a_window_with_too_few_requests_for_a_goal_is_no_miss_of_the_server() {
        let of = |goal: &str| kept(&load(0, Cause::Status), goal);
        assert!(matches!(of("p99.9 < 50ms"), Kept::Unknown(_)));
        assert_eq!(of("p99 < 50ms"), Kept::Held);
        // what it says surely is one
        assert!(matches!(of("p99.9 < 5ms"), Kept::Missed(_)));
        assert!(matches!(of("p99.9 < 50ms, p99 < 5ms"), Kept::Missed(_)));
    }

    #[test]
    fn an_interrupted_window_is_no_try() {
        let mut cut = load(0, Cause::Status);
        cut.drain = Some(DrainFacts {
            interrupted: true,
            ..DrainFacts::default()
        });
        assert!(matches!(kept(&cut, "p50 < 5ms"), Kept::Unknown(_)));
    }
}
