//! Whether requests to open a connection have no answer, though no accept queue here was full.

use super::FindingKind;
use super::facts::Facts;
use super::rule::{About, Confidence, Cost, Finding, FindingRule};
use super::waits::WaitsFor;
use crate::words::{counted, duration};

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::SynRetries,
    title: "connections have to be asked for again",
    rule: "for each hundred connections and more the kernel sent a request to open one again (TcpExt TCPSynRetrans), which it \
           does after one second without an answer; one of the load took as long, unless the counts are of a network of the \
           trial's own; and fewer met a full accept queue",
    source: "RFC 6298, section 2: a client tries again after one second, then after two and four more",
    about: About::Limit,
    look,
};

fn look(facts: &Facts) -> Option<Finding> {
    let Some(WaitsFor::Connect { retries }) = facts.waits_for() else {
        return None;
    };
    let load = facts.load;
    let network = load.network?;
    let (response, service) = (load.response.mean()?, load.service.mean()?);
    let times = load.connect.mean().zip(load.connect.max());
    let times = times.map_or_else(String::new, |(mean, most)| {
        let (mean, most) = (duration(mean), duration(most));
        format!("; a connection took {mean} to open on average, and {most} at most")
    });
    let own = facts.measured.observed.turned_away();
    // a listener drops others when too many connections are being opened at it
    let opening = own.unwrap_or(network.dropped) > network.queue_full;
    let own = own.map_or_else(String::new, |own| format!(", and the stack's own {own}"));
    let because = format!(
        "the kernel sent {} to open a connection again (after 1 s, 3 s or 7 s without an answer), and listeners of this network \
         dropped {}, {} of them for a full accept queue{own}{times}",
        counted(retries, "request"),
        counted(network.dropped, "attempt"),
        network.queue_full
    );
    let next = if opening {
        "too many are being opened at a listener at once: raise its backlog and net.ipv4.tcp_max_syn_backlog, and leave \
         net.ipv4.tcp_syncookies at 1; or keep connections open, which asks for fewer"
    } else {
        "listeners of the stack drop few of them, or none: see whether a packet filter does, or a full accept queue on another machine \
         (`nstat -az TcpExtListenOverflows` there); or keep connections open, which asks for fewer"
    };
    let gain = (response / service.max(f64::MIN_POSITIVE)).min(facts.room());
    let confidence = if network.own {
        Confidence::Counted
    } else {
        Confidence::Likely
    };
    let found = RULE.found(confidence, because, next);
    Some(found.costs(Cost::Knob).at_most(gain))
}
