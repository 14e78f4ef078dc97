//! Endpoints by their paths, in bounded memory: where a segment has too many names, they are values.

use std::collections::{BTreeMap, HashMap};

use crate::entry::Entry;
use crate::route::{DEEPEST, REST, VALUE, is_value};
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
}

impl Tree {
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
            self.endpoints += usize::from(count(here, log, entry));
            return;
        }
        let mut merged = false;
        let mut node = &mut self.root;
        for (depth, segment) in segments(&entry.path).enumerate() {
            if depth == DEEPEST {
                node = node.value();
                break;
            }
            node = node.below(segment, NAMES[usize::from(depth > 0)], &mut merged);
        }
        self.endpoints += usize::from(count(&mut node.here, log, entry));
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
    fn below(&mut self, segment: &str, most: usize, merged: &mut bool) -> &mut Self {
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
            value.merge(node);
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

    fn merge(&mut self, other: Self) {
        self.many |= other.many;
        for (name, node) in other.names {
            let own = if self.many {
                self.value()
            } else {
                self.names.entry(name).or_default()
            };
            own.merge(node);
        }
        if let Some(value) = other.value {
            self.value().merge(*value);
        }
        for leaf in other.here {
            match self.here.iter_mut().find(|own| own.method == leaf.method) {
                Some(own) => {
                    let totals = own.totals.iter_mut().zip(&leaf.totals);
                    totals.for_each(|(own, more)| own.merge(more));
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
fn count(here: &mut Vec<Leaf>, log: usize, entry: &Entry) -> bool {
    let place = here.iter().position(|leaf| *leaf.method == *entry.method);
    let last = (here.len() >= METHODS).then(|| here.len() - 1);
    if let Some(place) = place.or(last) {
        here[place].totals[log].add(entry);
        return false;
    }
    let mut leaf = Leaf {
        method: (&*entry.method).into(),
        example: (&*entry.path).into(),
        totals: <[Totals; LOGS]>::default(),
    };
    leaf.totals[log].add(entry);
    here.push(leaf);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(paths: impl IntoIterator<Item = String>) -> Tree {
        let mut tree = Tree::default();
        for path in paths {
            tree.add(0, &Entry::once().of("GET", &path), None);
        }
        tree
    }

    /// Routes with how often they were asked for, in order.
    fn routes(tree: &Tree) -> Vec<(String, u64)> {
        let all = tree.endpoints().into_iter();
        let mut all: Vec<_> = all
            .map(|(route, leaf)| (route, leaf.totals[0].count))
            .collect();
        all.sort();
        all
    }

    fn named(expected: &[(&str, u64)]) -> Vec<(String, u64)> {
        expected
            .iter()
            .map(|(route, count)| ((*route).to_owned(), *count))
            .collect()
    }

    #[test]
    fn numbers_are_one_route_and_names_are_several() {
        let paths = [
            "/",
            "/users/1/posts",
            "/users/22/posts",
            "/users/me/posts",
            "/users/1",
        ];
        let expected = [
            ("/", 1),
            ("/users/me/posts", 1),
            ("/users/{}", 1),
            ("/users/{}/posts", 2),
        ];
        assert_eq!(routes(&tree(paths.map(str::to_owned))), named(&expected));
    }

    #[test]
    fn too_many_names_are_values_and_what_came_before_is_counted_with_them() {
        let names = (0..100).map(|number| {
            format!(
                "/of/user-{}/x",
                char::from(b'a' + (number % 26))
                    .to_string()
                    .repeat(1 + number as usize)
            )
        });
        assert_eq!(routes(&tree(names)), named(&[("/of/{}/x", 100)]));
    }

    #[test]
    fn memory_is_bounded_whatever_comes() {
        let letters = |number: u32| -> String {
            let digits = number.to_string();
            digits
                .bytes()
                .map(|of| char::from(b'a' + of - b'0'))
                .collect()
        };
        let wide = (0..20_000).map(|number| {
            format!(
                "/{}/{}/{}",
                letters(number % 120),
                letters(number % 31),
                letters(number / 31 % 29)
            )
        });
        let found = tree(wide);
        let all = routes(&found);
        assert!(all.len() <= MOST + 1, "{}", all.len());
        assert_eq!(all.iter().map(|(_, count)| count).sum::<u64>(), 20_000);
        assert!(all.iter().any(|(route, _)| route == OTHERS));
        let deep = tree([format!("/{}", "a/".repeat(1_000))]);
        assert_eq!(routes(&deep)[0].0.matches('/').count(), DEEPEST + 1);
        assert!(routes(&deep)[0].0.ends_with("/**"));
    }

    #[test]
    fn what_is_a_route_stays_as_it_is() {
        let mut found = Tree::default();
        for name in ["shop.cart.7", "/users/{id}"] {
            let entry = Entry {
                path: name.into(),
                is_route: true,
                ..Entry::once()
            };
            found.add(1, &entry, None);
        }
        let all: Vec<_> = found
            .endpoints()
            .into_iter()
            .map(|(route, _)| route)
            .collect();
        assert_eq!(all, ["/users/{id}", "shop.cart.7"]);
    }
}
