//! What the machine did while a load ran.

use serde::{Deserialize, Serialize};

/// What TCP sent, and what it had to do again or to turn away, while a load ran: of every connection of a network
/// namespace. In a namespace of the trial's own these are the connections of its load and its stack, and no others; in
/// the machine's they are whatever runs there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct NetworkFacts {
    /// Segments sent (`Tcp: OutSegs`).
    pub segments: u64,
    /// Segments retransmitted (`Tcp: RetransSegs`).
    #[serde(alias = "sent_again")]
    pub retransmitted: u64,
    /// Connections that met a full accept queue (`TcpExt: ListenOverflows`).
    pub queue_full: u64,
    /// Attempts to connect that a listener dropped, for its full accept queue or for another reason (`TcpExt: ListenDrops`).
    #[serde(default)]
    pub dropped: u64,
    /// Connections that were opened (`Tcp: ActiveOpens`).
    #[serde(default)]
    pub opened: u64,
    /// Acknowledgements that were delayed (`TcpExt: DelayedACKs`).
    #[serde(default)]
    pub delayed: u64,
    /// Segments that reset a connection or refused one (`Tcp: OutRsts`).
    #[serde(default)]
    pub resets: u64,
    /// Requests to open a connection that were sent again (`TcpExt: TCPSynRetrans`): nobody had answered for a second and more.
    #[serde(default)]
    pub syn_retries: u64,
    /// Bytes sent in packets, with the headers of IP and TCP (`IpExt: OutOctets` and `Ip6OutOctets`). Over loopback what
    /// is sent is received, and counts once.
    #[serde(default)]
    pub bytes: u64,
    /// Whether the namespace was the trial's own: the counts are exact.
    #[serde(default)]
    pub own: bool,
}

impl NetworkFacts {
    /// Both counts together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        self.each(other, u64::saturating_add)
    }

    /// What came to these counts since earlier ones.
    #[must_use]
    pub fn since(self, earlier: Self) -> Self {
        self.each(earlier, u64::saturating_sub)
    }

    fn each(self, other: Self, of: fn(u64, u64) -> u64) -> Self {
        Self {
            segments: of(self.segments, other.segments),
            retransmitted: of(self.retransmitted, other.retransmitted),
            queue_full: of(self.queue_full, other.queue_full),
            dropped: of(self.dropped, other.dropped),
            opened: of(self.opened, other.opened),
            delayed: of(self.delayed, other.delayed),
            resets: of(self.resets, other.resets),
            syn_retries: of(self.syn_retries, other.syn_retries),
            bytes: of(self.bytes, other.bytes),
            own: self.own,
        }
    }
}

/// What the hypervisor took of the machine's CPU time while a load ran, from the opening of the window to
/// the end of the drain after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Stolen {
    /// Share of the CPU time of all processors, 0 to 1.
    pub share: f64,
    /// Seconds of one processor.
    pub seconds: f64,
}

/// What programs of the machine, whoever's, waited for while a load ran, from the opening of the window to the end of the
/// drain after it, and what memory had to be brought back. In a container the kernel may tell of all the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Pressure {
    /// Seconds in which some program waited for memory, to be freed or to be read back; absent where the kernel keeps no
    /// such account (pressure stall information, `some`), as for the next two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<f64>,
    /// Seconds in which some program waited for storage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub storage: Option<f64>,
    /// Seconds in which some program could have run and had no core.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<f64>,
    /// Pages that were written to swap or read from it.
    pub swapped: u64,
    /// Pages that were read from storage as a program touched them.
    pub major_faults: u64,
}

/// How fast the clock of the fastest processor ran while a load ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct ClockFacts {
    /// Hz, the least that was seen.
    pub slowest: f64,
    /// Hz, the most that was seen.
    pub fastest: f64,
    /// How often processors were slowed down against heat.
    pub slowed: u64,
}

/// When weir itself stood still while a load ran, from the opening of the window to the end of the drain
/// after it: it was stopped (Ctrl-Z, `SIGSTOP`), the machine was suspended, or no core was free for it.
/// Stretches of 0.1 s and more are kept; less than that is a scheduler's ordinary turn.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct PauseFacts {
    /// Longest stretch, in seconds.
    pub longest: f64,
    /// All stretches together, in seconds.
    pub total: f64,
    /// Of `total`, the seconds for which the whole machine was suspended (`CLOCK_BOOTTIME` went on,
    /// `CLOCK_MONOTONIC` did not). No other time of a load has them in it.
    pub suspended: f64,
    /// The longest stretches on the monotonic clock, at most 16, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stretches: Vec<Pause>,
}

/// A stretch of time in which weir stood still, in seconds since the window opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Pause {
    /// When it should have gone on.
    pub from: f64,
    /// When it did.
    pub until: f64,
}

impl PauseFacts {
    /// Most stretches that are kept.
    pub const KEPT: usize = 16;

    /// Adds those of a later window, which began so many seconds after this one. Of all stretches the longest stay.
    pub fn follow(&mut self, later: Self, after: f64) {
        self.longest = self.longest.max(later.longest);
        self.total += later.total;
        self.suspended += later.suspended;
        let stretches = later.stretches.into_iter();
        self.stretches.extend(stretches.map(|pause| Pause {
            from: pause.from + after,
            until: pause.until + after,
        }));
        while self.stretches.len() > Self::KEPT {
            let length = |pause: &Pause| pause.until - pause.from;
            let all = self.stretches.iter().enumerate();
            let shortest = all.min_by(|(_, one), (_, other)| length(one).total_cmp(&length(other)));
            let Some((shortest, _)) = shortest else { break };
            self.stretches.remove(shortest);
        }
    }

    /// Seconds of the kept stretches that lie between two moments, in seconds since the window opened.
    pub fn between(&self, from: f64, until: f64) -> f64 {
        let parts = self.stretches.iter();
        let parts = parts.map(|of| (of.until.min(until) - of.from.max(from)).max(0.0));
        parts.sum()
    }
}
