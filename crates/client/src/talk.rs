use std::collections::BTreeMap;

use kernel::TcpInfo;
use schemars::JsonSchema;
use serde::Serialize;

use crate::names::Lookups;
use crate::request::{Malformed, Request};

/// Largest request that one segment takes on loopback, in bytes: half of the window that a connection begins with, and half of
/// that again to be sure.
const SMALL: u64 = 16 * 1024;

/// Bytes that are kept of what is no request.
pub(crate) const SAMPLE: usize = 80;

/// How a client talked: what its requests and connections were.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
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
    /// What was no request.
    pub misread: Vec<Misread>,
}

/// How requests with a body were sent. Those that wait to be told are `asked`, and none of the others.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
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
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Misread {
    /// Why they are none.
    pub why: Malformed,
    /// Connections.
    pub connections: u64,
    /// What the first of them began with, or ended with where its body is what is wrong: 80 bytes at most, escaped where they
    /// are not ASCII.
    pub sample: String,
}

impl Talk {
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

    /// Requests per second between the first and the last; `None` where there are not two.
    pub fn rate(&self) -> Option<f64> {
        let after_first = self.requests.checked_sub(1).filter(|after| *after > 0)?;
        (self.seconds > 0.0).then(|| after_first as f64 / self.seconds)
    }

    /// A request came whole, in so many segments with data and bytes.
    pub(crate) fn request(&mut self, request: &Request, segments: u32, bytes: u64) {
        self.requests += 1;
        self.http10 += u64::from(request.http10);
        self.closing += u64::from(!request.keep);
        self.expecting += u64::from(request.expects);
        let small = bytes <= SMALL;
        if request.expects {
            self.bodies.asked += u64::from(small);
        } else if request.has_body() && !small {
            self.bodies.large += 1;
        } else if request.has_body() {
            self.bodies.small += 1;
            self.bodies.apart += u64::from(segments >= 2);
        }
    }

    /// A connection ended, of which the kernel knows this.
    pub(crate) fn ended(&mut self, info: &TcpInfo, requests: u64, unfinished: bool) {
        self.segments += u64::from(info.segments_received);
        self.data_segments += u64::from(info.data_segments_received);
        self.bytes += info.bytes_received;
        self.unused += u64::from(requests == 0);
        self.unfinished += u64::from(unfinished);
    }

    /// What was misread, by its kind.
    pub(crate) fn tell(&mut self, misread: BTreeMap<Malformed, (u64, String)>) {
        let told = misread.into_iter();
        self.misread = told
            .map(|(why, (connections, sample))| Misread {
                why,
                connections,
                sample,
            })
            .collect();
    }
}
