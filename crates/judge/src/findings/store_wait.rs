//! Whether requests wait for a service that the app uses.

use record::Doing;

use super::FindingKind;
use super::facts::Facts;
use super::rule::{About, Confidence, Finding, FindingRule};
use crate::words::number;

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::StoreWait,
    title: "requests wait for a service",
    rule: "the app has a service, the load was profiled, more than two requests are worked on, half of them and more wait for \
           a socket in code of the app or of its framework (100 samples and more), no process has all of a core, cores are idle \
           (at a rate, and of clients that think, half of them, and of each half), and nothing else is known to be waited for",
    source: "samples of all threads, by the system call in which they wait (/proc/PID/task/TID/syscall)",
    about: About::Beside,
    look,
};

fn look(facts: &Facts) -> Option<Finding> {
    let cores = |entry: &str| facts.cores_of_all(entry);
    let (name, entry) = facts
        .services()
        .max_by(|one, other| cores(one.1).total_cmp(&cores(other.1)))?;
    let waiting = facts.waiting_in_app(Doing::WaitsForSocket)?;
    if !facts.waits_inside() {
        return None;
    }
    let because = format!(
        "of {} requests that were worked on {} waited for a socket in code of the app, and `{entry}` (the app's `{name}`) used \
         {} of {} cores",
        number(facts.worked_on()),
        number(waiting),
        number(cores(entry)),
        facts.cores
    );
    let next = format!(
        "see what takes `{entry}` so long (its log of slow queries, its locks, its commits; `weir profile` says which functions \
         of the app wait), and ask it less often: one query instead of many, a cache before it"
    );
    Some(RULE.found(Confidence::Likely, because, next))
}
