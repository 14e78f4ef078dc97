use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use load::Heard;
use record::Visits;
use url::Url;

use super::cache::Stored;
use super::found::{Asset, Found, Reader};
use super::{Kind, Tally, count, fields};

/// Answers that a cache keeps, at most, over visits that failed.
const KEPT: usize = 10_000;

/// One visitor: a cache, and the visit that goes on.
#[derive(Debug, Default)]
pub(super) struct Visitor {
    pub(super) cache: HashMap<Arc<Url>, Stored>,
    pub(super) visit: Option<Visit>,
    /// Visits begun.
    visits: u64,
}

/// What is being fetched for a page.
#[derive(Debug)]
pub(super) struct Visit {
    /// When it fell due, nanoseconds of the load's clock.
    pub(super) began: u64,
    /// Whether the visitor was here before.
    pub(super) again: bool,
    /// What is still to be asked.
    pub(super) queue: VecDeque<Fetch>,
    /// What was ever asked, or found in the cache.
    seen: HashSet<Arc<Url>>,
    /// Asked and not yet answered.
    pub(super) under_way: usize,
    pub(super) failed: bool,
}

/// Something to ask, or asked.
#[derive(Debug)]
pub(super) struct Fetch {
    pub(super) asset: Asset,
    /// Whether it is asked because an answer said that it is elsewhere.
    redirected: bool,
    /// Whether it was asked if it has changed.
    pub(super) conditional: bool,
}

impl Fetch {
    fn new(asset: Asset) -> Self {
        Self {
            asset,
            redirected: false,
            conditional: false,
        }
    }
}

impl Visitor {
    /// A visit falls due: its document is to be asked for, whatever the cache says, as when its
    /// address is entered again.
    pub(super) fn begin(&mut self, url: &Arc<Url>, visits: Visits, due: u64) {
        let again = match visits {
            Visits::Fresh => false,
            Visits::Returning => self.visits > 0,
            Visits::Both => self.visits % 2 == 1,
        };
        if !again {
            self.cache.clear();
        }
        self.visits += 1;
        let document = Asset {
            kind: Kind::Document,
            url: Arc::clone(url),
        };
        self.visit = Some(Visit {
            began: due,
            again,
            queue: VecDeque::from([Fetch::new(document)]),
            seen: HashSet::from([Arc::clone(url)]),
            under_way: 0,
            failed: false,
        });
    }

    /// Takes what is to be asked next.
    pub(super) fn take(&mut self) -> Option<Fetch> {
        let visit = self.visit.as_mut()?;
        let mut fetch = visit.queue.pop_front()?;
        visit.under_way += 1;
        let stored = self.cache.get(&fetch.asset.url);
        fetch.conditional = stored.is_some_and(Stored::has_validators);
        Some(fetch)
    }

    /// An answer has come, or failed to: what does it lead to?
    pub(super) fn settle(
        &mut self,
        fetch: &Fetch,
        answer: &Heard<'_>,
        reader: &mut Reader,
        tally: &Tally,
    ) {
        let Some(visit) = &mut self.visit else {
            return;
        };
        visit.under_way -= 1;
        let asset = fetch.asset.clone();
        if asset.kind != Kind::Document {
            count(&tally.fetched, 1);
        }
        // The engine compares with one status; a conditional request has two correct responses.
        let changed = fetch.conditional && answer.status == 200;
        let found = match answer.status {
            301 | 302 | 303 | 307 | 308 => {
                visit.redirect(fetch, answer.fields);
                return;
            }
            304 if fetch.conditional => self.cache.get_mut(&asset.url).and_then(|stored| {
                stored.freshen(answer.fields, answer.now);
                stored.found.clone()
            }),
            _ if answer.right || changed => self.read(&asset, answer, reader, tally),
            _ => {
                visit.failed = true;
                return;
            }
        };
        self.need(found, answer.now, tally);
    }

    /// The visit is over. The cache forgets what the page does not name any longer: one that names other assets each time
    /// would fill the memory. A visit that failed has not come across all of them.
    pub(super) fn leave(&mut self) {
        if let Some(visit) = self.visit.take()
            && (!visit.failed || self.cache.len() > KEPT)
        {
            self.cache.retain(|url, _| visit.seen.contains(url));
        }
    }

    /// Looks into a document or stylesheet, and keeps what may be kept and is of use.
    fn read(
        &mut self,
        asset: &Asset,
        answer: &Heard<'_>,
        reader: &mut Reader,
        tally: &Tally,
    ) -> Option<Arc<Found>> {
        let found = match asset.kind {
            Kind::Document | Kind::Style => {
                let found = reader.read(asset.kind, &asset.url, answer.fields, answer.body);
                count(&tally.unread, u64::from(found.is_none()));
                found
            }
            _ => None,
        };
        let stored = Stored::new(answer.fields, answer.now, found.clone());
        let serves = |stored: &Stored| answer.status == 200 && stored.is_of_use(answer.now);
        match stored.filter(serves) {
            Some(stored) => self.cache.insert(Arc::clone(&asset.url), stored),
            None => self.cache.remove(&asset.url),
        };
        found
    }

    /// Queues what is needed and neither asked for yet nor fresh in the cache.
    fn need(&mut self, found: Option<Arc<Found>>, now: u64, tally: &Tally) {
        let Some(visit) = &mut self.visit else {
            return;
        };
        let mut open: Vec<Arc<Found>> = found.into_iter().collect();
        while let Some(found) = open.pop() {
            count(&tally.elsewhere, found.elsewhere);
            for asset in &found.assets {
                if !visit.seen.insert(Arc::clone(&asset.url)) {
                    continue;
                }
                match self.cache.get(&asset.url) {
                    Some(stored) if stored.is_fresh(now) => {
                        count(&tally.cached, 1);
                        open.extend(stored.found.clone());
                    }
                    _ => visit.queue.push_back(Fetch::new(asset.clone())),
                }
            }
        }
    }
}

impl Visit {
    /// An answer points elsewhere: that is asked before anything else, once, at the same origin.
    fn redirect(&mut self, fetch: &Fetch, head: &[u8]) {
        let location = fields::value(head, "location");
        let target = location.and_then(|location| fetch.asset.url.join(location).ok());
        let target = target.filter(|target| target.origin() == fetch.asset.url.origin());
        let Some(mut target) = target.filter(|_| !fetch.redirected) else {
            self.failed = true;
            return;
        };
        target.set_fragment(None);
        let url = Arc::new(target);
        self.seen.insert(Arc::clone(&url));
        self.queue.push_front(Fetch {
            asset: Asset {
                kind: fetch.asset.kind,
                url,
            },
            redirected: true,
            conditional: false,
        });
    }

    pub(super) fn is_over(&self) -> bool {
        self.under_way == 0 && self.queue.is_empty()
    }
}
