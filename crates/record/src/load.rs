use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Distribution, Shape};

/// Why a request failed, named by cause: a reader must know what to look at next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// Nobody listens on the address.
    Refused,
    /// The connection could not be opened for another reason than refusal.
    Connect,
    /// A Unix socket's accept queue was full, or the kernel gave up waiting for an accepted
    /// connection.
    Backlog,
    /// This machine ran out of local ports or file descriptors: our side's fault, never the server's.
    Exhausted,
    /// The peer reset the connection before the first byte of the answer.
    ResetBeforeAnswer,
    /// The peer reset the connection in the middle of the answer.
    ResetInAnswer,
    /// The peer closed the connection before the first byte of the answer.
    ClosedBeforeAnswer,
    /// The peer closed the connection before the answer was whole.
    Truncated,
    /// The bytes are not an answer of this protocol.
    Malformed,
    /// The app server said, in the protocol's own way, that it will not answer.
    Declined,
    /// The answer's status was not the expected one.
    Status,
    /// The answer's body was not the expected one.
    Body,
    /// The answer broke one of the plan's own checks.
    Check,
    /// The TLS handshake failed.
    Tls,
    /// The server gave the request up and kept the connection (an HTTP/2 stream that was reset).
    Reset,
    /// Whoever thinks of the requests could not think of this one, or it cannot be put on the wire.
    Unasked,
}

impl Cause {
    /// The cause as a person says it.
    pub fn words(self) -> &'static str {
        match self {
            Self::Refused => "connection refused",
            Self::Connect => "could not connect",
            Self::Backlog => "accept queue full",
            Self::Exhausted => "out of local ports or descriptors (our side)",
            Self::ResetBeforeAnswer => "reset before the answer",
            Self::ResetInAnswer => "reset inside the answer",
            Self::ClosedBeforeAnswer => "closed before the answer",
            Self::Truncated => "closed inside the answer",
            Self::Malformed => "not a valid answer",
            Self::Declined => "declined by the app server",
            Self::Status => "unexpected status",
            Self::Body => "unexpected body",
            Self::Check => "a check failed",
            Self::Tls => "TLS handshake failed",
            Self::Reset => "reset by the server, on a connection that lives on",
            Self::Unasked => "could not be asked (our side)",
        }
    }
}

/// What one load did and saw.
///
/// The accounting identity holds always:
/// `scheduled = completed + sum(failed) + timed_out + shed + in_flight`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LoadFacts {
    /// Length of the measured window: from the first due time to the last completion (by count)
    /// or to the deadline (by duration). Seconds.
    pub seconds: f64,
    /// Requests that fell due inside the window.
    pub scheduled: u64,
    /// Answered inside the window with the expected status and body.
    pub completed: u64,
    /// Answered wrongly or not at all, by cause.
    pub failed: BTreeMap<Cause, u64>,
    /// For each cause of `failed`, what the first such request saw (an excerpt, or the system's
    /// error message).
    #[serde(default)]
    pub examples: BTreeMap<Cause, String>,
    /// Not answered within the time limit; kept in the distributions as "at least this long".
    pub timed_out: u64,
    /// Those of `timed_out` by the limit that they exceeded.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub time_limits: BTreeMap<TimeLimit, u64>,
    /// Attempts beyond the first of a request, by clients that try again; none of them is counted
    /// in `scheduled`.
    #[serde(default)]
    pub retries: u64,
    /// Fell due when as many requests were outstanding as the plan allows, and never sent (open
    /// loop).
    #[serde(default)]
    pub shed: u64,
    /// Sent and still unanswered, or waiting for a connection, when the window closed.
    pub in_flight: u64,
    /// How many of `in_flight` were answered in the drain that follows the window; their times are
    /// in the distributions (else the slowest would vanish), their count is not in the throughput.
    pub drained: u64,
    /// Answers by HTTP status, wrong ones included.
    pub statuses: BTreeMap<u16, u64>,
    /// Bytes written to and read from sockets inside the window.
    pub bytes_sent: u64,
    /// See `bytes_sent`.
    pub bytes_received: u64,
    /// Connections that were to be kept open at once.
    pub connections: u32,
    /// Connections that carried the window: opened in it (reopened ones included), or left open by
    /// the warm-up.
    pub connects: u64,
    /// From the first byte sent to the last received, per request.
    pub service: Distribution,
    /// From the due time to the last byte received: what a user waits, opening the connection included.
    pub response: Distribution,
    /// From `connect` to an open connection, for each of `connects`.
    pub connect: Distribution,
    /// From an open connection to the end of its TLS handshake, for each that had one.
    #[serde(default)]
    pub tls: Distribution,
    /// From the first byte sent to the first byte received.
    pub first_byte: Distribution,
    /// From the first byte received to the last.
    #[serde(default)]
    pub body: Distribution,
    /// From the due time of a page's document to the last byte of its last asset, per page.
    #[serde(default)]
    pub pages: Distribution,
    /// How late the engine itself was: from the moment a request could have left (due, a
    /// connection free, and the thread awake) to the moment it was written.
    pub lateness: Distribution,
    /// How long requests waited because every connection was busy: the server's back-pressure.
    /// From the due time to a free connection, of those requests only that had to wait.
    #[serde(default)]
    pub waited: Distribution,
    /// How late the kernel woke the engine: from the due time to the wake-up, of those requests
    /// only that fell due while their thread slept (open loop, or think time).
    #[serde(default)]
    pub woken: Distribution,
    /// The same by name, when requests have names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub named: Vec<NamedFacts>,
    /// What the plan's own checks found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<CheckFacts>,
    /// The slowest requests, the slowest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slowest: Vec<Slow>,
    /// What made requests fall due.
    #[serde(default)]
    pub shape: Shape,
    /// Requests per second that fell due in the window (open loop).
    #[serde(default)]
    pub offered: Option<f64>,
    /// Throughput over time, in slices of equal length.
    pub intervals: Vec<Interval>,
    /// What came before the window.
    pub warm_up: WarmUp,
    /// Bodies that were looked at.
    pub bodies: BodyCheck,
    /// What generating this load cost.
    pub engine: EngineCost,
}

