//! A request as it is passed on to a server.

use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::request::MOST_HEADERS;

/// Longest body that is passed on, in bytes.
pub(crate) const LONGEST_BODY: usize = 16 << 20;
/// Bytes of all bodies that are kept at once, at most.
pub(crate) const ALL_BODIES: usize = 512 << 20;

/// Bytes of the bodies that are kept now, of all connections.
static KEPT: AtomicUsize = AtomicUsize::new(0);

/// Headers that are between two programs only (RFC 9110, section 7.6.1), beside those that `Connection` names.
const HOP_BY_HOP: [&str; 7] = [
    "connection",
    "keep-alive",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// Headers of a request that the next one has of its own. Who waited to be told to go on has been told.
const OWN: [&str; 3] = ["host", "content-length", "expect"];

/// A request without what is between the client and the origin only.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    pub(crate) method: String,
    /// Path and query.
    pub(crate) target: String,
    pub(crate) headers: Vec<(String, String)>,
    /// The body, transfer coding removed; none where it is not kept.
    pub(crate) body: Body,
    /// Why it is not.
    pub(crate) excess: Option<Excess>,
}

/// Why a body is not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Excess {
    /// It is longer than [`LONGEST_BODY`].
    Long,
    /// With it all that are kept at once would be more than [`ALL_BODIES`].
    Together,
}

/// A body, which counts among all that are kept for as long as it is there.
#[derive(Debug, Default)]
pub(crate) struct Body(Vec<u8>);

impl Kept {
    /// One whose head was read once.
    pub(crate) fn of(head: &[u8]) -> Self {
        let mut lines = [httparse::EMPTY_HEADER; MOST_HEADERS];
        let mut parsed = httparse::Request::new(&mut lines);
        let _ = parsed.parse(head); // as it was read, it can be read
        let lines = parsed.headers.iter().map(|line| {
            let value = String::from_utf8_lossy(line.value).into_owned();
            (line.name.to_owned(), value)
        });
        let mut headers = end_to_end(lines.collect());
        headers.retain(|(name, _)| !OWN.iter().any(|own| name.eq_ignore_ascii_case(own)));
        // RFC 9110, section 7.6.3
        headers.push(("Via".to_owned(), "1.1 weir".to_owned()));
        Self {
            method: parsed.method.unwrap_or_default().to_owned(),
            target: path_of(parsed.path.unwrap_or_default()),
            headers,
            ..Self::default()
        }
    }

    /// A piece of its body came.
    pub(crate) fn add(&mut self, piece: &[u8]) {
        if self.excess.is_some() {
            return;
        }
        if self.body.len() + piece.len() > LONGEST_BODY {
            self.excess = Some(Excess::Long);
        } else if !self.body.add(piece, ALL_BODIES) {
            self.excess = Some(Excess::Together);
        }
        if self.excess.is_some() {
            self.body = Body::default();
        }
    }
}

impl Body {
    /// Whether there was room for a piece more among so many bytes of all bodies.
    fn add(&mut self, piece: &[u8], most: usize) -> bool {
        let more = |kept: usize| kept.checked_add(piece.len()).filter(|all| *all <= most);
        let counted = KEPT.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
        let has_room = counted.is_ok();
        if has_room {
            self.0.extend_from_slice(piece);
        }
        has_room
    }
}

impl Drop for Body {
    fn drop(&mut self) {
        KEPT.fetch_sub(self.0.len(), Ordering::Relaxed);
    }
}

impl Deref for Body {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

/// The path and query of a target: a client that takes the origin for a proxy puts scheme and host before them.
fn path_of(target: &str) -> String {
    let whole = target.split_once("://");
    let Some((_, rest)) = whole.filter(|_| !target.starts_with('/')) else {
        return target.to_owned();
    };
    match rest.find(['/', '?']).map(|at| &rest[at..]) {
        None => "/".to_owned(),
        Some(query) if query.starts_with('?') => format!("/{query}"),
        Some(path) => path.to_owned(),
    }
}

/// Those of these headers that go further than to the next program.
pub(crate) fn end_to_end<V: AsRef<[u8]>>(mut headers: Vec<(String, V)>) -> Vec<(String, V)> {
    let mut named = Vec::new();
    for (name, value) in &headers {
        if name.eq_ignore_ascii_case("connection") {
            let text = String::from_utf8_lossy(value.as_ref());
            named.extend(text.split(',').map(|word| word.trim().to_owned()));
        }
    }
    headers.retain(|(name, _)| {
        let is_fixed = HOP_BY_HOP.iter().any(|own| name.eq_ignore_ascii_case(own));
        !is_fixed && !named.iter().any(|own| name.eq_ignore_ascii_case(own))
    });
    headers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_between_two_programs_goes_no_further() {
        let mut kept = Kept::of(
            b"PUT http://a/b?c=1 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nConnection: X-Hop, close\r\n\
              x-hop: 1\r\nTE: trailers\r\nUpgrade: h2c\r\nExpect: 100-continue\r\nCookie: d=e\r\n\r\n",
        );
        let names: Vec<_> = kept.headers.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names, ["Cookie", "Via"]);
        assert_eq!((&*kept.method, &*kept.target), ("PUT", "/b?c=1"));
        kept.add(b"hi");
        assert_eq!((&*kept.body, kept.excess), (&b"hi"[..], None));
        kept.add(&vec![0; LONGEST_BODY]);
        assert_eq!((kept.body.len(), kept.excess), (0, Some(Excess::Long)));
    }

    #[test]
    fn all_bodies_together_have_a_bound_and_one_that_has_gone_makes_room() {
        let most = 64 << 20; // other tests keep less
        let mut large = Body::default();
        assert!(large.add(&vec![0; 40 << 20], most));
        let mut another = Body::default();
        assert!(!another.add(&vec![0; 40 << 20], most));
        assert_eq!(another.len(), 0);
        drop(large);
        assert!(another.add(&vec![0; 40 << 20], most));
    }

    #[test]
    fn a_target_is_passed_on_as_a_path() {
        for (target, path) in [
            ("/a?b", "/a?b"),
            ("/go?to=http://b/c", "/go?to=http://b/c"),
            ("http://a", "/"),
            ("http://a?b=c/d", "/?b=c/d"),
            ("*", "*"),
        ] {
            assert_eq!(path_of(target), path, "{target}");
        }
    }
}
