use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, HashSet};
use std::hash::{Hash as _, Hasher as _};
use std::io::Read as _;
use std::sync::Arc;

use url::{Position, Url};

use super::{Kind, assets, css, fields};

/// Most different bodies whose assets are remembered; then it begins anew.
const REMEMBERED: usize = 1000;
/// Longest body that is unpacked, so that a small one cannot fill the memory.
const UNPACKED: u64 = 64 * 1024 * 1024;

/// What a document or stylesheet needs.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// Each once, in the order of the text.
    pub(super) assets: Vec<Asset>,
    /// How many are at other origins.
    pub(super) elsewhere: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Asset {
    pub(super) kind: Kind,
    pub(super) url: Arc<Url>,
}

/// Text to be looked into, resolved and kept once per origin.
pub(super) struct Gathering {
    pub(super) found: Found,
    /// The addresses of its assets.
    known: HashSet<Arc<Url>>,
    origin: url::Origin,
    pub(super) base: Url,
}

impl Gathering {
    pub(super) fn new(base: &Url) -> Self {
        Self {
            found: Found::default(),
            known: HashSet::new(),
            origin: base.origin(),
            base: base.clone(),
        }
    }

    pub(super) fn add(&mut self, kind: Kind, reference: &str) {
        let reference = reference.trim();
        let Ok(mut url) = self.base.join(reference) else {
            return;
        };
        if reference.is_empty() || !matches!(url.scheme(), "http" | "https") {
            return; // `data:` is in the text itself
        }
        if url.origin() != self.origin {
            self.found.elsewhere += 1;
            return;
        }
        url.set_fragment(None);
        let url = Arc::new(url);
        if self.known.insert(Arc::clone(&url)) {
            self.found.assets.push(Asset { kind, url });
        }
    }
}

/// Path and query, as a request line has them.
pub(super) fn path(url: &Url) -> &str {
    &url[Position::BeforePath..Position::AfterQuery]
}

/// Looks into documents and stylesheets, into each distinct one once.
#[derive(Debug, Default)]
pub(super) struct Reader {
    known: HashMap<u64, Arc<Found>>,
}

impl Reader {
    /// What a body needs; nothing if its content coding is not known.
    pub(super) fn read(
        &mut self,
        kind: Kind,
        base: &Url,
        head: &[u8],
        body: &[u8],
    ) -> Option<Arc<Found>> {
        let mut hasher = DefaultHasher::new();
        (base.as_str(), body).hash(&mut hasher);
        let key = hasher.finish();
        if let Some(found) = self.known.get(&key) {
            return Some(Arc::clone(found));
        }
        let plain = plain(head, body)?;
        let text = String::from_utf8_lossy(&plain);
        let found = Arc::new(match kind {
            Kind::Document => assets::find(&text, base),
            _ => css::find(&text, base),
        });
        if self.known.len() >= REMEMBERED {
            self.known.clear();
        }
        self.known.insert(key, Arc::clone(&found));
        Some(found)
    }
}

fn plain<'a>(head: &[u8], body: &'a [u8]) -> Option<std::borrow::Cow<'a, [u8]>> {
    match fields::value(head, "content-encoding") {
        None | Some("" | "identity") => Some(body.into()),
        Some("gzip" | "x-gzip") => {
            let mut plain = Vec::new();
            let unpacked = flate2::read::MultiGzDecoder::new(body);
            unpacked.take(UNPACKED).read_to_end(&mut plain).ok()?;
            Some(plain.into())
        }
        Some(_) => None,
    }
}
