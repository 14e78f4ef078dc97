use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    BodyCheck, Cause, CheckFacts, CrowdFacts, Distribution, DrainFacts, EngineCost, Interval,
    Moment, NamedFacts, SegmentFacts, Shape, SliceFacts, SlotTime, Slow, Spoken, Struck, Tail,
    TimeLimit, WarmUp,
};

/// What one load did and saw.
///
/// The accounting identity holds always:
/// `scheduled = completed + sum(failed) + timed_out + dropped + in_flight`.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct LoadFacts {
    /// When the measured window opened; seconds since then are counted from it. Absent in what was stored when
    /// nobody wrote that down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opened: Option<Moment>,
    /// Length of the measured window, in seconds: from the first due time to the deadline (by
    /// duration), or to the last end of a request that did not time out, and no earlier than the last
    /// request was begun (by count). From there on nothing was under way but requests that were never
    /// answered in time, and waiting for their time limit is no part of the window.
    pub seconds: f64,
    /// Requests that fell due inside the window.
    pub scheduled: u64,
    /// Answered inside the window with the expected status and body.
    pub completed: u64,
    /// Answered wrongly or not at all, by cause.
    pub failed: BTreeMap<Cause, u64>,
    /// For each cause of `failed`, what the first such request saw (an excerpt, or the system's error message).
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
    /// Times that a request was put on a connection, in the window and in the drain after it: what
    /// the server was sent, whatever became of it.
    #[serde(default)]
    pub sent: u64,
    /// Times that a request was taken to another connection because the one that it was on ended
    /// before a byte of its answer, with no fault of its own: the server had closed a kept
    /// connection (RFC 9112, section 9.3.1), refused a stream (RFC 9113, section 8.7), or another
    /// request's time limit ended it. Not among the `retries`.
    #[serde(default)]
    pub sent_again: u64,
    /// Fell due when as many requests were outstanding as the plan allows, and never sent (open loop).
    #[serde(default, alias = "shed")]
    pub dropped: u64,
    /// Sent and still unanswered, or waiting for a connection, when the window closed.
    pub in_flight: u64,
    /// How many of `in_flight` were answered in the drain that follows the window; their times are
    /// in the distributions (else the slowest would vanish), their count is not in the throughput.
    pub drained: u64,
    /// Of those `sent` the ones that kept the load up while those `in_flight` were waited for: in no other figure.
    #[serde(default)]
    pub trailed: u64,
    /// What became of the others; absent in what was stored when nobody wrote that down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drain: Option<DrainFacts>,
    /// Answers by HTTP status, wrong ones included.
    pub statuses: BTreeMap<u16, u64>,
    /// Bytes written to and read from sockets inside the window.
    pub bytes_sent: u64,
    /// See `bytes_sent`.
    pub bytes_received: u64,
    /// Connections that were to be kept open at once.
    pub connections: u32,
    /// What went over them; absent in what was stored when nobody wrote that down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spoken: Option<Spoken>,
    /// Requests that were to be under way at all times (closed loop); 0 where nothing holds their
    /// number. Absent in what was stored when that was always `connections`.
    pub kept_busy: Option<u64>,
    /// How the slots of a closed loop spent the window; absent where nothing holds the number of
    /// requests under way, and in what was stored when nobody wrote it down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slot_time: Option<SlotTime>,
    /// Connections that carried the window: opened in it (reopened ones included), or left open by
    /// the warm-up.
    pub connects: u64,
    /// From the first byte sent to the last received, per request.
    pub service: Distribution,
    /// The same of those requests only that were sent while at most half of their thread's connections
    /// were busy (open loop, threads of two connections and more): how long an answer takes when little
    /// else is asked.
    #[serde(default)]
    pub light: Distribution,
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
    /// How long turns of the engine's loops took inside the window, from the first event that a turn found to the end of the last:
    /// turns without an event are left out. A response time ends when the response is looked at, and until then it may have
    /// waited for as long as the turn took, and longer by the turn before where it arrived in that; what is done between turns is not in it.
    #[serde(default)]
    pub turns: Distribution,
    /// How long requests waited because every connection was busy, which is the server's back-pressure, or its user asleep.
    /// From the due time to a free connection, of those requests only that had to wait.
    #[serde(default)]
    pub waited: Distribution,
    /// Seconds for which users slept inside the window, summed over all connections (over all their streams, where they have
    /// several): the pauses of a script's users, and the think time of a closed loop. A connection whose user sleeps waits for
    /// no server. From 0 to `seconds` for each of them.
    #[serde(default)]
    pub asleep: f64,
    /// Seconds for which a script's users slept before requests, of the sleeps that ended inside the window: each of them whole,
    /// with its part before the window.
    #[serde(default)]
    pub slept: f64,
    /// Number of requests that these sleeps were before. A request without a sleep counts as well, but for the first one of each
    /// user: `slept` by this is how long a user sleeps before a request, on average.
    #[serde(default)]
    pub sleeps: u64,
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
    /// How the window was cut into slices, each of which had the machine to itself in turn with other loads; absent
    /// where it was whole. Its `seconds` are those of all slices together, and `opened` is the begin of the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slices: Option<SliceFacts>,
    /// Requests per second that fell due in the window (open loop).
    pub offered: Option<f64>,
    /// The stretches of a rate that changes, in order.
    #[serde(default, alias = "legs", skip_serializing_if = "Vec::is_empty")]
    pub segments: Vec<SegmentFacts>,
    /// Throughput over time, in slices of equal length.
    pub intervals: Vec<Interval>,
    /// The faults that came to pass, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub struck: Vec<Struck>,
    /// What came before the window.
    pub warm_up: WarmUp,
    /// Bodies that were looked at.
    pub bodies: BodyCheck,
    /// What generating this load cost.
    pub engine: EngineCost,
    /// Who was there beside the measured connections.
    pub crowd: Option<CrowdFacts>,
    /// How the client talked, where a program of the plan's made the requests; absent where weir did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub talk: Option<crate::Talk>,
    /// What TCP had to do again or to turn away; none where the system does not tell.
    pub network: Option<crate::NetworkFacts>,
    /// What the hypervisor took of the machine's CPU time meanwhile; absent where nobody watched it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stolen: Option<crate::Stolen>,
    /// Seconds of one processor in which threads of weir's control group (the stack's, where weir started it) had used up
    /// its CPU quota and were kept from running; absent where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub throttled: Option<f64>,
    /// What programs of the machine waited for meanwhile; absent where the system does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pressure: Option<crate::Pressure>,
    /// How fast the processors' clock ran; absent where the system does not tell, as in most virtual machines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<crate::ClockFacts>,
    /// What a profiler saw; absent where none was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<crate::ProfileFacts>,
    /// When no response came on any connection for 0.1 s or more; absent where nobody watched it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub silent: Option<crate::PauseFacts>,
    /// Its last requests, where they lowered the throughput; absent of a window by time, in which there is more to send until
    /// its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tail: Option<Tail>,
    /// When weir itself stood still meanwhile; absent where nobody watched it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paused: Option<crate::PauseFacts>,
}

