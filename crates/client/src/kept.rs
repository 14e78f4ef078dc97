//! A request as it is passed on to a server.

use crate::request::MOST_HEADERS;

/// Longest body that is passed on, in bytes.
pub(crate) const LONGEST_BODY: usize = 16 << 20;

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
    /// The body, transfer coding removed; not all of it where it is too long.
    pub(crate) body: Vec<u8>,
    pub(crate) is_too_long: bool,
}

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
        self.is_too_long |= self.body.len() + piece.len() > LONGEST_BODY;
        if !self.is_too_long {
            self.body.extend_from_slice(piece);
        }
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
        assert_eq!((&*kept.body, kept.is_too_long), (&b"hi"[..], false));
        kept.add(&vec![0; LONGEST_BODY]);
        assert!(kept.is_too_long && kept.body.len() == 2);
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
