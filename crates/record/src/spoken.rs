use serde::{Deserialize, Serialize};

use crate::Protocol;

/// What goes over a load's connections.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Spoken {
    /// The protocol.
    pub protocol: Protocol,
    /// Whether it is spoken over TLS.
    pub tls: bool,
    /// Whether connections are kept open from one request to the next.
    pub keep_alive: bool,
    /// Most requests under way on a connection: streams, or pipelined requests.
    pub streams: u32,
    /// Requests after which the clients themselves close a connection, if they do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_connection: Option<u32>,
}
