use std::sync::Arc;

use jiff::Timestamp;
use jiff::fmt::rfc2822;

use super::fields;
use super::found::Found;

const SECOND: u64 = 1_000_000_000;

/// An answer that a private cache keeps (RFC 9111), without its body.
#[derive(Debug)]
pub(super) struct Stored {
    etag: Option<String>,
    modified: Option<String>,
    /// When it has to be asked about again, nanoseconds of the load's clock.
    stale: u64,
    /// What its body needs.
    pub(super) found: Option<Arc<Found>>,
}

impl Stored {
    /// An answer that came at `now`, if it may be kept. One without an explicit lifetime is asked
    /// about each time: the heuristics that section 4.2.2 allows differ from browser to browser.
    pub(super) fn new(head: &[u8], now: u64, found: Option<Arc<Found>>) -> Option<Self> {
        let varies = fields::values(head, "vary").any(|value| value.contains('*'));
        if varies || directive(head, "no-store").is_some() {
            return None;
        }
        let owned = |name| fields::value(head, name).map(str::to_owned);
        Some(Self {
            etag: owned("etag"),
            modified: owned("last-modified"),
            stale: now.saturating_add(lifetime(head).saturating_mul(SECOND)),
            found,
        })
    }

    pub(super) fn is_fresh(&self, now: u64) -> bool {
        now < self.stale
    }

    /// Whether it can be asked about.
    pub(super) fn has_validators(&self) -> bool {
        self.etag.is_some() || self.modified.is_some()
    }

    /// Whether it saves anything: it need not be asked for, or not whole.
    pub(super) fn is_of_use(&self, now: u64) -> bool {
        self.is_fresh(now) || self.has_validators()
    }

    /// Headers that ask whether it has changed (RFC 9110, section 13.1).
    pub(super) fn validators(&self) -> impl Iterator<Item = (String, String)> {
        let of = |name: &str, value: &Option<String>| Some((name.to_owned(), value.clone()?));
        let modified = of("If-Modified-Since", &self.modified);
        of("If-None-Match", &self.etag).into_iter().chain(modified)
    }

    /// The answer has not changed: its lifetime begins anew (RFC 9111, section 4.3.4).
    pub(super) fn freshen(&mut self, head: &[u8], now: u64) {
        self.stale = now.saturating_add(lifetime(head).saturating_mul(SECOND));
        if let Some(etag) = fields::value(head, "etag") {
            self.etag = Some(etag.to_owned());
        }
    }
}

/// For how many seconds an answer may be used unasked: RFC 9111, section 4.2.1, without what is for
/// shared caches.
fn lifetime(head: &[u8]) -> u64 {
    if directive(head, "no-cache").is_some() {
        return 0;
    }
    let whole = match directive(head, "max-age") {
        Some(seconds) => seconds.trim_matches('"').parse().unwrap_or(0),
        None => expiry(head).unwrap_or(0),
    };
    let age = fields::value(head, "age").and_then(|age| age.parse().ok());
    u64::saturating_sub(whole, age.unwrap_or(0))
}

fn expiry(head: &[u8]) -> Option<u64> {
    let date = |name| fields::value(head, name).and_then(date);
    let seconds = date("expires")?.as_second() - date("date")?.as_second();
    u64::try_from(seconds).ok()
}

fn date(text: &str) -> Option<Timestamp> {
    rfc2822::parse(text).ok().map(|zoned| zoned.timestamp())
}

/// The argument of a directive of `Cache-Control`; empty if it has none.
fn directive<'a>(head: &'a [u8], name: &str) -> Option<&'a str> {
    let lines = fields::values(head, "cache-control");
    let mut directives = lines.flat_map(|line| line.split(','));
    directives.find_map(|directive| {
        let (key, argument) = directive.split_once('=').unwrap_or((directive, ""));
        let same = key.trim().eq_ignore_ascii_case(name);
        same.then(|| argument.trim())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(head: &str) -> Option<u64> {
        let stored = Stored::new(head.as_bytes(), 0, None)?;
        Some(stored.stale / SECOND)
    }

    #[test]
    fn lifetimes() {
        for (head, wanted) in [
            ("", Some(0)),
            (
                "ETag: \"a\"\r\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n",
                Some(0),
            ),
            ("Cache-Control: public, max-age=60\r\n", Some(60)),
            ("cache-control: MAX-AGE=\"60\"\r\nAge: 20\r\n", Some(40)),
            (
                "Cache-Control: public\r\nCache-Control: max-age=9, immutable\r\n",
                Some(9),
            ),
            ("Cache-Control: no-cache, max-age=60\r\n", Some(0)),
            ("Cache-Control: no-store\r\n", None),
            ("Cache-Control: max-age=60\r\nVary: *\r\n", None),
            (
                "Cache-Control: max-age=60\r\nVary: Accept-Encoding\r\n",
                Some(60),
            ),
            (
                "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\nExpires: Sun, 06 Nov 1994 08:50:37 GMT\r\n",
                Some(60),
            ),
            (
                "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\nExpires: 0\r\n",
                Some(0),
            ),
            (
                "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\nExpires: Sun, 06 Nov 1994 08:48:37 GMT\r\n",
                Some(0),
            ),
            ("Cache-Control: max-age=99999999999999999999\r\n", Some(0)),
            (
                "Cache-Control: max-age=9999999999999999999\r\n",
                Some(u64::MAX / SECOND),
            ),
        ] {
            assert_eq!(seconds(head), wanted, "{head}");
        }
    }

    #[test]
    fn an_unchanged_answer_lives_on() {
        let mut stored =
            Stored::new(b"ETag: \"a\"\r\nCache-Control: max-age=1\r\n", 0, None).unwrap();
        assert!(stored.is_fresh(SECOND - 1) && !stored.is_fresh(SECOND));
        let asked: Vec<_> = stored.validators().collect();
        assert_eq!(asked, [("If-None-Match".to_owned(), "\"a\"".to_owned())]);
        stored.freshen(b"Cache-Control: max-age=5\r\n", SECOND);
        assert!(stored.is_fresh(6 * SECOND - 1) && !stored.is_fresh(6 * SECOND));
    }
}
