//! What programs offer each other: protocols, each over transports.

use std::collections::BTreeMap;

use record::{Protocol, Transport};

use crate::entry::Entry;

type Offers = BTreeMap<Protocol, Vec<Transport>>;

/// The first protocol offered over this transport (the wanted one, if one is wanted).
pub(crate) fn spoken(
    offers: &Offers,
    wanted: Option<Protocol>,
    transport: Transport,
) -> Option<Protocol> {
    let fits = |protocol: &Protocol| wanted.is_none_or(|wanted| wanted == *protocol);
    offers
        .iter()
        .find(|(protocol, transports)| fits(protocol) && transports.contains(&transport))
        .map(|(protocol, _)| *protocol)
}

pub(crate) fn no_transport(entry: &Entry, transport: Transport) -> String {
    format!("`{}` does not listen on {}", entry.name, words(transport))
}

pub(crate) fn offered(offers: &Offers) -> String {
    let names: Vec<_> = offers
        .values()
        .flatten()
        .map(|transport| words(*transport))
        .collect();
    format!("it offers: {}", or_none(&names))
}

fn words(transport: Transport) -> &'static str {
    match transport {
        Transport::Tcp => "tcp",
        Transport::Unix => "unix",
    }
}

pub(crate) fn or_none(names: &[&str]) -> String {
    if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(", ")
    }
}
