//! Endpoints by their paths, in bounded memory: where a segment has too many names, they are values. What was asked for and
//! never found, as by a scanner, makes room before that, and has a name of its own only where it was asked for often.

mod node;

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::entry::Entry;
use crate::sample::Urn;
use node::{Node, count, is_missing, join};

pub(crate) use node::Leaf;

/// Most endpoints; requests of others are counted together.
const MOST: usize = 4_000;
/// Longest method, example and name of a route, in bytes.
const LONGEST: usize = 512;
/// The route of all endpoints beyond [`MOST`].
const OTHERS: &str = "(others)";
/// Requests from which on a path that was never found is told by its name: somebody links to it, or polls it.
pub const OFTEN: u64 = 10;
/// The route of what was asked for less often and never found, and of all that was, once there is no room for its names.
pub const NOT_FOUND: &str = "(not found)";

/// How many logs are kept apart.
pub(crate) const LOGS: usize = 2;

/// Endpoints with their totals of each log.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    /// Those whose routes are known by name.
    named: BTreeMap<Box<str>, Vec<Leaf>>,
    /// The others, segment by segment.
    root: Node,
    endpoints: usize,
    /// Whether there was no room for a name: from then on what is not found gets none.
    is_crowded: bool,
    /// Where samples of what was asked for are drawn, if they are wanted.
    urn: Option<Urn>,
}

impl Tree {
    /// Draws a sample of the targets of each endpoint from now on.
    pub(crate) fn draw(&mut self) {
        self.urn = Some(Urn::default());
    }

    /// Counts a request of a log; of this route, where somebody has named it.
    pub(crate) fn add(&mut self, log: usize, entry: &Entry, route: Option<&str>) {
        let route = route.or_else(|| entry.is_route.then(|| short(&entry.path)));
        if let Some(route) = self.counted_as(entry, route) {
            if !self.named.contains_key(route) {
                self.named.insert(route.into(), Vec::new());
            }
            let here = self.named.get_mut(route).expect("it is there");
            self.endpoints += usize::from(count(here, log, entry, &mut self.urn));
            return;
        }
        let (node, merged) = self.root.reach(&entry.path, &mut self.urn);
        self.endpoints += usize::from(count(&mut node.here, log, entry, &mut self.urn));
        if merged {
            self.endpoints = self.size();
        }
    }

    /// Every endpoint, with its route. Paths that were asked for a few times and never found are one.
    pub(crate) fn endpoints(&self) -> Vec<(String, Cow<'_, Leaf>)> {
        let named = self
            .named
            .iter()
            .filter(|(route, _)| ***route != *NOT_FOUND);
        let named =
            named.flat_map(|(route, here)| here.iter().map(|leaf| (route.to_string(), leaf)));
        let mut found: Vec<(String, &Leaf)> = named.collect();
        let mut lost = Vec::new();
        self.root.collect(&mut Vec::new(), &mut found, &mut lost);
        let found = found.into_iter();
        let found = found.map(|(route, leaf)| (route, Cow::Borrowed(leaf)));
        let lost = self.not_found(lost).into_iter();
        let lost = lost.map(|leaf| (NOT_FOUND.to_owned(), Cow::Owned(leaf)));
        found.chain(lost).collect()
    }

    /// What was never found: that for which there was no room, and these.
    fn not_found(&self, mut lost: Vec<&Leaf>) -> Vec<Leaf> {
        lost.sort_by(|one, other| in_order(one, other));
        let mut here = self.named.get(NOT_FOUND).cloned().unwrap_or_default();
        // what is drawn here is drawn again next time
        let mut urn = self.urn.clone();
        for leaf in lost {
            join(&mut here, leaf.clone(), &mut urn);
        }
        here
    }

    /// The name of the route under which a request is counted; none where its path tells.
    fn counted_as<'a>(&mut self, entry: &Entry, route: Option<&'a str>) -> Option<&'a str> {
        let method = short(&entry.method);
        let mut here = self.here(&entry.path, route).iter();
        if here.any(|leaf| *leaf.method == *method) {
            return route;
        }
        let has_room = || route.is_some() || self.root.has_room(&entry.path);
        if !self.is_crowded && (self.endpoints >= MOST || !has_room()) {
            self.give_up();
        }
        let is_lost = route.is_none() && self.is_crowded && is_missing(entry);
        if is_lost && self.here(&entry.path, None).is_empty() {
            Some(NOT_FOUND)
        } else if self.endpoints >= MOST {
            Some(OTHERS)
        } else {
            route
        }
    }

    /// The endpoints of a route, or of a path: none where it is not known.
    fn here(&self, path: &str, route: Option<&str>) -> &[Leaf] {
        let here = match route {
            Some(route) => self.named.get(route),
            None => self.root.at(path).map(|node| &node.here),
        };
        here.map_or(&[], Vec::as_slice)
    }

    /// Makes room: what was never found until now becomes one route.
    fn give_up(&mut self) {
        self.is_crowded = true;
        let mut lost = Vec::new();
        self.root.lose(&mut lost);
        if lost.is_empty() {
            return;
        }
        lost.sort_by(in_order);
        let here = self.named.entry(NOT_FOUND.into()).or_default();
        for leaf in lost {
            join(here, leaf, &mut self.urn);
        }
        self.endpoints = self.size();
    }

    fn size(&self) -> usize {
        self.root.size() + self.named.values().map(Vec::len).sum::<usize>()
    }
}

/// Endpoints come in any order, and the first is the example.
fn in_order(one: &Leaf, other: &Leaf) -> Ordering {
    (&one.example, &one.method).cmp(&(&other.example, &other.method))
}

/// What is kept of a text of others.
fn short(text: &str) -> &str {
    &text[..text.floor_char_boundary(LONGEST)]
}

#[cfg(test)]
mod tests;
