//! Whether a service that the app uses does most of the work.

use super::FindingKind;
use super::facts::Facts;
use super::rule::{About, Confidence, Finding, FindingRule};
use crate::words::{duration, number, percent};

/// Share of the stack's CPU time.
const MOST: f64 = 0.5;

/// Cores below which it holds nobody back.
const CORES: f64 = 0.3;

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::ServiceBusy,
    title: "a service does most of the work",
    rule: "the app's services use half of the stack's CPU time and more, and 0.3 cores and more",
    source: "CPU time by program (/proc/PID/task/*/schedstat)",
    about: About::Beside,
    look,
};

fn look(facts: &Facts) -> Option<Finding> {
    let cores = |entry: &str| facts.cores_of_all(entry);
    let all: f64 = facts.services().map(|(_, entry)| cores(entry)).sum();
    let (name, entry) = facts
        .services()
        .max_by(|one, other| cores(one.1).total_cmp(&cores(other.1)))?;
    let share = all / facts.stack_cores().max(f64::MIN_POSITIVE);
    if share < MOST || all < CORES {
        return None;
    }
    let because = format!(
        "`{entry}` (the app's `{name}`) used {} of {} cores, {} of what the stack used: {} for each response",
        number(cores(entry)),
        facts.cores,
        percent(share),
        duration(all / facts.load.throughput())
    );
    let next = format!(
        "ask `{entry}` less often or for less (an index, one query instead of many, a cache before it), or give it a \
         machine of its own"
    );
    let gain = 1.0 / (1.0 - share).max(0.01);
    let found = RULE.found(Confidence::Counted, because, next);
    Some(if facts.every_core_is_busy() {
        found.at_most(gain)
    } else {
        found
    })
}
