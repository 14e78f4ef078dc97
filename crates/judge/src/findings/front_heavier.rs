//! Whether passing requests on costs more than answering them.

use super::FindingKind;
use super::facts::Facts;
use super::rule::{About, Confidence, Cost, Finding, FindingRule};
use crate::words::{listed, number, percent};

/// Share of the stack's CPU time.
const MOST: f64 = 0.4;

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::FrontHeavier,
    title: "the front end takes much of the time",
    rule: "front ends use 40 % of the stack's CPU time and more, programs that it is connected to among it, and no core is idle",
    source: "CPU time by program (/proc/PID/task/*/schedstat)",
    about: About::Beside,
    look,
};

fn look(facts: &Facts) -> Option<Finding> {
    let fronts = facts.fronts();
    let cores: f64 = fronts.iter().map(|entry| facts.cores_of_all(entry)).sum();
    let share = cores / facts.cores_with_partners().max(f64::MIN_POSITIVE);
    if share < MOST || !facts.every_core_is_busy() {
        return None;
    }
    let because = format!(
        "{} used {} of {} cores, {} of what the stack used",
        listed(fronts.iter().copied()),
        number(cores),
        facts.cores,
        percent(share)
    );
    let keep = if facts.fronts_keep_connections() {
        ""
    } else {
        "keep its connections to the servers behind it open, "
    };
    let next = format!(
        "let clients speak to the app server where nothing needs the front end, {keep}and switch off what it does for each \
         request (logs, compression, buffering)"
    );
    let found = RULE.found(Confidence::Counted, because, next);
    let gain = 1.0 / (1.0 - share).max(0.01);
    Some(found.at_most(gain).costs(Cost::Knob))
}
