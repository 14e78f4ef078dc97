//! What stands in for a user's own where one entry alone is looked at.

use record::Interface;

use crate::entry::{Catalogue, Entry, Kind, offers::common};

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
