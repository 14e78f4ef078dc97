//! Endpoints by their paths, in bounded memory: where a segment has too many names, they are values.

use std::collections::{BTreeMap, HashMap};

use crate::entry::Entry;
use crate::route::{DEEPEST, REST, VALUE, is_value};
use crate::sample::{Sample, Urn};
use crate::totals::Totals;

/// Most names of a first segment, and of any later one: beyond, they are values. Apps have more of the former.
const NAMES: [usize; 2] = [128, 32];
/// Most endpoints; requests of others are counted together.
const MOST: usize = 4_000;
/// Most methods of a route: a log may hold anything.
const METHODS: usize = 16;
/// The route of all endpoints beyond [`MOST`].
const OTHERS: &str = "(others)";

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
    /// Where samples of what was asked for are drawn, if they are wanted.
    urn: Option<Urn>,
}

/// What a path begins with.
#[derive(Debug, Default)]
struct Node {
    names: HashMap<Box<str>, Node>,
    /// What follows any value of the next segment.
    value: Option<Box<Node>>,
    /// Whether the next segment has had too many names, so that each of them is a value.
    many: bool,
    /// The endpoints whose path ends here.
    here: Vec<Leaf>,
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
}

impl Tree {
    /// Draws a sample of the targets of each endpoint from now on.
    pub(crate) fn draw(&mut self) {
        self.urn = Some(Urn::default());
    }

    /// Counts a request of a log; of this route, where somebody has named it.
    pub(crate) fn add(&mut self, log: usize, entry: &Entry, route: Option<&str>) {
        let route = route.or_else(|| entry.is_route.then_some(&*entry.path));
        let is_full = self.endpoints >= MOST;
        let route = match self.find(entry, route) {
            None if is_full => Some(OTHERS),
            _ => route,
        };
        if let Some(route) = route {
            if !self.named.contains_key(route) {
                self.named.insert(route.into(), Vec::new());
            }
            let here = self.named.get_mut(route).expect("it is there");
            self.endpoints += usize::from(count(here, log, entry, &mut self.urn));
            return;
        }
        let mut merged = false;
        let mut node = &mut self.root;
        for (depth, segment) in segments(&entry.path).enumerate() {
            if depth == DEEPEST {
                node = node.value();
                break;
            }
            let most = NAMES[usize::from(depth > 0)];
            node = node.below(segment, most, &mut merged, &mut self.urn);
        }
        self.endpoints += usize::from(count(&mut node.here, log, entry, &mut self.urn));
        if merged {
            self.endpoints = self.root.size() + self.named.values().map(Vec::len).sum::<usize>();
        }
    }

    /// Every endpoint, with its route.
    pub(crate) fn endpoints(&self) -> Vec<(String, &Leaf)> {
        let named = self.named.iter();
        let named =
            named.flat_map(|(route, here)| here.iter().map(|leaf| (route.to_string(), leaf)));
        let mut found: Vec<_> = named.collect();
        self.root.collect(&mut Vec::new(), &mut found);
        found
    }

    /// The endpoint of a request, if it is known.
    fn find(&self, entry: &Entry, route: Option<&str>) -> Option<&Leaf> {
        let here = if let Some(route) = route {
            self.named.get(route)?
        } else {
            let mut node = &self.root;
            for (depth, segment) in segments(&entry.path).enumerate() {
                if depth == DEEPEST {
                    node = node.value.as_deref()?;
                    break;
                }
                node = node.known(segment)?;
            }
            &node.here
        };
        here.iter().find(|leaf| *leaf.method == *entry.method)
    }
}

fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.strip_prefix('/').unwrap_or(path).split('/')
}

impl Node {
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
            match self.here.iter_mut().find(|own| own.method == leaf.method) {
                Some(own) => {
                    let totals = own.totals.iter_mut().zip(&leaf.totals);
                    totals.for_each(|(own, more)| own.merge(more));
                    if let Some(urn) = urn {
                        own.sample.merge(leaf.sample, urn);
                    }
                }
                None => self.here.push(leaf),
            }
        }
    }

    fn size(&self) -> usize {
        let below = self.names.values().chain(self.value.as_deref());
        self.here.len() + below.map(Self::size).sum::<usize>()
    }

    fn collect<'a>(&'a self, above: &mut Vec<&'a str>, found: &mut Vec<(String, &'a Leaf)>) {
        let route = || format!("/{}", above.join("/"));
        found.extend(self.here.iter().map(|leaf| (route(), leaf)));
        let value = if above.len() < DEEPEST { VALUE } else { REST };
        let value = self.value.as_deref().map(|node| (value, node));
        let names = self.names.iter().map(|(name, node)| (&**name, node));
        for (name, node) in names.chain(value) {
            above.push(name);
            node.collect(above, found);
            above.pop();
        }
    }
}

/// Counts a request among the endpoints of its route; whether it is a new one. Beyond [`METHODS`] the last one stands for
/// all others.
fn count(here: &mut Vec<Leaf>, log: usize, entry: &Entry, urn: &mut Option<Urn>) -> bool {
    let place = here.iter().position(|leaf| *leaf.method == *entry.method);
    let last = (here.len() >= METHODS).then(|| here.len() - 1);
    let known = place.or(last);
    let place = known.unwrap_or_else(|| {
        here.push(Leaf {
            method: (&*entry.method).into(),
            example: (&*entry.path).into(),
            totals: <[Totals; LOGS]>::default(),
            sample: Sample::default(),
        });
        here.len() - 1
    });
    let leaf = &mut here[place];
    leaf.totals[log].add(entry);
    // beyond its last method it stands for requests that are others
    let is_own = *leaf.method == *entry.method;
    if let Some(urn) = urn.as_mut().filter(|_| log == 0 && is_own) {
        leaf.sample.add(entry, urn);
    }
    known.is_none()
}

#[cfg(test)]
mod tests;
