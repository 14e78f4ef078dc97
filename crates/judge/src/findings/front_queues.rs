//! Whether requests wait in a front end while the servers behind it could work on more.

use record::ServerFacts;

use super::FindingKind;
use super::facts::{Facts, knob};
use super::rule::{About, Confidence, Finding, FindingRule};
use super::waits::WaitsFor;
use crate::words::{counted, number};

/// Share of the time until the first byte of a response.
const MOST: f64 = 0.5;

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::FrontQueues,
    title: "requests wait in the front end's queue",
    rule: "no process has all of a core and cores are idle (at a rate, and of clients that think, half of them, and of each half), \
           requests are in a front end's queue for half of the time until their first byte and more, and it hands the servers \
           behind fewer at once than they work on",
    source: "HAProxy, Management Guide, 9.1: qtime, ctime and rtime, averages of the last 1,024 requests",
    about: About::Limit,
    look,
};

/// A queue in a front end that the servers behind it could take from.
pub(super) struct Queue<'a> {
    front: &'a ServerFacts,
    /// The knob that says how many it hands to each server at once, and its value.
    handed: (&'a str, f64),
    /// Servers behind it.
    servers: f64,
    /// Seconds that a request is in the queue, and until the first byte of its response.
    queued: f64,
    all: f64,
}

impl<'a> Facts<'a> {
    /// Where requests wait in a front end for a server that has room for them.
    pub(super) fn queue_in_front(&self) -> Option<Queue<'a>> {
        let mut fronts = self.fronts().into_iter();
        fronts.find_map(|front| {
            let front = self.server(front)?;
            let handed = knob(front, front.scale.handed.as_ref())?;
            let time = |name| self.measured.observed.seconds(&front.entry, name);
            let queued = time("queue-time")?;
            let all = queued + time("connect-time")? + time("first-byte-time")?;
            let behind = self.app_server()?.entry.as_str();
            let servers = self.measured.stack.passed();
            let servers = servers.filter(|server| server.entry == behind).count() as f64;
            let taken = handed.1 * servers;
            let room = self.slots().is_none_or(|slots| slots > taken);
            // a limit of 0 is none
            let limits = taken > 0.0 && room && queued >= MOST * all && all > 0.0;
            limits.then_some(Queue {
                front,
                handed,
                servers,
                queued,
                all,
            })
        })
    }
}

fn look(facts: &Facts) -> Option<Finding> {
    let (true, Some(WaitsFor::Front(queue))) = (facts.requests_wait(), facts.waits_for()) else {
        return None;
    };
    let front = queue.front.entry.as_str();
    let behind = facts.app_server()?.entry.as_str();
    let (name, now) = queue.handed;
    let slots = facts.slots().map(|slots| slots / queue.servers);
    let works_on = slots.map_or_else(
        || "more".to_owned(),
        |slots| counted(slots as u64, "request"),
    );
    let because = format!(
        "of the {} ms from a request to its response's first byte it was in the queue of `{front}` for {} ms: each \
         `{behind}` is handed {} at once, and works on {works_on}",
        number(queue.all * 1e3),
        number(queue.queued * 1e3),
        counted(now as u64, "request"),
    );
    let wanted = (facts.in_progress() / queue.servers).ceil().max(now + 1.0);
    let enough = slots.map_or(wanted, |slots| wanted.min(slots));
    let next = format!("raise `{name}` of `{front}` from {now} to {enough}");
    let gain = facts
        .room()
        .min(enough / now)
        .min(queue.all / (queue.all - queue.queued).max(f64::MIN_POSITIVE));
    let found = RULE.found(Confidence::Counted, because, next);
    Some(found.at_most(gain).by(facts.setting(front, name, enough)))
}
