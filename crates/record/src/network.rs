use serde::{Deserialize, Serialize};

/// What TCP had to do again or to turn away while a load ran, in weir's own network namespace: of every
/// connection there, not of the load's alone. Listening sockets of other machines count there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NetworkFacts {
    /// Segments sent (`Tcp: OutSegs`).
    pub segments: u64,
    /// Segments retransmitted (`Tcp: RetransSegs`).
    #[serde(alias = "sent_again")]
    pub retransmitted: u64,
    /// Connections that met a full accept queue (`TcpExt: ListenOverflows`).
    pub queue_full: u64,
}

impl NetworkFacts {
    /// What came to these counts since earlier ones.
    #[must_use]
    pub fn since(self, earlier: Self) -> Self {
        Self {
            segments: self.segments.saturating_sub(earlier.segments),
            retransmitted: self.retransmitted.saturating_sub(earlier.retransmitted),
            queue_full: self.queue_full.saturating_sub(earlier.queue_full),
        }
    }
}
