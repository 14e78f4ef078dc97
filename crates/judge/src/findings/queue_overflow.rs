//! Whether attempts to connect met a full accept queue.

use super::FindingKind;
use super::facts::{Facts, knob};
use super::rule::{About, Confidence, Finding, FindingRule};
use super::waits::WaitsFor;
use crate::words::{counted, number};

/// Room for so many connections is proposed at least: what most servers ask for.
const ROOM: f64 = 2048.0;

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::QueueOverflow,
    title: "connections meet a full accept queue",
    rule: "an attempt to connect for each hundred connections and more met a full accept queue (TcpExt ListenOverflows, which \
           counts each time that the kernel tries again)",
    source: "RFC 6298, section 2: a client tries again after one second, then after two and four more",
    about: About::Limit,
    look,
};

fn look(facts: &Facts) -> Option<Finding> {
    let Some(WaitsFor::Accept { full }) = facts.waits_for() else {
        return None;
    };
    let load = facts.load;
    let (response, service) = (load.response.mean()?, load.service.mean()?);
    let because = format!(
        "{} to connect met a full accept queue; a response took {} ms, and {} ms once its connection was open",
        counted(full, "attempt"),
        number(response * 1e3),
        number(service * 1e3)
    );
    let known = facts.app_server().and_then(|server| {
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
    let found = RULE.found(Confidence::Counted, because, next);
    Some(found.at_most(gain).by(change))
}
