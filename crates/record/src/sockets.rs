//! What sockets looked like while a load ran.

use std::net::SocketAddr;

use serde::{Deserialize, Serialize};

/// What the TCP sockets of servers looked like, over several looks: of the stack's, and where it is not known which these are, of all
/// in weir's network namespace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct SocketFacts {
    /// How often open connections were looked at: seldom, where the kernel has so many sockets that a look takes long.
    pub looks: u32,
    /// How often accept queues were looked at. Absent in what was stored before that was counted by itself: as often as connections.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue_looks: Option<u32>,
    /// Open connections, of all looks together.
    pub open: u64,
    /// Those of them that had sent bytes which were not yet acknowledged, or had some that they could not send.
    pub unacknowledged: u64,
    /// Most connections that waited in one accept queue.
    pub waiting: u32,
}

impl SocketFacts {
    /// How often accept queues were looked at, of whatever was stored.
    pub fn looks_at_queues(&self) -> u32 {
        self.queue_looks.unwrap_or(self.looks)
    }
}

/// The accept queue of a program, over several looks. Where several of its processes listen at one address, each with a queue
/// of its own, the longest one of each look.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct QueueFacts {
    /// The program of the stack that listens (entry name); of a server that somebody else started its short name.
    pub program: String,
    /// Where: `127.0.0.1:8000`, the path of a Unix socket, or `@` and a name that is in no folder.
    pub address: String,
    /// Most connections that waited in it.
    pub waiting: u32,
    /// Connections that it is meant for, as the kernel has it. Linux lets one more wait.
    pub room: u32,
    /// Looks in which it had no place left.
    pub full: u32,
    /// Attempts to connect that its listeners turned away, as the kernel counts them for each: the queue was full, or too many
    /// connections were being opened. Absent over Unix sockets, where the kernel does not tell, and of listeners that were gone
    /// when the load was over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dropped: Option<u64>,
    /// Requests of which the program had read nothing, of all looks together: in the queue, and over TCP on connections that it
    /// had accepted, too. Absent in what was stored before they were counted, and where nobody looked at open connections.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unread: Option<u64>,
    /// Of these the ones on connections that it had not accepted. Absent in what was stored before they were counted, and where nobody
    /// looked at open connections.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unaccepted: Option<u64>,
    /// Connections over TCP that the program had accepted and that were open, of all looks together. Absent over Unix sockets, in
    /// what was stored before they were counted, and where nobody looked at open connections.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted: Option<u64>,
}

impl QueueFacts {
    /// Looks from which on what they saw on average is told.
    pub const ENOUGH_LOOKS: u32 = 6;

    /// Whether it is of a Unix socket.
    pub fn is_unix(&self) -> bool {
        self.address.parse::<SocketAddr>().is_err()
    }
}

/// Local ports that connections to one address had, which are in use as long as a connection is open and for a minute after
/// whoever opened it has closed it.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct PortFacts {
    /// The address.
    pub to: String,
    /// Most ports that were in use to it at once.
    pub used: u32,
    /// Ports that there are for it (`net.ipv4.ip_local_port_range`).
    pub of: u32,
}

/// The TCP connections that one program of a stack had opened to another and that were open when the load was over. There are
/// none where each request has one of its own.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct JointFacts {
    /// The program that opened them (entry name).
    pub from: String,
    /// The program that they lead to.
    pub to: String,
    /// How many there were.
    pub connections: u32,
    /// What the program that opened them sent: requests.
    pub there: FlowFacts,
    /// What the other one sent: responses.
    pub back: FlowFacts,
}

/// What TCP knows of what was sent over connections, since each was opened (`TCP_INFO` of `tcp(7)`).
#[derive(Clone, Copy, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct FlowFacts {
    /// Segments with data.
    pub segments: u64,
    /// Segments that were sent again.
    pub retransmitted: u64,
    /// Seconds until a segment is acknowledged, smoothed, the mean of the connections: 40 ms on one machine is an acknowledgement
    /// that the other end delays.
    pub rtt: f64,
    /// Connections of which what was sent last was bound by the program, which had no more to send.
    pub app_limited: u32,
}
