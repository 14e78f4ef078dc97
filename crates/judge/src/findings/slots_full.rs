//! Whether all that works on requests is taken, and waits.

use super::FindingKind;
use super::facts::{Facts, knob};
use super::rule::{About, Confidence, Finding, FindingRule};
use crate::words::{counted, number};

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::SlotsFull,
    title: "all workers are taken, and wait",
    rule: "a closed loop has 1.1 requests and more in progress for each that the app server works on at once, no process \
           has all of a core, and of all cores 10 % and more are idle",
    source: "Little's law: slots over the time of a response are the most that such a server answers",
    about: About::Limit,
    look,
};

fn look(facts: &Facts) -> Option<Finding> {
    let slots = facts.slots()?;
    let in_progress = facts.in_progress();
    if !facts.waits_inside() || !facts.slots_are_full() {
        return None;
    }
    let server = facts.app_server()?;
    let entry = server.entry.as_str();
    let because = format!(
        "`{entry}` works on {} at once, {} were in progress, and it used {} of {} cores: its workers wait for something \
         else",
        counted(slots as u64, "request"),
        number(in_progress),
        number(facts.cores_of_all(entry)),
        facts.cores
    );
    let (next, change) = if let Some((name, now)) = knob(server, server.scale.slots.as_ref()) {
        let enough = (now * in_progress / slots).ceil();
        let next = format!(
            "raise `{name}` of `{entry}` from {now} to {enough}, or use a server that waits for many requests at once \
             (gevent, an event loop, threads), and limit what is waited for"
        );
        (next, facts.setting(entry, name, enough))
    } else {
        let next = format!(
            "use a server that waits for more requests at once than `{entry}`, or shorten what is waited for"
        );
        (next, None)
    };
    let gain = facts.room().min(in_progress / slots);
    let found = RULE.found(Confidence::Likely, because, next);
    Some(found.at_most(gain).by(change))
}