impl LoadFacts {
    /// All failures, without those that timed out.
    pub fn failures(&self) -> u64 {
        self.failed.values().sum()
    }

    /// Requests that are accounted for; the same number as `scheduled`, or there is a bug.
    pub fn accounted(&self) -> u64 {
        self.completed + self.failures() + self.timed_out + self.dropped + self.in_flight
    }

    /// Requests in flight at the end of the window that were never answered.
    pub fn unanswered(&self) -> u64 {
        self.drain.as_ref().map_or(0, |drain| drain.unanswered)
    }

    /// Requests that got no correct response: those that failed or timed out, in the window or in the drain after it. Of
    /// those that were still under way when nobody waited any longer a closed loop's count: they took longer than any that was
    /// answered, unless the load was interrupted or the plan sets how long is waited. Those of an open loop may wait in a queue
    /// that moves.
    pub fn lost(&self) -> u64 {
        let drain = self.drain.as_ref().map_or(0, |drain| {
            let let_go = drain.interrupted || drain.fixed || self.shape.is_open();
            let cut_off = if let_go { drain.cut_off } else { 0 };
            drain.unanswered.saturating_sub(cut_off) + drain.wrong_answers()
        });
        self.failures() + self.timed_out + drain
    }

    /// The share of what fell due that got no correct response, 0 to 1: see `lost`. `None` when nothing fell due.
    pub fn error_share(&self) -> Option<f64> {
        self.share(self.lost())
    }

    /// So many, for each request that fell due; `None` when none did.
    pub fn share(&self, of: u64) -> Option<f64> {
        (self.scheduled > 0).then(|| of as f64 / self.scheduled as f64)
    }

    /// Of the requests that a server was given between the begin of the window and its end, drain included, the share
    /// that is in the figures, 0 to 1: all of them, unless load led in to slices or went on after the window.
    pub fn counted_share(&self) -> f64 {
        let led = self.slices.map_or(0, |slices| slices.led);
        let all = self.scheduled + led + self.trailed;
        if all > 0 {
            self.scheduled as f64 / all as f64
        } else {
            1.0
        }
    }

    /// Seconds over which processes were watched, the window and the drain after it, less those in which they were busy with
    /// what is in no figure, as their CPU time is without it.
    pub fn watched(&self) -> f64 {
        let drain = self.drain.as_ref().map_or(0.0, |drain| drain.seconds);
        let uncounted = self.trailed as f64 / (self.scheduled + self.trailed).max(1) as f64;
        (self.seconds + drain) * (1.0 - uncounted)
    }

    /// What the kernel counted over the window and its drain, for each response in the figures; `None` without one.
    pub fn per_response(&self, counted: u64) -> Option<f64> {
        let responses = self.completed + self.drained;
        (responses > 0).then(|| counted as f64 * self.counted_share() / responses as f64)
    }

    /// Requests that no connection was there for, whatever the way in which it was denied: a full accept
    /// queue refuses on a Unix socket, and over TCP keeps silent until the client gives up.
    pub fn unconnected(&self) -> u64 {
        let denied = Cause::UNCONNECTED.iter();
        let denied = denied.filter_map(|cause| self.failed.get(cause));
        let silent = self.time_limits.get(&TimeLimit::Connect);
        denied.chain(silent).sum()
    }

    /// What was achieved of the offered rate, as a share: the requests that were answered rightly in the window, and those
    /// that were on a connection at its end and were answered then. A request that falls due at the end of a window cannot
    /// be answered in it, and one that waits there for a connection is late. `None` for a closed loop.
    pub fn achieved(&self) -> Option<f64> {
        let offered = self.offered.filter(|offered| *offered > 0.0)?;
        let on_time = self.drained.min(self.slots());
        let answered = (self.completed + on_time) as f64;
        (self.seconds > 0.0).then(|| answered / self.seconds / offered)
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
