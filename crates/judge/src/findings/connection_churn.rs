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
    let clients = load.connects as f64 / (load.completed + load.drained) as f64;
    let network = load.network.unwrap_or_default();
    let several = facts.measured.stack.servers.len() > 1;
    // of one program, what is opened beside the clients' connections is somebody else's, unless nobody else is there
    let inside = if several || network.own {
        load.per_response(network.opened.saturating_sub(load.connects))?
    } else {
        0.0
    };
    if clients.max(inside) < CHURN {
        return None;
    }
    let place = if network.own {
        "the stack"
    } else {
        "this machine"
    };
    let more = if several || network.own {
        let inside = number(inside);
        format!(", and programs of {place} {inside} more over TCP")
    } else {
        String::new()
    };
    let clients_own = number(clients);
    let because = format!("for each response clients opened {clients_own} connections{more}");
    let next = advice(facts, inside >= CHURN, clients >= CHURN);
    // whatever else runs on a machine opens some of them
    let confidence = if clients >= CHURN || network.own {
        Confidence::Counted
    } else {
        Confidence::Likely
    };
    Some(RULE.found(confidence, because, next))
}

/// What to do about the stack's own connections, and about the clients'. Who opens those of the stack is known by who there is.
fn advice(facts: &Facts, inside: bool, clients: bool) -> String {
    let fronts = !facts.fronts().is_empty();
    let services = facts.services().next().is_some();
    let mut next = Vec::new();
    if inside && fronts {
        next.push(
            "let the front end keep its connections to the servers behind it (where it does, and these close them, give \
             them workers that keep connections), or connect them by a Unix socket"
                .to_owned(),
        );
    }
    if inside && (services || !fronts) {
        next.push(
            "let the app keep its connections to what it asks (a pool, a session, persistent connections)"
                .to_owned(),
        );
    }
    if clients {
        let front = match &facts.behind {
            None => "a front end keeps them for a server that cannot".to_owned(),
            Some(of) => format!(
                "a front end keeps them for a server that cannot, but `{}` of this run did {} × as many requests/s",
                of.of,
                number(of.ratio)
            ),
        };
        next.push(format!(
            "let clients keep their connections (`keep-alive`), if those of the real ones do: {front}"
        ));
    }
    next.join("; ")
}
