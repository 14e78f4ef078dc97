//! Whether the load generator had no local port left for a connection.

use record::Cause;

use super::FindingKind;
use super::facts::Facts;
use super::rule::{About, Confidence, Finding, FindingRule};
use crate::words::{counted, percent};

/// Share of the requests, as of errors that keep a trial out.
pub(super) const LOST: f64 = 0.01;
/// What C libraries call `EADDRNOTAVAIL`, and so most programs in their logs.
const CALLED: [&str; 2] = ["cannot assign requested address", "address not available"];

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::GeneratorPorts,
    title: "the load generator runs out of local ports",
    rule: "1 % of the requests and more had no connection, as no local port was free for one (EADDRNOTAVAIL)",
    source: "ip(7), ip_local_port_range; RFC 9293, section 3.6.1: whoever closes first keeps the port (TIME_WAIT, on Linux 60 s)",
    about: About::Measurement,
    look,
};

/// Whether a message of the system is that no local port is free.
pub(super) fn tells_of_ports(message: &str) -> bool {
    let message = message.to_lowercase();
    CALLED.iter().any(|called| message.contains(called))
}

impl Facts<'_> {
    /// How many local ports were in use to one address, as a remark; empty where nobody looked.
    pub(super) fn ports_in_words(&self) -> String {
        let ports = self.measured.observed.ports.as_ref();
        ports.map_or_else(String::new, |ports| {
            let all = counted(u64::from(ports.of), "local port");
            format!(
                "; {} of {all} were in use to {} at most",
                ports.used, ports.to
            )
        })
    }
}

fn look(facts: &Facts) -> Option<Finding> {
    let load = facts.load;
    let failed = load.failed.get(&Cause::Exhausted).copied()?;
    let told = load.examples.get(&Cause::Exhausted)?;
    let share = load.share(failed)?;
    if share < LOST || !tells_of_ports(told) {
        return None;
    }
    let because = format!(
        "{} ({}) had no connection, as the load generator had no local port for one, with {} to be open at once{}",
        counted(failed, "request"),
        percent(share),
        counted(u64::from(load.connections), "connection"),
        facts.ports_in_words()
    );
    let next = "keep connections open (`keep-alive = true`), use fewer, send from several addresses (`sources`), or widen \
                net.ipv4.ip_local_port_range";
    Some(RULE.found(Confidence::Counted, because, next))
}
