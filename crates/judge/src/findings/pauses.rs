//! Whether everything stood still at once.

use super::FindingKind;
use super::facts::Facts;
use super::rule::{About, Confidence, Finding, FindingRule};
use crate::doubt::stalls;
use crate::words::{number, percent};

/// Share of the window from which on it costs more than what differs from start to start.
const TOLD: f64 = 0.03;

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::Pauses,
    title: "everything stands still now and then",
    rule: "for 3 % of the window and more no response came on any connection, for 0.2 s and more and 5 times the median \
           response time at a stretch (closed loop)",
    source: "Tene, \"How NOT to Measure Latency\", 2013 (coordinated omission)",
    about: About::Limit,
    look,
};

fn look(facts: &Facts) -> Option<Finding> {
    let stalls = stalls(facts.load)?;
    let longest = stalls.iter().copied().fold(0.0, f64::max);
    let share = facts.stands_still();
    if share < TOLD {
        return None;
    }
    let because = format!(
        "no response came on any connection for {} s at a stretch, {} of the window in all",
        number(longest),
        percent(share)
    );
    let next = "look for what stops everything at once: a garbage collection, a checkpoint of a store, a restart of \
                workers, a lock";
    Some(
        RULE.found(Confidence::Counted, because, next)
            .at_most(1.0 / (1.0 - share).max(0.01)),
    )
}
