//! What a worker publishes while it works.

use wire::Session;

use super::Worker;
use crate::clock::{ThreadCost, seconds};

/// When a worker published its figures last, and what CPU time it had had by then, in seconds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Published {
    at: u64,
    cpu: f64,
    busy: f64,
}

impl Published {
    pub(super) fn at(start: u64, busy_waited: u64) -> Self {
        Self {
            at: start,
            cpu: worked(busy_waited),
            busy: 0.0,
        }
    }

    /// Busy share since then; that of before where no time has passed.
    fn until(self, now: u64, busy_waited: u64) -> Self {
        let (passed, cpu) = (seconds(now.saturating_sub(self.at)), worked(busy_waited));
        if passed <= 0.0 {
            return self;
        }
        Self {
            at: now,
            cpu,
            busy: ((cpu - self.cpu) / passed).clamp(0.0, 1.0),
        }
    }
}

/// CPU seconds of this thread so far, but for so many nanoseconds of busy waiting.
fn worked(busy_waited: u64) -> f64 {
    ThreadCost::cpu() - seconds(busy_waited)
}

impl<S: Session> Worker<'_, S> {
    /// Leaves the figures so far where the caller's thread finds them.
    pub(super) fn publish(&mut self, now: u64) {
        self.published = self.published.until(now, self.busy_waited);
        // With every connection busy nobody has looked at what fell due.
        if self.idle.is_empty() {
            self.schedule.admit(now.min(self.end));
        }
        let (waiting, dropped) = self.schedule.held_back(now);
        let in_flight = if self.draining {
            self.recorder.owed()
        } else {
            let busy = self.slots.iter().filter(|slot| slot.is_busy());
            busy.count() as u64 + waiting
        };
        let recorder = &self.recorder;
        self.live.publish(|figures| {
            figures.until = now;
            figures.scheduled = recorder.facts.scheduled + waiting + dropped;
            figures.completed = recorder.facts.completed;
            figures.failed = recorder.unanswered();
            figures.hopeless = recorder.hopeless();
            figures.timed_out = recorder.facts.timed_out;
            figures.in_flight = in_flight;
            figures.asleep = self.sleeping as u64;
            figures.connections = self.open;
            figures.busy = self.published.busy;
            (figures.closed, figures.drained_by) = (self.draining, self.drain.until);
            figures.closed_at = recorder.closed;
            figures.response.clone_from(&recorder.facts.response);
            figures.lateness.clone_from(&recorder.facts.lateness);
        });
    }
}
