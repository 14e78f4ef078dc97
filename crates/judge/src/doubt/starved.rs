//! Whether threads were ready to run and had no core: as other programs had it, or as a CPU quota, as a container has, kept
//! them from it.

use record::ProcessCost;

use super::disturbed::{self, SECONDS, advice, took, waited};
use super::{DoubtKind, Evidence, Held, Lasts, Outcome, Rule};
use crate::words::{number, percent};

/// Time in which the stack waited for cores that others had, as a share of that and of the time in which it had one, that may
/// go unmentioned.
const TOLD: f64 = 0.1;

/// The same from which figures are not to be trusted: a stack that uses all that it gets does less by as much.
const SPOILT: f64 = 0.2;

/// Share of the window's time in which a quota kept threads from running that may go unmentioned.
const HELD_BACK: f64 = 0.01;

pub(super) const RULE: Rule = Rule {
    title: "the stack was kept from running",
    rule: "the stack waits for cores that other programs have for at most 10 % of the time in which it could have one: their part \
           of all waiting is their part of all CPU time, and no more than that; and the CPU quota of the container or service \
           that weir is in keeps programs from running for at most 1 % of the window",
    disqualifies: "from 20 % on by other programs; never with `--shared`, nor where weir did not start what is loaded",
    lasts: Lasts::Passes,
    ..Rule::of(DoubtKind::Starved, look)
};

/// The graver of both, of those that are told here.
fn look(evidence: &Evidence) -> Held {
    let held = by_quota(evidence).into_iter().chain(by_others(evidence));
    let gravest = held.max_by_key(|held| (held.doubt.is_some(), held.outcome));
    gravest.unwrap_or_else(|| {
        RULE.silent("weir can tell neither how long the stack waited for others nor of a CPU quota")
    })
}

/// That others had the cores for which the stack waited: told by `disturbed.rs`, unless it is graver than what that tells.
fn by_others(evidence: &Evidence) -> Option<Held> {
    let (others, kept) = (evidence.others?, kept(evidence)?);
    let because = format!("{}; {}", took(others), kept.words);
    let spoilt = kept.outcome == Outcome::Disqualified;
    Some(if kept.outcome == Outcome::Passed {
        RULE.passed(because)
    } else if disturbed::outcome(evidence, others) >= kept.outcome {
        RULE.told_elsewhere(spoilt, because)
    } else {
        RULE.doubted(spoilt, because, &advice(evidence))
    })
}

/// What other programs kept the stack from.
pub(super) struct Kept {
    /// How long it waited, in words.
    pub(super) words: String,
    /// How that stands to the rule.
    pub(super) outcome: Outcome,
}

/// While a thread waits, another one has the core: one of other programs as often as these have cores among all that are in
/// use. So a stack with more workers than cores waits for itself.
pub(super) fn kept(evidence: &Evidence) -> Option<Kept> {
    evidence.others?;
    let taken = evidence.taken;
    let stack = || {
        let all = evidence.processes.iter();
        all.filter(|process| process.owner != ProcessCost::OWN)
    };
    let waited = waited(stack())?;
    let had: f64 = stack().map(ProcessCost::cpu).sum();
    let own: f64 = evidence.processes.iter().map(ProcessCost::cpu).sum();
    // what the stack uses works for it
    let used = own + evidence.served;
    let lost = (waited * taken / (taken + used)).min(taken);
    let share = lost / (had + lost).max(f64::MIN_POSITIVE);
    let words = format!(
        "the stack waited {} s for a core, about {} s of it for theirs ({} of the time in which it could have had one)",
        number(waited),
        number(lost),
        percent(share)
    );
    let outcome = if share <= TOLD || lost < SECONDS {
        Outcome::Passed
    } else if share >= SPOILT && disturbed::spoils(evidence) {
        Outcome::Disqualified
    } else {
        Outcome::Doubted
    };
    Some(Kept { words, outcome })
}

/// A quota is used up within each period, of 0.1 s as a rule, and what is left of the period is a pause: times have steps
/// that no server makes.
fn by_quota(evidence: &Evidence) -> Option<Held> {
    let seconds = evidence.load.throttled?;
    let share = seconds / evidence.counted_over();
    let because = format!(
        "the CPU quota of weir's control group kept threads from running for {} s, {} of the window",
        number(seconds),
        percent(share)
    );
    if share <= HELD_BACK {
        return Some(RULE.passed(because));
    }
    let advice = "a quota pauses weir and the stack alike: give the container whole cores (`docker run --cpuset-cpus`) \
                  and no quota (`--cpus`), or load from outside of it";
    Some(RULE.doubted(false, because, advice))
}