impl LoadFacts {
    /// All failures, without those that timed out.
    pub fn failures(&self) -> u64 {
        self.failed.values().sum()
    }

    /// Requests that are accounted for; the same number as `scheduled`, or there is a bug.
    pub fn accounted(&self) -> u64 {
        self.completed + self.failures() + self.timed_out + self.shed + self.in_flight
    }

    /// Completed requests per second of the window.
    pub fn throughput(&self) -> f64 {
        if self.seconds > 0.0 {
            self.completed as f64 / self.seconds
        } else {
            0.0
        }
    }
}

/// The limits that a request may exceed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
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
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NamedFacts {
    /// The name.
    pub name: String,
    /// Answered rightly, in the window or in the drain.
    pub completed: u64,
    /// Answered wrongly or not at all.
    pub failed: u64,
    /// From the due time to the last byte, of both that completed and that timed out.
    pub response: Distribution,
}

/// One of the plan's own checks on answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Slow {
    /// Since the window opened, when it fell due.
    pub due: f64,
    /// From the due time until it could be sent: a connection was free and open.
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

/// What the kernel says of a TCP connection (`struct tcp_info`, tcp(7)).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
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

/// One slice of the measured window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// End of the slice, seconds since the window opened.
    pub until: f64,
    /// Requests completed in it.
    pub completed: u64,
}

/// The load that was applied and thrown away before measuring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WarmUp {
    /// Requests answered.
    pub requests: u64,
    /// Requests that failed or timed out; a warm-up that only fails is a doubt.
    pub failed: u64,
    /// Seconds it took.
    pub seconds: f64,
}

/// Bodies compared with the expected one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BodyCheck {
    /// How many answers were compared.
    pub compared: u64,
    /// The start of the first wrong answer, for the reader.
    pub example: Option<String>,
}

/// What the load engine itself cost, so that nobody takes its limits for the server's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EngineCost {
    /// Worker threads.
    pub threads: u32,
    /// CPU seconds of all worker threads in user mode.
    pub cpu_user: f64,
    /// CPU seconds of all worker threads in the kernel.
    pub cpu_system: f64,
    /// Busy share (0 to 1) of the busiest worker thread.
    pub busiest: f64,
}

impl EngineCost {
    /// CPU seconds in both modes.
    pub fn cpu(&self) -> f64 {
        self.cpu_user + self.cpu_system
    }
}
