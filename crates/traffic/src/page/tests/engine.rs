//! An engine without sockets, which asks what a page asks for.

use load::{Heard, RequestSource as _, RequestStream, Status, What};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::Site;
use crate::page::Page;

/// A visit as the server sees it: what was asked, with the validators.
pub(super) type Seen = Vec<(String, Option<String>)>;

/// An engine without sockets: connections ask when they may, and one of the open requests, any of
/// them, is answered next.
pub(super) struct Engine<'a> {
    page: &'a Page,
    pub(super) stream: Box<dyn RequestStream>,
    site: &'a Site,
    each: usize,
    pub(super) open: Vec<Option<(String, Option<String>, load::Asked)>>,
    seen: Vec<Seen>,
    pub(super) most: usize,
    /// Answers that did not count as right.
    pub(super) wrong: usize,
    now: u64,
    random: ChaCha8Rng,
}

impl<'a> Engine<'a> {
    pub(super) fn new(
        page: &'a Page,
        site: &'a Site,
        each: usize,
        connections: usize,
        seed: u64,
    ) -> Self {
        Self {
            page,
            stream: page.stream(0, 1, connections).unwrap(),
            site,
            each,
            open: (0..connections).map(|_| None).collect(),
            seen: (0..connections.div_ceil(each))
                .map(|_| Seen::new())
                .collect(),
            most: 0,
            wrong: 0,
            now: 1,
            random: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// Lets a connection ask; whether it did.
    pub(super) fn look(&mut self, connection: usize, may_begin: bool) -> bool {
        if self.open[connection].is_some() {
            return false;
        }
        let asked = match self.stream.follow(connection) {
            Some(asked) => asked,
            None if may_begin && self.stream.begins(connection) => {
                self.stream.begin(connection, self.now).unwrap()
            }
            None => return false,
        };
        let request = match &asked.what {
            What::Prepared(number) => self.page.prepared()[*number as usize].clone(),
            What::Request(request) => (**request).clone(),
            What::Verbatim(_) => panic!("a page writes no bytes"),
        };
        let validator = request.headers.first().map(|(name, _)| name.clone());
        let visitor = connection / self.each;
        self.seen[visitor].push((request.path.clone(), validator.clone()));
        self.open[connection] = Some((request.path, validator, asked));
        let open = self.open.chunks(self.each);
        let most = open.map(|lines| lines.iter().flatten().count()).max();
        self.most = self.most.max(most.unwrap());
        true
    }

    /// Answers one open request; the visit that ended with it.
    pub(super) fn answer(&mut self) -> Option<(usize, u64)> {
        self.now += 1000;
        let busy: Vec<usize> = (0..self.open.len())
            .filter(|&connection| self.open[connection].is_some())
            .collect();
        let connection = busy[self.random.random_range(0..busy.len())];
        let (path, validator, asked) = self.open[connection].take().unwrap();
        let (mut status, fields, body) = self
            .site
            .get(path.as_str())
            .copied()
            .unwrap_or((404, "", ""));
        if validator.is_some() && status == 200 {
            status = 304;
        }
        let expected = &self.page.expected()[asked.expected as usize];
        let heard = Heard {
            name: asked.name,
            status,
            fields: fields.as_bytes(),
            body: if status == 304 { b"" } else { body.as_bytes() },
            right: match &expected.status {
                Status::Is(right) => status == *right,
                Status::OneOf(right) => right.contains(&status),
                other => panic!("a page expects {other:?}"),
            },
            now: self.now,
        };
        self.wrong += usize::from(!heard.right);
        let mut wake = Vec::new();
        let began = self.stream.heard(connection, &heard, &mut wake);
        for other in &wake {
            assert_eq!(
                other / self.each,
                connection / self.each,
                "another visitor is woken"
            );
        }
        for other in wake {
            // Who is woken has something to ask, or may begin.
            let begins = self.stream.begins(other);
            assert!(
                begins || self.look(other, false),
                "{other} is woken for nothing"
            );
        }
        // Nobody is forgotten: whoever was not woken has nothing to follow.
        for other in 0..self.open.len() {
            let idle = self.open[other].is_none();
            assert!(
                !idle || self.stream.follow(other).is_none(),
                "{other} is not woken"
            );
        }
        began.map(|began| (connection / self.each, began))
    }

    /// One visit of the first visitor: what was asked in it, and when it began and ended.
    pub(super) fn visit(&mut self) -> (Seen, Option<(u64, u64)>) {
        self.seen[0].clear();
        let due = self.now;
        assert!(self.look(0, true));
        let mut ended = None;
        while self.open.iter().any(Option::is_some) {
            if let Some((_, began)) = self.answer() {
                assert!(ended.is_none(), "a page ends once");
                assert_eq!(began, due);
                ended = Some((began, self.now));
            }
        }
        let mut seen = std::mem::take(&mut self.seen[0]);
        seen.sort();
        (seen, ended)
    }
}
