//! Whether connections that ask for nothing hold the workers, while requests wait that nobody has read.

use super::FindingKind;
use super::facts::{Facts, knob};
use super::rule::{About, Confidence, Cost, Finding, FindingRule};
use super::waits::WaitsFor;
use crate::words::{counted, number};

/// Connections that a server had accepted, for each request that it works on at once, from which on all its workers have one.
const HELD: f64 = 0.9;
/// Requests on connections that it had not accepted, on average, which are worth a word: a server that reads several connections at
/// once accepts them all.
const OUTSIDE: f64 = 1.0;
/// Requests that it worked on, and that it had read, for each that it works on at once: at most so many, or it is these that hold
/// its workers.
const WORKED_ON: f64 = 0.5;

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::IdleConnections,
    title: "connections that ask for nothing hold the workers",
    rule: "the app server had accepted 0.9 connections over TCP and more for each request that it works on at once, over 6 looks and \
           more, and one request and more waited on connections that it had not accepted; those that it had read were at most half \
           of what it works on, and so were those that it works on by their rate and the time that one takes alone; no process has \
           all of a core, and cores are idle (at a rate, and of clients that think, half of them, and of each half)",
    source: "Little's law; sock_diag(7): which connections a program has accepted, and what it has not read of them",
    about: About::Limit,
    look,
};

/// Workers of the app server that connections hold, each figure an average.
pub(super) struct Held {
    /// Connections that it had accepted.
    accepted: f64,
    /// Requests in progress that it had read, at most.
    read: f64,
    /// Requests that it had not read.
    unread: f64,
    /// By how many times more requests it could work on.
    gain: f64,
}

impl Facts<'_> {
    /// What holds the workers of a server that gives one to each connection, where that is no request.
    pub(super) fn held_by_connections(&self) -> Option<Held> {
        let entry = self.app_server()?.entry.as_str();
        let slots = self.slots()?;
        let unread = self.unread(entry)?;
        let accepted = self.measured.observed.accepted(entry)?;
        let outside = self.measured.observed.unaccepted(entry)?;
        let read = (self.in_progress() - unread).max(0.0);
        let worked_on = self.load.throughput() * self.alone()?;
        let idle = read.max(worked_on) <= WORKED_ON * slots;
        (idle && outside >= OUTSIDE && accepted >= HELD * slots).then_some(Held {
            accepted,
            read,
            unread,
            gain: slots / worked_on.max(f64::MIN_POSITIVE),
        })
    }
}

fn look(facts: &Facts) -> Option<Finding> {
    let Some(WaitsFor::Worker(held)) = facts.waits_for().filter(|_| facts.requests_wait()) else {
        return None;
    };
    let entry = facts.app_server()?.entry.as_str();
    let because = format!(
        "`{entry}` works on {} at once and had accepted {} connections, but of the {} requests in progress it had read {} at \
         most, and {} waited unread: a connection keeps a worker until it asks for something",
        counted(facts.slots()? as u64, "request"),
        number(held.accepted),
        number(facts.in_progress()),
        number(held.read),
        number(held.unread),
    );
    let found = RULE.found(Confidence::Likely, because, remedy(facts, entry));
    let gain = facts.room().min(held.gain);
    Some(found.at_most(gain).costs(Cost::Variant))
}

/// What to do: clients' connections stay in a front end, and those of a front end are as few as there are workers.
fn remedy(facts: &Facts, entry: &str) -> String {
    let fronts = facts.fronts();
    let kept = fronts.last().and_then(|front| {
        let server = facts.server(front)?;
        let (name, now) = knob(server, server.scale.kept.as_ref())?;
        (now > 0.0).then_some((name, *front))
    });
    match (kept, fronts.last()) {
        (Some((name, front)), _) => format!(
            "set `{name}` of `{front}` to 0, so that no connection to `{entry}` stays open without a request, or use a server \
             that waits for many connections at once (an event loop, gevent)"
        ),
        (None, Some(front)) => format!(
            "let `{front}` open a connection to `{entry}` only for a request, or use a server that waits for many connections \
             at once (an event loop, gevent)"
        ),
        (None, None) => format!(
            "put a front end before `{entry}` that keeps clients' connections and opens one to it for each request, or use a \
             server that waits for many connections at once (an event loop, gevent); if your clients keep no connections, \
             load with `keep-alive = false`"
        ),
    }
}
