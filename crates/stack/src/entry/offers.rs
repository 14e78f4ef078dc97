//! What programs offer each other: protocols, each over transports.

use std::borrow::Borrow;
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
    let fits = move |way: &Spoken| {
        asked.protocol.is_none_or(|wanted| wanted == way.protocol)
            && asked.transport.is_none_or(|wanted| wanted == way.transport)
    };
    let way = move |protocol, transport| Spoken {
        protocol,
        transport,
        tls: asked.tls,
    };
    let each = offers.iter();
    each.flat_map(move |(of, over)| over.iter().map(move |over| way(*of, *over)))
        .filter(fits)
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
    or_none(&each.collect::<Vec<_>>())
}

pub(crate) fn or_none(names: &[impl Borrow<str>]) -> String {
    if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(", ")
    }
}

/// What may be meant by a name that is not known, or else all that are, behind these words.
pub(crate) fn meant(name: &str, known: &[&str], otherwise: &str) -> String {
    let all = || format!("{otherwise}: {}", or_none(known));
    record::meant(name, known.iter().copied(), all)
}
