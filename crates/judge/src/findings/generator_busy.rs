//! Whether weir itself took what the stack could have had.

use record::ProcessCost;

use super::FindingKind;
use super::facts::Facts;
use super::rule::{About, Confidence, Finding, FindingRule};
use crate::doubt::SATURATED;
use crate::words::{number, percent};

/// Share of busy cores' time.
const TAKEN: f64 = 0.2;

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::GeneratorBusy,
    title: "the load generator takes part of the machine",
    rule: "a thread of the load engine is busy for 90 % of the window and more, or the generator has 20 % and more of cores \
           none of which is idle",
    source: "CPU time by program (/proc/PID/task/*/schedstat)",
    about: About::Measurement,
    look,
};

fn look(facts: &Facts) -> Option<Finding> {
    let busiest = facts.load.engine.busiest;
    let own = facts.own_share();
    if busiest < SATURATED && own < TAKEN {
        return None;
    }
    let because = format!(
        "the load generator used {} of {} cores, its busiest thread {} of the time",
        number(facts.cores_of_all(ProcessCost::OWN)),
        facts.cores,
        percent(busiest)
    );
    let next = if facts.is_own() {
        "give it cores of its own (`--load-cpus 1`), or load from another machine: the stack can do more than this"
    } else {
        "keep it and the server apart (`taskset --cpu-list`), or load from another machine: the server can do more than this"
    };
    Some(
        RULE.found(Confidence::Counted, because, next)
            .at_most(1.0 / (1.0 - own).max(0.01)),
    )
}
