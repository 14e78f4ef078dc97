//! Whether one process is as fast as a core lets it be, while others are idle.

use record::ProcessCost;

use super::facts::{Facts, knob};
use super::rule::{About, Confidence, Finding, FindingRule};
use super::{FindingKind, uneven_workers};
use crate::words::number;

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::OneCore,
    title: "one process has all of a core",
    rule: "a process of the stack, or several that take each other's place, use 90 % to 110 % of a core (where their language runs \
           one thread at a time to 150 %, and of a closed loop from 50 % on where a profile saw threads wait for its lock for half \
           of the time in which they had work), or a thread of it all of one or all that it can get, workers share evenly, and \
           cores are idle",
    source: "Gunther, \"Guerrilla Capacity Planning\", 2007: a resource that is busy all the time sets the throughput",
    about: About::Limit,
    look,
};

fn look(facts: &Facts) -> Option<Finding> {
    let hot = facts.with_a_whole_core();
    let first = hot.first()?;
    let uneven = || (uneven_workers::RULE.look)(facts).is_some();
    if facts.every_core_is_busy() || uneven() {
        return None;
    }
    let least = hot.iter().min_by(|one, other| {
        facts
            .cores_of_itself(one)
            .total_cmp(&facts.cores_of_itself(other))
    })?;
    let idle = facts.cores * (1.0 - facts.busy());
    let owner = first.owner.as_str();
    let is_app = facts
        .app_server()
        .is_some_and(|server| server.entry == owner);
    let because = format!(
        "{} of `{owner}` {}{}, and {} of {} cores were idle{}",
        processes(&hot, facts),
        facts.had_of_a_core(least, facts.at_once(hot.iter().copied())),
        facts.lock_in_words(first),
        number(idle),
        facts.cores,
        facts.interpreter_lock_in_words()
    );
    let known = facts
        .server(owner)
        .and_then(|server| knob(server, server.scale.processes.as_ref()));
    let (next, change) = match known {
        Some((name, now)) if now < facts.cores => (
            format!(
                "{} to {}: a process for each core",
                raised(name, owner, now),
                facts.cores
            ),
            facts.setting(owner, name, facts.cores),
        ),
        Some((name, now)) => (
            format!(
                "`{owner}` has {now} {name}, and not all of them work: load with more connections (`-c`), each of which is one \
                 worker's, or look for what only one of them has (a lock, a queue)"
            ),
            None,
        ),
        None if is_app => (
            format!(
                "run more processes of `{owner}`: several instances behind a front end, or a server with workers"
            ),
            facts.setting(owner, "instances", facts.cores),
        ),
        None => (
            format!(
                "give `{owner}` less to do (`weir profile` says what it does), or more processes"
            ),
            None,
        ),
    };
    let found = RULE.found(Confidence::Counted, because, next);
    Some(found.at_most(facts.room()).by(change))
}

/// `one process`, `each of 2 processes`; those that take each other's place are one.
fn processes(hot: &[&ProcessCost], facts: &Facts) -> String {
    let at_once = facts.at_once(hot.iter().copied()).round() as u64;
    match (hot.len(), at_once) {
        (1, _) => "one process".to_owned(),
        (_, 0 | 1) => "one process at a time".to_owned(),
        (_, many) => format!("each of {many} processes"),
    }
}

/// ``raise `workers` of `gunicorn` from 1``; where none is a mode of its own, there is nothing to raise.
pub(super) fn raised(name: &str, owner: &str, now: f64) -> String {
    if now < 1.0 {
        return format!("set `{name}` of `{owner}`");
    }
    format!("raise `{name}` of `{owner}` from {now}")
}
