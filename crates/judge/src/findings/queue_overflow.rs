//! Whether attempts to connect met a full accept queue.

use record::QueueFacts;

use super::FindingKind;
use super::facts::{Facts, knob};
use super::rule::{About, Confidence, Cost, Finding, FindingRule};
use super::waits::WaitsFor;
use crate::words::{counted, number};

/// Room for so many connections is proposed at least: what most servers ask for.
const ROOM: f64 = 2048.0;

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::QueueOverflow,
    title: "connections meet a full accept queue",
    rule: "an attempt to connect for each hundred connections and more met a full accept queue (TcpExt ListenOverflows, which \
           counts each time that the kernel tries again; of these at most as many as the stack's own listeners turned away, which \
           the kernel counts for each); or the queue of a Unix socket, of which nobody counts that, was full \
           in a look, and 1 % of the requests and more had no correct response",
    source: "RFC 6298, section 2: a client tries again after one second, then after two and four more; sock_diag(7), \
             SK_MEMINFO_DROPS; unix(7): over a Unix socket it waits, or is refused",
    about: About::Limit,
    look,
};

fn look(facts: &Facts) -> Option<Finding> {
    let Some(WaitsFor::Accept { full, queue }) = facts.waits_for() else {
        return None;
    };
    let load = facts.load;
    let (response, service) = (load.response.mean()?, load.service.mean()?);
    let again = load.network.map_or(0, |network| network.syn_retries);
    let told = format!(
        "{} to connect met a full accept queue, and the kernel sent {} to open a connection again (after 1 s, 3 s or 7 s without \
         an answer); a response took {} ms, and {} ms once its connection was open",
        counted(full, "attempt"),
        counted(again, "request"),
        number(response * 1e3),
        number(service * 1e3)
    );
    let (confidence, told) = if full > 0 {
        (Confidence::Counted, Some(told))
    } else {
        (Confidence::Likely, None)
    };
    let sockets = facts.measured.observed.sockets;
    let looks = sockets.map_or(0, |of| of.looks_at_queues());
    let seen = queue.map(|of| in_words(of, looks));
    let because: Vec<String> = told.into_iter().chain(seen).collect();
    let whose = queue.and_then(|of| facts.server(&of.program));
    let known = whose.or(facts.app_server()).and_then(|server| {
        let (name, now) = knob(server, server.scale.backlog.as_ref())?;
        let room = ROOM.max(2.0 * f64::from(load.connections));
        let raise = format!("raise `{name}` of `{}` from {now} to {room}", server.entry);
        let longer = now < room;
        longer.then(|| (raise, facts.setting(&server.entry, name, room)))
    });
    let (raise, change) = known.unwrap_or_else(|| ("raise the server's backlog".to_owned(), None));
    let next = format!(
        "{raise}, and net.core.somaxconn, which caps it; keep connections open, or accept them faster (more workers)"
    );
    let gain = (response / service.max(f64::MIN_POSITIVE)).min(facts.room());
    let found = RULE.found(confidence, because.join("; "), next);
    Some(found.at_most(gain).costs(Cost::Knob).by(change))
}

/// Which queue it was, and how often it was full.
fn in_words(of: &QueueFacts, looks: u32) -> String {
    let QueueFacts {
        program,
        address,
        full,
        room,
        ..
    } = of;
    let room = counted(u64::from(*room), "connection");
    let away = of.dropped.filter(|dropped| *dropped > 0);
    let away = away.map_or_else(String::new, |dropped| {
        let attempts = counted(dropped, "attempt");
        format!(", and its listener turned {attempts} away")
    });
    format!(
        "the accept queue of `{program}` at {address} was full in {full} of {looks} looks, with room for {room}{away}"
    )
}
