//! Whether a front end hands servers more than they work on, so that requests wait where they cannot be given to a free one.

use super::FindingKind;
use super::facts::{Facts, knob};
use super::rule::{About, Confidence, Cost, Finding, FindingRule};
use crate::words::counted;

/// Connections in the accept queue of a server from which on they wait: one may just be on its way.
const WAIT: u32 = 2;

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::LimitsOutOfOrder,
    title: "requests wait behind the front end",
    rule: "a front end hands each of several servers more requests at once than that works on, or any number, and two \
           connections and more waited in the accept queue of one",
    source: "HAProxy's blog, \"Protect servers with HAProxy connection limits and queues\"",
    about: About::Beside,
    look,
};

fn look(facts: &Facts) -> Option<Finding> {
    let server = facts.app_server()?;
    let servers = facts.measured.stack.passed();
    let servers = servers.filter(|of| of.entry == server.entry).count();
    let slots = facts.slots()? / servers as f64;
    let queues = facts.measured.observed.queues.iter();
    let queues = queues.filter(|of| of.program == server.entry);
    let waiting = queues.map(|of| of.waiting).max()?;
    let front = facts.server(facts.fronts().last()?)?;
    let (name, handed) = knob(front, front.scale.handed.as_ref())?;
    // a limit of 0 is none
    let above = handed < 1.0 || handed > slots;
    if servers < 2 || !above || waiting < WAIT {
        return None;
    }
    let most = if handed < 1.0 {
        "any number of requests".to_owned()
    } else {
        counted(handed as u64, "request")
    };
    let (front, server) = (&front.entry, &server.entry);
    let because = format!(
        "`{front}` hands each of {servers} `{server}` {most} at once, and each works on {slots}: up to {} waited in the accept \
         queue of one, whether or not another was free",
        counted(u64::from(waiting), "connection")
    );
    let next = format!(
        "set `{name}` of `{front}` to {slots}: then requests wait in the front end, and the first server that is free takes the next"
    );
    // no change that could be tried: what that compares is throughput, and this is about times
    let found = RULE.found(Confidence::Likely, because, next);
    Some(found.costs(Cost::Knob))
}
