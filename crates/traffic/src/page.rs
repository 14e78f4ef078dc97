//! A visitor who fetches a document and all that it needs, as a browser does.

mod assets;
mod cache;
mod css;
mod fields;
mod found;
mod stream;
mod visit;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use load::{Expected, NewStream, Request, RequestSource};
use record::Visits;
use url::Url;

/// A page and how it is visited.
#[derive(Clone, Debug)]
pub struct PagePlan {
    /// The document.
    pub url: Url,
    /// Connections of each visitor, at least 1; browsers use 6 to a host in HTTP/1.
    pub connections: usize,
    /// With which cache visitors come.
    pub visits: Visits,
    /// The document that counts as right.
    pub expected: Expected,
    /// Headers sent with each request.
    pub headers: Vec<(String, String)>,
}

/// A page, ready to be visited.
#[derive(Clone, Debug)]
pub struct Page {
    plan: Arc<PagePlan>,
    counts: Arc<Tally>,
}

/// What was seen in pages, over all threads, in warm-up and window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Visits that came to a good end.
    pub visits: u64,
    /// Visits of which a part failed; no page time is given for them.
    pub failed: u64,
    /// Assets that were fetched or revalidated.
    pub fetched: u64,
    /// Assets that the cache had fresh, so that nothing was sent.
    pub cached: u64,
    /// Assets at other origins, which were left out.
    pub elsewhere: u64,
    /// Documents and stylesheets that could not be looked into: their content coding is unknown.
    pub unread: u64,
}

/// What a document at this address makes a browser fetch from the same origin, each once, in the
/// order of its text.
pub fn assets_of_document(text: &str, base: &Url) -> Vec<Url> {
    addresses(assets::find(text, base))
}

/// What a stylesheet at this address makes a browser fetch from the same origin.
pub fn assets_of_stylesheet(text: &str, base: &Url) -> Vec<Url> {
    addresses(css::find(text, base))
}

fn addresses(found: found::Found) -> Vec<Url> {
    let assets = found.assets.into_iter();
    assets.map(|asset| Url::clone(&asset.url)).collect()
}

#[derive(Debug, Default)]
struct Tally {
    visits: AtomicU64,
    failed: AtomicU64,
    fetched: AtomicU64,
    cached: AtomicU64,
    elsewhere: AtomicU64,
    unread: AtomicU64,
}

fn count(counter: &AtomicU64, by: u64) {
    counter.fetch_add(by, Ordering::Relaxed);
}

/// What is fetched, as its answers are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Document,
    Style,
    Script,
    Image,
    Other,
}

const NAMES: [&str; 5] = ["document", "stylesheet", "script", "image", "other asset"];

/// Numbers of the expected answers. Those of assets may say that they are elsewhere, which is followed.
const DOCUMENT: u32 = 0;
const ASSET: u32 = 1;
const UNCHANGED: u32 = 2;
const ASSET_UNCHANGED: u32 = 3;

impl Page {
    /// A page to be visited.
    pub fn new(plan: PagePlan) -> Self {
        Self {
            plan: Arc::new(plan),
            counts: Arc::default(),
        }
    }

    /// What was seen so far.
    pub fn counts(&self) -> Counts {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Counts {
            visits: read(&self.counts.visits),
            failed: read(&self.counts.failed),
            fetched: read(&self.counts.fetched),
            cached: read(&self.counts.cached),
            elsewhere: read(&self.counts.elsewhere),
            unread: read(&self.counts.unread),
        }
    }
}

impl RequestSource for Page {
    fn called(&self) -> &'static str {
        "page"
    }

    fn names(&self) -> Vec<String> {
        let first = NAMES.iter().map(|&name| name.to_owned());
        let again = NAMES.iter().map(|name| format!("{name}, returning"));
        match self.plan.visits {
            Visits::Fresh => first.collect(),
            Visits::Returning | Visits::Both => first.chain(again).collect(),
        }
    }

    fn expected(&self) -> Vec<Expected> {
        vec![
            self.plan.expected.clone(),
            crate::statuses(&[200, 301, 302, 303, 307, 308]),
            crate::statuses(&[304, 200]),
            crate::statuses(&[304, 200, 301, 302, 303, 307, 308]),
        ]
    }

    fn prepared(&self) -> Vec<Request> {
        vec![Request {
            method: "GET".into(),
            path: found::path(&self.plan.url).to_owned(),
            headers: self.plan.headers.clone(),
            body: Vec::new(),
        }]
    }

    fn stream(&self, _worker: usize, _workers: usize, connections: usize) -> NewStream {
        Ok(Box::new(stream::PageStream::new(self, connections)))
    }
}

#[cfg(test)]
mod tests;
