//! Whether everything stood still at once.

use super::FindingKind;
use super::facts::Facts;
use super::rule::{About, Confidence, Finding, FindingRule};
use crate::doubt::stalls;
use crate::words::{number, percent};

/// Share of the window from which on it costs more than what differs from start to start.
const TOLD: f64 = 0.03;
/// Of the requests under way, the share that a pause keeps waiting at least.
const KEPT: f64 = 0.5;
/// Median response times in which what waited is worked off.
const MEDIANS: f64 = 5.0;
/// Seconds by which times are inexact.
const INEXACT: f64 = 0.01;

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::Pauses,
    title: "everything stands still now and then",
    rule: "for 3 % of the window and more no response came on any connection, for 0.2 s and more and 5 times the median \
           response time at a stretch (closed loop), and half of the requests under way waited for as long as that",
    source: "Tene, \"How NOT to Measure Latency\", 2013 (coordinated omission)",
    about: About::Limit,
    look,
};

fn look(facts: &Facts) -> Option<Finding> {
    let stalls = stalls(facts.load)?;
    let longest = stalls.iter().copied().fold(0.0, f64::max);
    let share = facts.stands_still();
    if share < TOLD || !kept_all_waiting(facts, &stalls) {
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

/// Whether half of the requests that were under way in those stretches took as long as one of them did, and no longer than it
/// takes to work off what waited: those that are slow by themselves began at different moments.
fn kept_all_waiting(facts: &Facts, stalls: &[f64]) -> bool {
    let times = &facts.load.response;
    let until_answered = MEDIANS * times.quantile(0.5).unwrap_or(0.0) + INEXACT;
    let waited_in_one = |seconds: f64| {
        let mut lengths = stalls.iter();
        lengths.any(|length| (length - INEXACT..=length + until_answered).contains(&seconds))
    };
    let waited = times.cells().filter(|(seconds, _)| waited_in_one(*seconds));
    let waited: u64 = waited.map(|(_, count)| count).sum();
    let under_way = facts.load.kept_busy.unwrap_or(0) as f64;
    waited as f64 >= KEPT * under_way * stalls.len() as f64
}
