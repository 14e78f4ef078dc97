//! Whether a program of the stack had no local port left for a connection to another one.

use record::ServerFacts;

use super::FindingKind;
use super::facts::Facts;
use super::generator_ports::{LOST, tells_of_ports};
use super::rule::{About, Confidence, Cost, Finding, FindingRule};
use crate::words::percent;

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::LocalPorts,
    title: "a program runs out of local ports",
    rule: "1 % of the requests and more had no correct response, and among the last lines that a program of the stack logged is \
           that no local port was free for a connection (EADDRNOTAVAIL)",
    source: "ip(7), ip_local_port_range; RFC 9293, section 3.6.1: whoever closes first keeps the port (TIME_WAIT, on Linux 60 s)",
    about: About::Limit,
    look,
};

fn look(facts: &Facts) -> Option<Finding> {
    let share = facts.load.error_share().filter(|share| *share >= LOST)?;
    let mut servers = facts.measured.stack.servers.iter();
    let entry = &servers.find(|server| has_none(server))?.entry;
    let because = format!(
        "`{entry}` logged that no local port was free for a connection, and {} of the requests had no correct response{}",
        percent(share),
        facts.ports_in_words()
    );
    let next = format!(
        "let `{entry}` keep its connections to what it asks and open no more than it uses, connect them by a Unix socket if both \
         can, or widen net.ipv4.ip_local_port_range"
    );
    let found = RULE.found(Confidence::Likely, because, next);
    let gain = 1.0 / (1.0 - share).max(0.01);
    Some(found.costs(Cost::Variant).at_most(gain))
}

/// Whether a program logged that it had no port for a connection.
fn has_none(server: &ServerFacts) -> bool {
    let mut lines = server.complaint.iter().chain(&server.log_tail);
    lines.any(|line| tells_of_ports(line))
}
