//! Whether somebody else had what the stack could have had.

use super::FindingKind;
use super::facts::Facts;
use super::rule::{About, Confidence, Finding, FindingRule};
use crate::words::{number, percent};

/// Share of all cores' time.
const TAKEN: f64 = 0.05;
/// The same of what a server may itself hand its requests to, as weir did not start it.
const MUCH: f64 = 0.2;

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::OtherPrograms,
    title: "something else took part of the machine",
    rule: "other programs take 5 % and more of the machine's CPU time (20 % of programs that may be of the server, where weir \
           did not start it), and the stack or the load generator lacks cores: no core is idle and they have 25 % and more of \
           them, or a thread that does most of its process would have run all the time and waits for a core for 10 % of it and \
           more, or what threads wait for a core is 25 % and more of the time of requests; or the hypervisor takes 5 % and more, or \
           a CPU quota keeps threads from running for as long as that would be",
    source: "/proc/stat, /proc/PID/stat, cgroup v2 cpu.stat",
    about: About::Measurement,
    look,
};

fn look(facts: &Facts) -> Option<Finding> {
    let others = facts.measured.observed.others.as_ref();
    let least = if facts.is_own() { TAKEN } else { MUCH };
    let others = others.filter(|others| others.share >= least && facts.lacks_cores());
    let stolen = facts.load.stolen.map_or(0.0, |stolen| stolen.share);
    let stolen = Some(stolen).filter(|share| *share >= TAKEN);
    let quota = held_back(facts);
    let mut taken = Vec::new();
    taken.extend(others.map(crate::doubt::took));
    taken.extend(stolen.map(|share| format!("the hypervisor took {}", percent(share))));
    let mut next = Vec::new();
    if !taken.is_empty() {
        next.push("measure on a machine that is quiet: `weir doctor` says what runs");
    }
    if quota.is_some() {
        next.push(
            "a quota pauses weir and the stack alike: give the container whole cores (`docker run --cpuset-cpus`) and no quota \
             (`--cpus`), or load from outside of it",
        );
    }
    taken.extend(quota);
    if taken.is_empty() {
        return strangers(facts);
    }
    // what a quota holds back may be of more processors than weir may use, and is no share of these
    let share = others.map_or(0.0, |others| others.share) + stolen.unwrap_or(0.0);
    Some(
        RULE.found(Confidence::Counted, taken.join("; "), next.join("; "))
            .at_most(1.0 / (1.0 - share).max(0.01)),
    )
}

/// What a CPU quota held back, where that is worth a word.
fn held_back(facts: &Facts) -> Option<String> {
    let seconds = facts.load.throttled?;
    // of a window in slices that of their lead-ins is among it
    let counted = seconds * facts.load.counted_share();
    let told = counted >= TAKEN * facts.load.seconds * facts.cores;
    told.then(|| {
        format!(
            "a CPU quota kept threads from running for {} s of one processor",
            number(seconds)
        )
    })
}

/// Programs beside a server that weir cannot see: they may be this server, or what it hands its requests to.
fn strangers(facts: &Facts) -> Option<Finding> {
    if facts.measured.observed.others.is_some() {
        return None;
    }
    let cores = facts.others();
    if facts.is_own() || cores < MUCH * facts.cores || !facts.lacks_cores() {
        return None;
    }
    let because = format!(
        "programs that are neither the one that listens nor weir had {} of {} cores",
        number(cores),
        facts.cores
    );
    let next = "if they are not what that program hands its requests to, end them (`weir doctor` says what runs), or measure \
                on a machine that is quiet";
    Some(RULE.found(Confidence::Likely, because, next))
}
