//! What the paths of endpoints begin with, segment by segment, and the endpoints that end there.

use std::collections::HashMap;

use super::{LOGS, OFTEN, short};
use crate::entry::Entry;
use crate::route::{DEEPEST, REST, VALUE, is_value};
use crate::sample::{Sample, Urn};
use crate::totals::Totals;

/// Most names of a first segment, and of any later one: beyond, they are values. Apps have more of the former.
const NAMES: [usize; 2] = [128, 32];
/// Most methods of a route: a log may hold anything.
const METHODS: usize = 16;

/// What a path begins with.
#[derive(Debug, Default)]
pub(super) struct Node {
    names: HashMap<Box<str>, Node>,
    /// What follows any value of the next segment.
    value: Option<Box<Node>>,
    /// Whether the next segment has had too many names, so that each of them is a value.
    many: bool,
    /// The endpoints whose path ends here.
    pub(super) here: Vec<Leaf>,
}

/// An endpoint.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    pub(crate) method: Box<str>,
    /// The first path that was seen of it.
    pub(crate) example: Box<str>,
    /// Of each log.
    pub(crate) totals: [Totals; LOGS],
    /// What was asked for in the first log; nothing where nobody wants it.
    pub(crate) sample: Sample,
    /// Whether any response says that it is there.
    is_found: bool,
}

fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.strip_prefix('/').unwrap_or(path).split('/')
}

/// How many names a segment may have.
fn most(depth: usize) -> usize {
    NAMES[usize::from(depth > 0)]
}

impl Node {
    /// The node of a path, if it is known.
    pub(super) fn at(&self, path: &str) -> Option<&Self> {
        let mut node = self;
        for (depth, segment) in segments(path).enumerate() {
            if depth == DEEPEST {
                return node.value.as_deref();
            }
            node = node.known(segment)?;
        }
        Some(node)
    }

    /// The node of a path, which is made if it is not known; and whether names have become values for it.
    pub(super) fn reach(&mut self, path: &str, urn: &mut Option<Urn>) -> (&mut Self, bool) {
        let mut merged = false;
        let mut node = self;
        for (depth, segment) in segments(path).enumerate() {
            if depth == DEEPEST {
                node = node.value();
                break;
            }
            node = node.below(segment, most(depth), &mut merged, urn);
        }
        (node, merged)
    }

    /// Whether a path can be made known without names becoming values.
    pub(super) fn has_room(&self, path: &str) -> bool {
        let mut node = self;
        for (depth, segment) in segments(path).take(DEEPEST).enumerate() {
            let Some(next) = node.known(segment) else {
                return is_value(segment) || node.names.len() < most(depth);
            };
            node = next;
        }
        true
    }

    fn value(&mut self) -> &mut Self {
        self.value.get_or_insert_default()
    }

    /// What follows a segment, of which there may be so many names.
    fn below(
        &mut self,
        segment: &str,
        most: usize,
        merged: &mut bool,
        urn: &mut Option<Urn>,
    ) -> &mut Self {
        if self.many || is_value(segment) {
            return self.value();
        }
        if self.names.contains_key(segment) {
            return self.names.get_mut(segment).expect("it is there");
        }
        if self.names.len() < most {
            return self.names.entry(segment.into()).or_default();
        }
        self.many = true;
        *merged = true;
        let names = std::mem::take(&mut self.names);
        let value = self.value();
        for node in names.into_values() {
            value.merge(node, urn);
        }
        value
    }

    fn known(&self, segment: &str) -> Option<&Self> {
        let name = self.names.get(segment);
        name.or(self
            .value
            .as_deref()
            .filter(|_| self.many || is_value(segment)))
    }

    fn merge(&mut self, other: Self, urn: &mut Option<Urn>) {
        self.many |= other.many;
        for (name, node) in other.names {
            let own = if self.many {
                self.value()
            } else {
                self.names.entry(name).or_default()
            };
            own.merge(node, urn);
        }
        if let Some(value) = other.value {
            self.value().merge(*value, urn);
        }
        for leaf in other.here {
            join(&mut self.here, leaf, urn);
        }
    }

    /// Takes out all below which nothing was ever found.
    pub(super) fn lose(&mut self, lost: &mut Vec<Leaf>) {
        let names = self.names.extract_if(|_, node| !node.is_found());
        let value = self.value.take_if(|node| !node.is_found());
        let nodes = names.map(|(_, node)| node).chain(value.map(|node| *node));
        nodes.for_each(|node| node.give(lost));
        let left = self.names.values_mut().chain(self.value.as_deref_mut());
        left.for_each(|node| node.lose(lost));
    }

