use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{Distribution, Host, Others};

/// What this machine lets the load engine do against a server that does next to nothing.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Calibration {
    /// When it was measured.
    pub measured: Timestamp,
    /// weir's own version.
    pub weir: String,
    /// The machine.
    pub host: Host,
    /// Closed loops at full speed, one after the other, each by one thread.
    #[serde(alias = "paces")]
    pub closed_loops: Vec<ClosedLoop>,
    /// The same over `io_uring`, each after its neighbour; none where the kernel has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ring: Vec<ClosedLoop>,
    /// Both event loops over other numbers of connections; none where the kernel has no `io_uring`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub races: Vec<Race>,
    /// Keep-alive connections of each closed loop.
    pub connections: u32,
    /// Requests per second of the quiet open loop, whose times follow.
    pub rate: f64,
    /// From the due time to the last byte: what this machine adds to any server's own time.
    pub response: Distribution,
    /// How late the kernel woke the engine, of those requests that fell due while it slept.
    pub woken: Distribution,
    /// How late the engine itself was.
    pub lateness: Distribution,
    /// What other programs took of the machine meanwhile; absent where the system does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub others: Option<Others>,
}

/// The engine's event loops in turn over so many connections, window by window.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Race {
    /// Keep-alive connections of the one thread.
    pub connections: u32,
    /// Windows over epoll.
    pub poll: Vec<ClosedLoop>,
    /// Windows over `io_uring`, each after its neighbour.
    pub ring: Vec<ClosedLoop>,
}

/// One closed loop at full speed.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct ClosedLoop {
    /// Answers per second.
    pub throughput: f64,
    /// CPU seconds of the engine's thread per answer.
    pub cpu_per_request: f64,
    /// Busy share (0 to 1) of that thread.
    pub busy: f64,
}
