use std::ops::Range;
use std::sync::Arc;

use load::{Asked, Heard, Request, RequestStream, What};
use url::Url;

use super::cache::Stored;
use super::found::{Reader, path};
use super::visit::{Fetch, Visitor};
use super::{ASSET, ASSET_UNCHANGED, DOCUMENT, Kind, NAMES, Page, UNCHANGED, count};

/// One thread's visitors. Each has so many connections; the first begins its visits.
pub(super) struct PageStream {
    page: Page,
    url: Arc<Url>,
    reader: Reader,
    visitors: Vec<Visitor>,
    /// What each connection has asked.
    asked: Vec<Option<Fetch>>,
}

impl PageStream {
    pub(super) fn new(page: &Page, connections: usize) -> Self {
        let each = page.plan.connections.max(1);
        Self {
            page: page.clone(),
            url: Arc::new(page.plan.url.clone()),
            reader: Reader::default(),
            visitors: (0..connections.div_ceil(each))
                .map(|_| Visitor::default())
                .collect(),
            asked: (0..connections).map(|_| None).collect(),
        }
    }

    fn each(&self) -> usize {
        self.page.plan.connections.max(1)
    }

    /// The connections of the visitor whom this one serves.
    fn siblings(&self, connection: usize) -> Range<usize> {
        let first = connection - connection % self.each();
        first..(first + self.each()).min(self.asked.len())
    }

    fn ask(&mut self, connection: usize) -> Option<Asked> {
        if self.asked.get(connection)?.is_some() {
            return None;
        }
        let each = self.each();
        let visitor = &mut self.visitors[connection / each];
        let fetch = visitor.take()?;
        let again = visitor.visit.as_ref().is_some_and(|visit| visit.again);
        let stored = visitor.cache.get(&fetch.asset.url);
        let stored = stored.filter(|_| fetch.conditional);
        let what = if stored.is_none() && fetch.asset.url == self.url {
            What::Prepared(0)
        } else {
            let common = self.page.plan.headers.iter().cloned();
            let validators = stored.into_iter().flat_map(Stored::validators);
            What::Request(Box::new(Request {
                method: "GET".into(),
                path: path(&fetch.asset.url).to_owned(),
                headers: common.chain(validators).collect(),
                body: Vec::new(),
            }))
        };
        let asked = Asked {
            what,
            name: fetch.asset.kind as u32 + if again { NAMES.len() as u32 } else { 0 },
            expected: match (fetch.asset.kind, fetch.conditional) {
                (Kind::Document, false) => DOCUMENT,
                (Kind::Document, true) => UNCHANGED,
                (_, false) => ASSET,
                (_, true) => ASSET_UNCHANGED,
            },
            delay: 0,
        };
        self.asked[connection] = Some(fetch);
        Some(asked)
    }
}

impl RequestStream for PageStream {
    fn begin(&mut self, connection: usize, due: u64) -> Result<Asked, String> {
        if !self.begins(connection) {
            return Err("this connection's visitor is on a page".into());
        }
        let each = self.each();
        let visits = self.page.plan.visits;
        self.visitors[connection / each].begin(&self.url, visits, due);
        self.ask(connection)
            .ok_or_else(|| "there is no document to ask for".into())
    }

    fn follow(&mut self, connection: usize) -> Option<Asked> {
        self.ask(connection)
    }

    fn begins(&self, connection: usize) -> bool {
        let each = self.each();
        let visitor = self.visitors.get(connection / each);
        connection.is_multiple_of(each) && visitor.is_some_and(|visitor| visitor.visit.is_none())
    }

    fn reads(&self) -> bool {
        true
    }

    fn heard(
        &mut self,
        connection: usize,
        answer: &Heard<'_>,
        wake: &mut Vec<usize>,
    ) -> Option<u64> {
        let fetch = self.asked.get_mut(connection)?.take()?;
        let siblings = self.siblings(connection);
        let each = self.each();
        let visitor = &mut self.visitors[connection / each];
        let tally = &self.page.counts;
        visitor.settle(&fetch, answer, &mut self.reader, tally);
        let visit = visitor.visit.as_ref()?;
        if !visit.is_over() {
            let others = siblings.filter(|&other| other != connection);
            let idle = others.filter(|&other| self.asked[other].is_none());
            let idle = std::iter::once(connection).chain(idle);
            wake.extend(idle.take(visit.queue.len()));
            return None;
        }
        let (began, failed) = (visit.began, visit.failed);
        visitor.leave();
        wake.push(siblings.start);
        count(if failed { &tally.failed } else { &tally.visits }, 1);
        (!failed).then_some(began)
    }

    fn restart(&mut self) {
        for visitor in &mut self.visitors {
            visitor.visit = None;
        }
        self.asked.fill_with(|| None);
    }
}
