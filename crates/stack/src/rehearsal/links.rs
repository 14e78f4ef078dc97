//! The ways in which an entry can be reached, and who can stand behind one.

use record::{App, Interface, Link, Protocol, Transport};

use crate::entry::{Catalogue, Entry, Kind, Offers, offers::common};

/// Each protocol over each transport.
pub(super) fn links(offers: &Offers) -> impl Iterator<Item = Link> {
    let each = |(protocol, transports): (&Protocol, &Vec<Transport>)| {
        let protocol = *protocol;
        let link = move |transport| Link {
            protocol: Some(protocol),
            transport: Some(transport),
            tls: false,
        };
        transports.clone().into_iter().map(link)
    };
    offers.iter().flat_map(each)
}

/// Whether the server opens the connections.
pub(super) fn dials_in(link: Link) -> bool {
    link.protocol.is_some_and(Protocol::dials_in)
}

/// Everything that clients can speak to an entry, inside TLS too.
pub(super) fn endpoints(entry: &Entry) -> impl Iterator<Item = Link> {
    let secret = |link: &Link| {
        let spoken = link.protocol.zip(link.transport);
        spoken.is_some_and(|(protocol, transport)| entry.tls.has(protocol, transport))
    };
    let inside = links(&entry.listens)
        .filter(secret)
        .map(|link| Link { tls: true, ..link });
    links(&entry.listens).chain(inside)
}

/// Whether the app itself, where it is a program, listens this way.
pub(super) fn spoken_by(app: &App, link: Link) -> bool {
    let (Some(protocol), Some(transport)) = (link.protocol, link.transport) else {
        return false;
    };
    let listens = |transports: &Vec<Transport>| transports.contains(&transport);
    app.listens.is_empty() || app.listens.get(&protocol).is_some_and(listens)
}

/// App servers that can stand behind a front end: those first that are proposed behind one.
pub fn able_behind<'a>(catalogue: &'a Catalogue, front: &Entry) -> Vec<&'a Entry> {
    let able = |entry: &&Entry| {
        entry.kind == Kind::AppServer && !common(&front.speaks, &entry.listens).is_empty()
    };
    let mut servers: Vec<_> = catalogue.entries().filter(able).collect();
    let fits = |entry: &Entry| {
        let proposed = entry.candidates.iter().any(|candidate| candidate.behind);
        (entry.runs.contains(&Interface::Wsgi), proposed)
    };
    servers.sort_by_key(|entry| std::cmp::Reverse(fits(entry))); // stable: else by name
    servers
}
