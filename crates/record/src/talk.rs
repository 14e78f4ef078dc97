use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// How a client talked: what its requests and connections were.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Talk {
    /// Requests that came whole.
    pub requests: u64,
    /// Requests that began and never came whole.
    pub unfinished: u64,
    /// Connections that were opened.
    pub connections: u64,
    /// Connections without a request.
    pub unused: u64,
    /// Most connections that were open at once.
    pub at_once: u64,
    /// Connections that were turned away, as too many were open.
    pub turned_away: u64,
    /// TLS handshakes that came to their end.
    pub handshakes: u64,
    /// Those of them that resumed a session: without the certificate and most of the computing.
    pub resumed: u64,
    /// Time from the first request to the last, in seconds.
    pub seconds: f64,
    /// TCP segments that came, those without data too.
    pub segments: u64,
    /// TCP segments with data that came.
    pub data_segments: u64,
    /// Bytes that came, heads and bodies.
    pub bytes: u64,
    /// Requests in HTTP/1.0.
    pub http10: u64,
    /// Requests after which their connection ended because they asked for it (`Connection: close`, or HTTP/1.0 without
    /// `keep-alive`).
    pub closing: u64,
    /// Requests that waited to be told before they sent their bodies (`Expect: 100-continue`).
    pub expecting: u64,
    /// How requests with a body were sent.
    pub bodies: Bodies,
    /// Bodies that came late after their heads.
    pub stalls: Stalls,
    /// How often its name was looked up, where the origin has one.
    pub names: Option<Lookups>,
    /// What became of requests that were passed on to a server; absent where they were not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forwarded: Option<Forwarded>,
    /// What was no request.
    pub misread: Vec<Misread>,
}

/// Requests that were passed on to a server.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Forwarded {
    /// Those that it answered, whatever the status.
    pub answered: u64,
    /// Those of them after which it closed its connection, which it was not asked to: the client's was closed as well.
    #[serde(default)]
    pub closed: u64,
    /// Its responses by status; empty in what was stored when nobody counted them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub statuses: BTreeMap<u16, u64>,
    /// Those that were answered in its place: with 502 where it gave no response, with 413 where the body is too long.
    pub failed: u64,
    /// Why the first of these was.
    pub example: Option<String>,
}

/// How requests with a body were sent. Those that wait to be told are `asked`, and none of the others.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Bodies {
    /// Requests with a body, of 16 KiB at most with its head: one segment would take them.
    pub small: u64,
    /// Those of them that came in two segments with data or more.
    pub apart: u64,
    /// Larger requests with a body.
    pub large: u64,
    /// Bodies of which nothing had come when their heads were read.
    pub after_heads: u64,
    /// Median time from such a head to its body's first bytes, in seconds.
    pub gap: Option<f64>,
    /// Requests of 16 KiB at most that waited to be told before they sent their bodies.
    pub asked: u64,
}

/// Bodies of which nothing came for 30 ms after their heads, while the kernel held back the acknowledgement of the head, as
/// it does for 40 ms and more. After each the next such head of its connection is acknowledged at once, which shows whether its
/// body waits for that.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Stalls {
    /// Bodies that came 30 ms to 250 ms after their heads.
    pub bodies: u64,
    /// Median of these times, in seconds.
    pub gap: Option<f64>,
    /// Heads that were acknowledged at once.
    pub acknowledged: u64,
    /// Median time from these to their bodies' first bytes, in seconds.
    pub gap_acknowledged: Option<f64>,
}

/// Connections whose bytes were no request.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Misread {
    /// Why they are none.
    pub why: Malformed,
    /// Connections.
    pub connections: u64,
    /// What the first of them began with, or ended with where its body is what is wrong: 80 bytes at most, escaped where they
    /// are not ASCII.
    pub sample: String,
}

impl Forwarded {
    /// Whether it answered, and no response of it has a status from 200 to 299.
    pub fn has_no_success(&self) -> bool {
        !self.statuses.is_empty() && self.statuses.range(200..300).next().is_none()
    }
}

impl Talk {
    /// Fewest requests, and the least time from the first to the last of them, in seconds, that have a rate.
    const TIMED: (u64, f64) = (10, 1e-3);

    /// The origin's name. Nobody else has one that ends so (RFC 6761, section 6.2).
    pub const NAME: &str = "origin.weir.test";

    /// Requests for each connection that had any; 0 without any.
    pub fn per_connection(&self) -> f64 {
        let used = self.connections.saturating_sub(self.unused);
        if used == 0 {
            return 0.0;
        }
        self.requests as f64 / used as f64
    }

    /// So much of something for each request.
    pub fn per_request(&self, of: u64) -> f64 {
        of as f64 / self.requests.max(1) as f64
    }

    /// Requests per second between the first and the last. `None` where there are fewer than ten, or they took less than a
    /// millisecond, and where a server was to answer them and answered none.
    pub fn rate(&self) -> Option<f64> {
        let (fewest, shortest) = Self::TIMED;
        let is_timed = self.requests >= fewest && self.seconds >= shortest;
        let is_answered = self.forwarded.as_ref().is_none_or(|of| of.answered > 0);
        (is_timed && is_answered).then(|| (self.requests - 1) as f64 / self.seconds)
    }
}

/// How often names were asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Lookups {
    /// Lookups of the origin's name. One asks for its addresses of IPv4, of IPv6, or of both.
    pub lookups: u64,
    /// Questions for the origin's name, of every kind.
    pub questions: u64,
    /// Questions for other names, of which there are none.
    pub others: u64,
}

/// Why bytes are no request.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Malformed {
    /// They begin a TLS handshake.
    Tls,
    /// They are no TLS handshake, where one is wanted.
    NotTls,
    /// They are a TLS handshake that fails: most often as the certificate is not trusted.
    Handshake,
    /// They begin HTTP/2.
    Http2,
    /// A head that is no head.
    Head,
    /// A head that is too long, or of too many lines.
    TooLong,
    /// A body whose length is unclear (RFC 9112, section 6.3), or whose chunks are none.
    Framing,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_requests_have_no_rate_and_what_nobody_answered_has_none() {
        let talk = |requests, seconds, answered: Option<u64>| Talk {
            requests,
            seconds,
            forwarded: answered.map(|answered| Forwarded {
                answered,
                ..Forwarded::default()
            }),
            ..Talk::default()
        };
        assert_eq!(talk(11, 0.5, None).rate(), Some(20.0));
        assert_eq!(talk(11, 0.5, Some(1)).rate(), Some(20.0));
        assert_eq!(talk(11, 0.5, Some(0)).rate(), None);
        assert_eq!(talk(4, 0.5, None).rate(), None);
        assert_eq!(talk(11, 0.000_086, None).rate(), None);
    }

    #[test]
    fn one_response_with_200_is_a_success() {
        let of = |statuses: &[u16]| Forwarded {
            statuses: statuses.iter().map(|status| (*status, 1)).collect(),
            ..Forwarded::default()
        };
        assert!(of(&[501]).has_no_success() && of(&[302, 404]).has_no_success());
        assert!(!of(&[200, 501]).has_no_success() && !of(&[]).has_no_success());
    }
}
