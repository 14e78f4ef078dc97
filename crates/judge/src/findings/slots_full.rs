//! Whether all that works on requests is taken, and waits.

use super::FindingKind;
use super::facts::{Facts, knob};
use super::rule::{About, Confidence, Cost, Finding, FindingRule};
use crate::compare::NEGLIGIBLE;
use crate::words::{counted, number};

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::SlotsFull,
    title: "all workers are taken, and wait",
    rule: "1.1 requests and more are in progress for each that the app server works on at once, no process has all of a core, and \
           of all cores 10 % and more are idle (at a rate, and of clients that think, half of them, and of each half); more workers \
           were not measured in the same run to be no faster",
    source: "Little's law: slots over the time of a response are the most that such a server answers",
    about: About::Limit,
    look,
};

fn look(facts: &Facts) -> Option<Finding> {
    let slots = facts.slots()?;
    let in_progress = facts.in_progress();
    if !facts.waits_inside() || !facts.slots_are_full() || facts.has_workers_in_vain() {
        return None;
    }
    let server = facts.app_server()?;
    let entry = server.entry.as_str();
    let because = format!(
        "`{entry}` works on {} at once, {} were in progress{}, and it used {} of {} cores: its workers wait for something \
         else{}",
        counted(slots as u64, "request"),
        number(in_progress),
        queue(facts, in_progress - slots),
        number(facts.cores_of_all(entry)),
        facts.cores,
        unread(facts, entry)
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
    Some(found.at_most(gain).costs(Cost::Variant).by(change))
}

/// At a rate, what it costs that so many requests wait for a worker, and whether they become more. In a closed loop no more wait
/// than there are clients.
fn queue(facts: &Facts, waiting: f64) -> String {
    if !facts.is_at_a_rate() {
        return String::new();
    }
    let (load, mean) = (facts.load, facts.load.service.mean().unwrap_or(0.0));
    let grows = if facts.room_of_what_is_asked() > 1.0 + NEGLIGIBLE {
        "and became more, as more came than were answered"
    } else {
        "and became no more"
    };
    format!(
        " (of the {} ms of a response about {} ms were a wait for a worker; {} requests waited on average, {grows})",
        number(mean * 1e3),
        number(waiting / load.throughput() * 1e3),
        number(waiting)
    )
}

/// How many of those that wait the kernel still has; the others wait inside the server, or on their way.
fn unread(facts: &Facts, entry: &str) -> String {
    facts.unread(entry).map_or_else(String::new, |waiting| {
        let waiting = number(waiting);
        format!("; {waiting} requests had not been read yet, on average")
    })
}