    /// Gives away all endpoints here and below.
    fn give(self, lost: &mut Vec<Leaf>) {
        lost.extend(self.here);
        let below = self.names.into_values();
        let below = below.chain(self.value.map(|node| *node));
        below.for_each(|node| node.give(lost));
    }

    /// Whether nothing was ever found here, and it was not asked for often.
    fn is_rarely_missed(&self) -> bool {
        let totals = self.here.iter().flat_map(|leaf| &leaf.totals);
        let asked: u64 = totals.map(|totals| totals.count).sum();
        asked < OFTEN && !self.here.iter().any(|leaf| leaf.is_found)
    }

    fn is_found(&self) -> bool {
        let mut below = self.names.values().chain(self.value.as_deref());
        self.here.iter().any(|leaf| leaf.is_found) || below.any(Self::is_found)
    }

    pub(super) fn size(&self) -> usize {
        let below = self.names.values().chain(self.value.as_deref());
        self.here.len() + below.map(Self::size).sum::<usize>()
    }

    /// All endpoints here and below: those that have a name, and those that were asked for a few times and never found.
    pub(super) fn collect<'a>(
        &'a self,
        above: &mut Vec<&'a str>,
        found: &mut Vec<(String, &'a Leaf)>,
        lost: &mut Vec<&'a Leaf>,
    ) {
        if self.is_rarely_missed() {
            lost.extend(&self.here);
        } else {
            let route = || format!("/{}", above.join("/"));
            found.extend(self.here.iter().map(|leaf| (route(), leaf)));
        }
        let value = if above.len() < DEEPEST { VALUE } else { REST };
        let value = self.value.as_deref().map(|node| (value, node));
        let names = self.names.iter().map(|(name, node)| (&**name, node));
        for (name, node) in names.chain(value) {
            above.push(name);
            node.collect(above, found, lost);
            above.pop();
        }
    }
}

/// Counts a request among the endpoints of its route; whether it is a new one. Beyond [`METHODS`] the last one stands for
/// all others.
pub(super) fn count(
    here: &mut Vec<Leaf>,
    log: usize,
    entry: &Entry,
    urn: &mut Option<Urn>,
) -> bool {
    let method = short(&entry.method);
    let known = place_of(here, method);
    let place = known.unwrap_or_else(|| {
        here.push(Leaf {
            method: method.into(),
            example: example(&entry.path),
            totals: <[Totals; LOGS]>::default(),
            sample: Sample::default(),
            is_found: false,
        });
        here.len() - 1
    });
    let leaf = &mut here[place];
    leaf.totals[log].add(entry);
    leaf.is_found |= !is_missing(entry);
    // beyond its last method it stands for requests that are others
    let is_own = *leaf.method == *method;
    if let Some(urn) = urn.as_mut().filter(|_| log == 0 && is_own) {
        leaf.sample.add(entry, urn);
    }
    known.is_none()
}

/// Adds an endpoint of another route to those of this one.
pub(super) fn join(here: &mut Vec<Leaf>, leaf: Leaf, urn: &mut Option<Urn>) {
    let Some(place) = place_of(here, &leaf.method) else {
        here.push(leaf);
        return;
    };
    let own = &mut here[place];
    let totals = own.totals.iter_mut().zip(&leaf.totals);
    totals.for_each(|(own, more)| own.merge(more));
    own.is_found |= leaf.is_found;
    let is_own = own.method == leaf.method;
    if let Some(urn) = urn.as_mut().filter(|_| is_own) {
        own.sample.merge(leaf.sample, urn);
    }
}

/// Where requests with a method are counted, if that is known.
fn place_of(here: &[Leaf], method: &str) -> Option<usize> {
    let place = here.iter().position(|leaf| *leaf.method == *method);
    place.or((here.len() >= METHODS).then(|| here.len() - 1))
}

/// Whether a response says that there is nothing of this path, or nothing for this method.
pub(super) fn is_missing(entry: &Entry) -> bool {
    matches!(entry.status, Some(400 | 404 | 405 | 410))
}

/// A path as an example. One that is cut says so, and cannot be asked for.
fn example(path: &str) -> Box<str> {
    let kept = short(path);
    if kept.len() == path.len() {
        kept.into()
    } else {
        format!("{kept}…").into()
    }
}
