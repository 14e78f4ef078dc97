//! Whether requests wait for a lock of the app, or for a pool that it keeps.

use record::Setting;

use super::FindingKind;
use super::facts::{Facts, knob};
use super::rule::{About, Confidence, Finding, FindingRule};
use super::waits::WaitsFor;
use crate::words::number;

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::LockContention,
    title: "threads wait for a lock of the app",
    rule: "the load was profiled, more than two requests are worked on, half of them and more wait for another thread in code \
           of the app or of its framework (100 samples and more), no process has all of a core, and cores are idle (at a rate, \
           and of clients that think, half of them, and of each half)",
    source: "samples of all threads, by the system call in which they wait (/proc/PID/task/TID/syscall)",
    about: About::Limit,
    look,
};

fn look(facts: &Facts) -> Option<Finding> {
    let (true, Some(WaitsFor::Thread { waiting })) = (facts.requests_wait(), facts.waits_for())
    else {
        return None;
    };
    let because = format!(
        "of {} requests that were worked on {} waited for another thread in code of the app, and the stack used {} of {} cores",
        number(facts.worked_on()),
        number(waiting),
        number(facts.stack_cores()),
        facts.cores
    );
    let (more, change) = more_processes(facts);
    let next = format!(
        "find the lock or the pool (`weir profile` says in which functions threads wait): hold it for less time, wait for \
         nothing else while it is held, or make the pool larger{more}. More threads only wait with the others"
    );
    let each_other = facts.wait_for_each_other();
    let gain = each_other.map_or(f64::INFINITY, |(alone, mean)| mean / alone);
    let found = RULE.found(Confidence::Likely, because, next);
    Some(found.at_most(facts.room().min(gain)).by(change))
}

/// As a remark, the knob by which there are more processes, each of which has locks and pools of its own, with that change.
fn more_processes(facts: &Facts) -> (String, Option<Setting>) {
    let known = facts.app_server().and_then(|server| {
        let (name, now) = knob(server, server.scale.processes.as_ref())?;
        let entry = server.entry.as_str();
        let more = format!(
            "; or raise `{name}` of `{entry}` from {now} to {}, as each process has its own",
            facts.cores
        );
        let few = (1.0..facts.cores).contains(&now);
        few.then(|| (more, facts.setting(entry, name, facts.cores)))
    });
    known.unwrap_or_default()
}
