//! Whether the machine has nothing left to give.

use record::ProcessCost;

use super::FindingKind;
use super::facts::Facts;
use super::rule::{About, Confidence, Cost, Finding, FindingRule};
use crate::words::{duration, number, percent};

/// Cores of other programs from which on another worker may find one where these do not run.
const HELD: f64 = 0.25;

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::EveryCoreBusy,
    title: "every core is busy",
    rule: "what ran on the stack's cores used 90 % of their time and more, or 75 % while its threads waited for a core \
           longer than cores were idle (of a process that has all of a core and runs one thread at a time only what that one \
           lacks), unless a variant of the run that only has more workers is surely faster, or the stack and the load \
           generator lack no cores (as where other programs take them), or other programs have more of them than any of the \
           stack's",
    source: "Gunther, \"Guerrilla Capacity Planning\", 2007: a resource that is busy all the time sets the throughput",
    about: About::Limit,
    look,
};

/// More workers, threads or clients bring nothing then, as a rule: only a request that costs less, or more cores. That is not
/// concluded of cores that other programs have.
fn look(facts: &Facts) -> Option<Finding> {
    if !facts.every_core_is_busy() {
        return None;
    }
    let most = facts
        .owners()
        .into_iter()
        .find(|of| of.name != ProcessCost::OWN)?;
    // that is what something else took, and told there
    if facts.others() > most.cores() {
        return None;
    }
    let (cores, parts) = (facts.cores, facts.shares_of_cores());
    let waiting = facts.waiting_for_a_core();
    let idle = cores * (1.0 - facts.busy());
    let because = if waiting > idle {
        format!(
            "of {cores} cores these were in use: {parts}; and of the stack's threads {} waited for one on average",
            number(waiting)
        )
    } else {
        format!("of {cores} cores these were in use: {parts}; none was idle")
    };
    let whose = most.name;
    let others = facts.others();
    let workers = if facts.scales() {
        String::new()
    } else if others >= HELD {
        format!(
            ". What more workers bring shows on a quiet machine: other programs had {} cores",
            number(others)
        )
    } else {
        ". More workers bring nothing".to_owned()
    };
    let next = if most.system > most.user {
        format!(
            "`{whose}` spends {} of its time in the kernel: fewer and larger writes, connections that are kept open, files served by the \
             front end; or more cores{workers}",
            percent(most.system / (most.system + most.user))
        )
    } else {
        format!(
            "make a request cheaper where its time goes: profile `{whose}` ({} of CPU for each response), or \
             add cores{workers}",
            duration(most.cores() / facts.load.throughput())
        )
    };
    let found = RULE.found(Confidence::Counted, because, next);
    Some(found.costs(Cost::Machine))
}
