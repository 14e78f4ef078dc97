//! Whether somebody else had what the stack could have had.

use super::FindingKind;
use super::facts::Facts;
use super::rule::{About, Confidence, Finding, FindingRule};
use crate::words::percent;

/// Share of all cores' time.
const TAKEN: f64 = 0.05;

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::OtherPrograms,
    title: "something else took part of the machine",
    rule: "other programs, the hypervisor or a CPU quota take 5 % and more of the machine's CPU time",
    source: "/proc/stat, /proc/PID/stat, cgroup v2 cpu.stat",
    about: About::Measurement,
    look,
};

fn look(facts: &Facts) -> Option<Finding> {
    let others = facts.measured.observed.others.as_ref();
    let others = others.filter(|others| others.share >= TAKEN);
    let stolen = facts.load.stolen.map_or(0.0, |stolen| stolen.share);
    let throttled = facts.load.throttled.unwrap_or(0.0) / (facts.load.seconds * facts.cores);
    let mut taken = Vec::new();
    taken.extend(others.map(crate::doubt::took));
    if stolen >= TAKEN {
        taken.push(format!("the hypervisor took {}", percent(stolen)));
    }
    if throttled >= TAKEN {
        taken.push(format!(
            "a CPU quota kept threads from running for {}",
            percent(throttled)
        ));
    }
    if taken.is_empty() {
        return None;
    }
    let share = others.map_or(0.0, |others| others.share) + stolen + throttled;
    let next = "measure on a machine that is quiet: `weir doctor` says what runs";
    Some(
        RULE.found(Confidence::Counted, taken.join("; "), next)
            .at_most(1.0 / (1.0 - share).max(0.01)),
    )
}
