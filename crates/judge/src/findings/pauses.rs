//! Whether everything stood still at once.

use super::FindingKind;
use super::facts::Facts;
use super::rule::{About, Confidence, Finding, FindingRule};
use crate::doubt::stalls;
use crate::words::{number, percent};

/// Share of the window from which on it costs more than what differs from start to start.
pub(super) const TOLD: f64 = 0.03;
/// Of the requests that a pause keeps waiting, the share that is seen to have waited at least.
const KEPT: f64 = 0.5;
/// Median response times in which what waited is worked off.
const MEDIANS: f64 = 5.0;
/// Seconds by which times are inexact.
const INEXACT: f64 = 0.01;

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::Pauses,
    title: "everything stands still now and then",
    rule: "for 3 % of the window and more no response came on any connection, for 0.2 s and more and 5 times the median \
           response time at a stretch, and half of the requests under way waited for as long as that (closed loop); or at a \
           steady rate, or of clients that think, for as long as 20 responses usually take to come and users to sleep, and half \
           of the requests that usually fall due in the first half of it waited for the other",
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

/// Whether half of the requests that those stretches kept waiting took as long as that, and no longer than it takes to work off
/// what waited: those that are slow by themselves began at different moments.
fn kept_all_waiting(facts: &Facts, stalls: &[f64]) -> bool {
    let times = &facts.load.response;
    let until_answered = MEDIANS * times.quantile(0.5).unwrap_or(0.0) + INEXACT;
    let pauses: Vec<(f64, Kept)> = stalls
        .iter()
        .map(|length| (*length, kept(facts, *length)))
        .collect();
    let waited_in_one = |seconds: f64| {
        let mut all = pauses.iter();
        all.any(|(length, kept)| (kept.seconds..=length + until_answered).contains(&seconds))
    };
    let waited = times.cells().filter(|(seconds, _)| waited_in_one(*seconds));
    let waited: u64 = waited.map(|(_, count)| count).sum();
    let all: f64 = pauses.iter().map(|(_, kept)| kept.requests).sum();
    waited as f64 >= KEPT * all
}

/// Requests that a pause keeps waiting.
struct Kept {
    requests: f64,
    /// For so long at least.
    seconds: f64,
}

/// In a closed loop all that are under way, for all of the pause. Else those that usually fall due in its first half, for the
/// other half.
fn kept(facts: &Facts, length: f64) -> Kept {
    if facts.is_closed_loop() {
        return Kept {
            requests: facts.load.kept_busy.unwrap_or(0) as f64,
            seconds: length - INEXACT,
        };
    }
    let half = length / 2.0;
    let due = facts.load.throughput() * half;
    // clients that think ask for one thing each
    let most = facts.load.kept_busy.filter(|_| !facts.is_at_a_rate());
    Kept {
        requests: most.map_or(due, |most| due.min(most as f64)),
        seconds: half - INEXACT,
    }
}
