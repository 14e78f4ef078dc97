use std::sync::{Arc, Mutex, PoisonError};

use record::{Distribution, Moment};

use crate::clock::seconds;

/// What a load tells while it runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// How far the warm-up is.
    WarmUp(Tick),
    /// The measured window is about to open; the workers wait until the callback returns.
    Opened(Moment),
    /// How far the measured window is.
    Tick(Tick),
    /// Half way between two ticks of the window: a moment to look at what else happens. Figures of the load would cost more
    /// to add up than such a look.
    Look,
    /// A slice of the window is over, what was in flight has been waited for, and it is others' turn. A tick follows.
    Paused(Moment),
    /// The next slice is about to begin.
    Resumed(Moment),
    /// The window is over, what was in flight has been waited for, and the workers are idle: how it ended, with the
    /// response times that no tick has told.
    Closed(Tick),
}

/// A look at a running phase.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tick {
    /// When that was.
    pub at: Moment,
    /// Seconds since the phase began.
    pub elapsed: f64,
    /// Seconds of the phase that its counts and times are about: workers tell theirs a few times per second, each at a moment of
    /// its own, and this is the mean of these.
    pub reached: f64,
    /// Requests answered correctly in this phase.
    pub completed: u64,
    /// Requests that the phase is to make, when it goes by count.
    pub of: Option<u64>,
    /// Requests answered correctly per second since the tick before.
    pub rate: f64,
    /// Median of the response time since the tick before, in seconds.
    pub p50: Option<f64>,
    /// 99th percentile of the response time since the tick before, in seconds; `None` when nothing
    /// was answered.
    pub p99: Option<f64>,
    /// Requests that failed or timed out in this phase.
    pub failed: u64,
    /// Requests that fell due per second since the tick before (open loop).
    pub offered: Option<f64>,
    /// Seconds until the window closes, when it goes by time; absent when it has closed.
    pub remaining: Option<f64>,
    /// Seconds that what is in flight is still waited for, unless an answer comes; absent while the
    /// window is open.
    pub draining: Option<f64>,
    /// Seconds for which the phase was open, once it has closed.
    pub lasted: Option<f64>,
    /// Requests sent and not yet answered, or due and waiting for a connection.
    pub in_flight: u64,
    /// Users of a script that sleep before their next request.
    pub asleep: u64,
    /// Connections that are open.
    pub connections: u64,
    /// 99th percentile of how late the engine itself sent requests since the tick before, in seconds.
    pub late: Option<f64>,
    /// Busy share (0 to 1) of the engine's busiest thread since it told the last time.
    pub busy: f64,
    /// Response times since the tick before.
    pub recent: Arc<Distribution>,
}

/// Figures that a worker publishes a few times per second.
#[derive(Clone, Debug, Default)]
pub(crate) struct Figures {
    /// Until when they reach, nanoseconds of the engine's clock.
    pub(crate) until: u64,
    /// Fell due so far, those that wait and those that were dropped among them.
    pub(crate) scheduled: u64,
    pub(crate) completed: u64,
    pub(crate) failed: u64,
    /// Requests that failed in a way that lets nobody hope.
    pub(crate) hopeless: u64,
    pub(crate) timed_out: u64,
    pub(crate) in_flight: u64,
    /// Users of a script that sleep before their next request.
    pub(crate) asleep: u64,
    /// Connections that are open.
    pub(crate) connections: u64,
    /// Whether its window has closed.
    pub(crate) closed: bool,
    /// When it did, nanoseconds of the engine's clock.
    pub(crate) closed_at: u64,
    /// When it gives up what is in flight, nanoseconds of the engine's clock.
    pub(crate) drained_by: u64,
    /// Of one worker, or of the busiest.
    pub(crate) busy: f64,
    /// All response times of the phase.
    pub(crate) response: Distribution,
    /// How late it sent, of all requests of the phase.
    pub(crate) lateness: Distribution,
}

impl Figures {
    /// Seconds from the begin of the phase until when the figures of so many workers together reach.
    pub(crate) fn reached(&self, start: u64, workers: usize) -> f64 {
        let until = self.until / (workers.max(1) as u64);
        seconds(until.saturating_sub(start))
    }

    /// Seconds from the begin of the phase until it closed.
    pub(crate) fn lasted(&self, start: u64) -> Option<f64> {
        let length = self.closed_at.saturating_sub(start);
        self.closed.then(|| seconds(length))
    }
}

/// Where a worker leaves its figures and the caller's thread finds them.
#[derive(Debug, Default)]
pub(crate) struct LiveStats(Mutex<Figures>);

impl LiveStats {
    /// Lets a worker write its figures over the last ones, in their memory.
    pub(crate) fn publish(&self, write: impl FnOnce(&mut Figures)) {
        write(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }

    pub(crate) fn add_to(&self, sum: &mut Figures) {
        let figures = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sum.until += figures.until;
        sum.scheduled += figures.scheduled;
        sum.completed += figures.completed;
        sum.failed += figures.failed;
        sum.hopeless += figures.hopeless;
        sum.timed_out += figures.timed_out;
        sum.in_flight += figures.in_flight;
        sum.asleep += figures.asleep;
        sum.connections += figures.connections;
        sum.closed &= figures.closed;
        sum.closed_at = sum.closed_at.max(figures.closed_at);
        if figures.in_flight > 0 {
            sum.drained_by = sum.drained_by.max(figures.drained_by);
        }
        sum.busy = sum.busy.max(figures.busy);
        sum.response.merge(&figures.response);
        sum.lateness.merge(&figures.lateness);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_reach_to_the_mean_moment_at_which_they_were_told() {
        let mut sum = Figures::default();
        for until in [2_800_000_000, 3_000_000_000] {
            let live = LiveStats::default();
            live.publish(|figures| figures.until = until);
            live.add_to(&mut sum);
        }
        assert!((sum.reached(1_000_000_000, 2) - 1.9).abs() < 1e-9);
        // before any worker has told something
        assert!(Figures::default().reached(1_000_000_000, 2) <= 0.0);
    }
}
