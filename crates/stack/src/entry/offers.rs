//! What programs offer each other: protocols, each over transports.

use std::collections::BTreeMap;

use record::{Link, Protocol, Transport};
use serde::Deserialize;

/// What a program listens to or speaks, each over these transports.
pub type Offers = BTreeMap<Protocol, Vec<Transport>>;

/// What of its offers a program can also speak inside TLS.
#[derive(Clone, Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "expected protocols, or protocols with their transports"
)]
pub enum InsideTls {
    /// These protocols, over all their transports.
    Protocols(Vec<Protocol>),
    /// These, over these transports.
    Over(Offers),
}

impl Default for InsideTls {
    fn default() -> Self {
        Self::Protocols(Vec::new())
    }
}

impl InsideTls {
    /// Whether it can speak this.
    pub fn has(&self, protocol: Protocol, transport: Transport) -> bool {
        match self {
            Self::Protocols(protocols) => protocols.contains(&protocol),
            Self::Over(offers) => offers
                .get(&protocol)
                .is_some_and(|transports| transports.contains(&transport)),
        }
    }
}

/// What a program is spoken to in, decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spoken {
    /// The protocol.
    pub protocol: Protocol,
    /// Over what.
    pub transport: Transport,
    /// Whether inside TLS.
    pub tls: bool,
}

impl Spoken {
    /// As a person says it: `uwsgi over a Unix socket`.
    pub fn words(self) -> String {
        let tls = if self.tls { " inside TLS" } else { "" };
        let over = match self.transport {
            Transport::Tcp => "TCP",
            Transport::Unix => "a Unix socket",
        };
        format!("{}{tls} over {over}", self.protocol.words())
    }
}

/// Every way in these offers that fits what was asked for, HTTP/1 over TCP before anything else.
pub(crate) fn ways(offers: &Offers, asked: Link) -> impl Iterator<Item = Spoken> {
    let protocols = offers
        .iter()
        .filter(move |(protocol, _)| asked.protocol.is_none_or(|wanted| wanted == **protocol));
    protocols.flat_map(move |(protocol, transports)| {
        let transports = transports
            .iter()
            .filter(move |transport| asked.transport.is_none_or(|wanted| wanted == **transport));
        transports.map(move |transport| Spoken {
            protocol: *protocol,
            transport: *transport,
            tls: asked.tls,
        })
    })
}

/// What both sides offer.
pub(crate) fn common(one: &Offers, other: &Offers) -> Offers {
    let both = one.iter().filter_map(|(protocol, transports)| {
        let theirs = other.get(protocol)?;
        let shared = transports
            .iter()
            .filter(|transport| theirs.contains(transport));
        let shared: Vec<_> = shared.copied().collect();
        (!shared.is_empty()).then_some((*protocol, shared))
    });
    both.collect()
}

/// Those that a client can connect to.
pub(crate) fn for_clients(offers: &Offers) -> Offers {
    let mut offers = offers.clone();
    offers.retain(|protocol, _| !protocol.dials_in());
    offers
}

/// What is offered, for people: `HTTP/1 (tcp, unix), uwsgi (tcp), Swiftiply (tcp, dialled by the server)`.
pub fn words(offers: &Offers) -> String {
    let each = offers.iter().map(|(protocol, transports)| {
        let mut names: Vec<_> = transports.iter().map(|one| one.name()).collect();
        names.extend(protocol.dials_in().then_some("dialled by the server"));
        format!("{} ({})", protocol.words(), names.join(", "))
    });
    let each: Vec<_> = each.collect();
    or_none(&each.iter().map(String::as_str).collect::<Vec<_>>())
}

pub(crate) fn or_none(names: &[&str]) -> String {
    if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(", ")
    }
}
