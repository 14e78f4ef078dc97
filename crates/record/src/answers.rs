use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Distribution;

/// The limits that a request may exceed.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum TimeLimit {
    /// Opening the connection.
    Connect,
    /// From the request to the first byte of its answer.
    FirstByte,
    /// The whole, from the due time.
    Whole,
}

/// Requests of one name.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct NamedFacts {
    /// The name.
    pub name: String,
    /// Answered rightly, in the window or in the drain.
    pub completed: u64,
    /// Answered wrongly or not at all.
    pub failed: u64,
    /// Bytes of the bodies of those that completed; absent in what was stored when nobody counted them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// How they were answered, rightly or wrongly, by HTTP status: of each its last attempt, in the window or in the drain. Empty
    /// in what was stored when nobody counted them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub statuses: BTreeMap<u16, u64>,
    /// From the due time to the last byte, of both that completed and that timed out.
    pub response: Distribution,
}

/// One of the plan's own checks on answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct CheckFacts {
    /// Its name.
    pub name: String,
    /// Answers looked at.
    pub looked_at: u64,
    /// How many of them broke it.
    pub failed: u64,
    /// What the first of those was.
    pub example: Option<String>,
}

/// One of the slowest requests, to be explained. Times are seconds.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Slow {
    /// Since the window opened, when it fell due.
    pub due: f64,
    /// From the due time until it could be sent: a connection was free and open. All of its time where it was never sent.
    pub waited: f64,
    /// From there until it was sent (the engine's lateness).
    pub late: f64,
    /// From sending to the first byte of the answer; absent when none came.
    pub first_byte: Option<f64>,
    /// From the due time to the end.
    pub response: f64,
    /// Status of the answer; 0 when none came in time.
    pub status: u16,
    /// Its name, when requests have names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Requests that its socket had carried before.
    pub before: u32,
    /// Whether it had to be sent again.
    pub again: bool,
    /// The socket as the kernel saw it at the end (`tcp_info`); absent for a Unix socket.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tcp: Option<TcpState>,
}

impl Slow {
    /// Whether it waited for a connection all the time, and was never sent.
    pub fn is_unsent(&self) -> bool {
        self.first_byte.is_none() && !self.again && self.waited >= self.response
    }
}

/// What the kernel says of a TCP connection (`struct tcp_info`, tcp(7)).
#[derive(Clone, Copy, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct TcpState {
    /// Smoothed round-trip time, seconds.
    pub rtt: f64,
    /// Its variation, seconds.
    pub rtt_variation: f64,
    /// Segments sent again, over the connection's life.
    pub retransmits: u32,
    /// Segments sent and not acknowledged.
    pub unacknowledged: u32,
    /// Congestion window, segments.
    pub congestion_window: u32,
}
