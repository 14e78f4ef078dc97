//! Whether programs wait for a disk.

use super::FindingKind;
use super::facts::Facts;
use super::rule::{About, Confidence, Cost, Finding, FindingRule};
use super::waits::WaitsFor;
use crate::words::percent;

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::StorageWait,
    title: "programs wait for storage",
    rule: "for 20 % of the window and more some program of the machine waited for storage (pressure stall information), \
           and of all cores 10 % and more were idle",
    source: "Linux, Documentation/accounting/psi.rst",
    about: About::Limit,
    look,
};

fn look(facts: &Facts) -> Option<Finding> {
    let Some(WaitsFor::Storage { share }) = facts.waits_for() else {
        return None;
    };
    let because = format!(
        "for {} of the window some program waited for storage, and {} of the cores' time was used",
        percent(share),
        percent(facts.busy())
    );
    let next = "write less often or less at once (a log, a session, a commit for each request), or to faster storage";
    let found = RULE.found(Confidence::Counted, because, next);
    Some(found.at_most(facts.room()).costs(Cost::Machine))
}
