//! Whether connections are opened for each request.

use super::FindingKind;
use super::facts::Facts;
use super::rule::{About, Confidence, Finding, FindingRule};
use crate::words::number;

/// Connections for each response.
const CHURN: f64 = 0.5;

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::ConnectionChurn,
    title: "connections are opened again and again",
    rule: "clients, or programs of the stack among themselves (Tcp ActiveOpens), open a connection for every second \
           response and more",
    source: "RFC 9112, section 9.3 (persistence)",
    about: About::Beside,
    look,
};

fn look(facts: &Facts) -> Option<Finding> {
    let load = facts.load;
    let clients = load.per_response(load.connects)?;
    let opened = load.network.map_or(0, |of| of.opened);
    let inside = load.per_response(opened.saturating_sub(load.connects))?;
    if clients.max(inside) < CHURN {
        return None;
    }
    let because = format!(
        "for each response clients opened {} connections, and programs of this machine {} more over TCP",
        number(clients),
        number(inside)
    );
    let next = if inside >= CHURN {
        "let the front end keep its connections to the servers behind it, \
         or connect them by a Unix socket"
    } else {
        "let clients keep their connections (`keep-alive`), if those of the real ones do: a front end keeps them for a \
         server that cannot"
    };
    Some(RULE.found(Confidence::Counted, because, next))
}
