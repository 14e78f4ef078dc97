use record::{Cause, LoadFacts};

use super::errors::answered_wrongly;
use super::{DoubtKind, Evidence, Held, Rule, struck};
use crate::words::counted;

pub(super) const UNCOUNTED: &str = "what TCP did was not counted";

/// Seconds after which Linux sends a segment again at the earliest (`TCP_RTO_MIN`); one that opens a connection, after a second.
const AGAIN_AFTER: f64 = 0.2;

pub(super) const RULE: Rule = Rule {
    title: "an accept queue was full",
    rule: "no accept queue of this network namespace is ever full (TcpExt ListenOverflows), as far as requests were kept \
           waiting by it, and as far as the stack's own listeners turned somebody away, where the kernel tells",
    disqualifies: "never",
    ..Rule::of(DoubtKind::QueueFull, look)
};

/// Told only: a queue that is full is what an overloaded server looks like. But a connection that met it waited one
/// second, then three for the kernel to try again (RFC 6298, section 2), which is neither the server's
/// time nor the network's.
fn look(evidence: &Evidence) -> Held {
    let Some(queue_full) = seen_full(evidence.load, evidence.turned_away) else {
        return RULE.silent(UNCOUNTED);
    };
    let because = format!(
        "{} to connect met a full accept queue",
        counted(queue_full, "attempt")
    );
    if queue_full == 0 {
        return RULE.passed(because);
    }
    if let Some(struck) = struck(evidence.load) {
        let advice = "connections that a fault opens, or that nobody accepts after it, fill the queue: whether it is too short \
                      for the load alone is for a trial without faults to say";
        return RULE.doubted(false, format!("{struck}, and {because}"), advice);
    }
    let advice = "raise the server's backlog (and net.core.somaxconn, which caps it), keep connections \
                  open, or lower the load: the times of these connections are the kernel's pauses";
    RULE.doubted(false, because, advice)
}

/// Attempts to connect that met a full accept queue, also those with which the kernel tries again; `None` where that was not
/// counted. Where the kernel counts those of the whole machine, none of them is this load's unless some request was kept waiting
/// for as long as that takes; and none ever is where the load has not tried to connect. As far as it is known what the stack's
/// listeners turned away, the rest met those of others.
pub(crate) fn seen_full(load: &LoadFacts, turned_away: Option<u64>) -> Option<u64> {
    let network = load.network?;
    let tried = load.connects > 0 || load.scheduled > unasked(load) || load.crowd.is_some();
    let seen = tried && (network.own || waited_for_the_kernel(load));
    let own = turned_away.unwrap_or(u64::MAX).min(network.queue_full);
    Some(if seen { own } else { 0 })
}

/// Whether a request took as long as the kernel waits at least before it sends a segment again, or was lost.
pub(super) fn waited_for_the_kernel(load: &LoadFacts) -> bool {
    let lost = load.failures() + load.timed_out > answered_wrongly(load) + unasked(load);
    let opening = [&load.response, &load.connect];
    lost || opening.iter().any(|times| times.max() >= Some(AGAIN_AFTER))
}

/// Requests that nobody could think of: the network has met none of them.
fn unasked(load: &LoadFacts) -> u64 {
    load.failed.get(&Cause::Unasked).copied().unwrap_or(0)
}
