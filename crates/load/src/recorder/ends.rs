//! How requests end without a correct response.

use std::collections::BTreeMap;

use record::{Cause, DrainFacts, PauseFacts, Tail, TimeLimit};

use super::Recorder;
use crate::clock::{nanoseconds, seconds};
use crate::flight::Flight;

impl Recorder {
    pub(crate) fn timed_out(
        &mut self,
        flight: &Flight,
        limit: TimeLimit,
        now: u64,
        in_drain: bool,
    ) {
        self.exceeded(limit, flight.due, in_drain);
        self.at_least(flight, now);
    }

    fn exceeded(&mut self, limit: TimeLimit, due: u64, in_drain: bool) {
        if in_drain {
            self.timed_out_in_drain += 1;
            return;
        }
        self.facts.timed_out += 1;
        self.segments.failed(due);
        *self.facts.time_limits.entry(limit).or_default() += 1;
    }

    /// Still under way when nobody waits any longer.
    pub(crate) fn cut_off(&mut self, flight: &Flight, now: u64) {
        self.cut_off += 1;
        self.at_least(flight, now);
    }

    /// Its time so far is a lower bound, and is kept as such.
    fn at_least(&mut self, flight: &Flight, now: u64) {
        self.slots.kept(flight.due, now, self.worked_until());
        self.slots.before(flight.before);
        self.facts.response.record(now - flight.due);
        self.segments.took(flight.due, now - flight.due);
        if let Some(named) = self.named.get_mut(flight.name as usize) {
            named.ends.failed += 1;
            named.ends.response.record(now - flight.due);
        }
        if flight.sent > 0 {
            // of several that time out in one turn, the first one may have had this one sent again since `now`
            self.facts.service.record(now.saturating_sub(flight.sent));
            let first_byte = Some(flight.first_byte).filter(|at| *at > 0).unwrap_or(now);
            let first_byte = first_byte.saturating_sub(flight.sent);
            self.facts.first_byte.record(first_byte);
        }
    }

    /// Waited for a connection beyond its time limit, and was never sent.
    pub(crate) fn gave_up(&mut self, due: u64, limit: u64, in_drain: bool) {
        self.facts.scheduled += u64::from(!in_drain);
        self.exceeded(TimeLimit::Whole, due, in_drain);
        self.unsent(due, limit);
    }

    /// Still waited for a connection when nobody waited any longer.
    pub(crate) fn never_sent(&mut self, due: u64, now: u64) {
        self.cut_off += 1;
        self.slots.kept(due, now, self.worked_until());
        let waited = now.saturating_sub(due);
        self.facts.waited.record(waited);
        self.unsent(due, waited);
    }

    /// It had no connection for so long: that is its response time so far.
    fn unsent(&mut self, due: u64, waited: u64) {
        self.facts.response.record(waited);
        self.segments.took(due, waited);
        if self.slowest.admits(waited) {
            self.slowest.keep_unsent(due, waited, self.start);
        }
    }

    pub(crate) fn failed(&mut self, flight: &Flight, cause: Cause, now: u64, in_drain: bool) {
        if in_drain {
            *self.failed_in_drain.entry(cause).or_default() += 1;
            if is_loss(cause) {
                self.at_least(flight, now);
                return;
            }
            self.slots.failed(flight.due + flight.before, self.closed);
        } else {
            self.last = now;
            self.silence.heard(now);
            self.segments.failed(flight.due);
            self.slots.failed(flight.due + flight.before, now);
            *self.facts.failed.entry(cause).or_default() += 1;
        }
        if let Some(named) = self.named.get_mut(flight.name as usize) {
            named.ends.failed += 1;
            if flight.is_answered() {
                named.answered(flight.progress.status, 1);
            }
        }
    }

    /// Requests that came to an end without a correct response inside the window.
    pub(crate) fn unanswered(&self) -> u64 {
        self.facts.failed.values().sum::<u64>() + self.facts.timed_out
    }

    /// Of those, the ones that let nobody hope. A full accept queue does: the server is busy.
    pub(crate) fn hopeless(&self) -> u64 {
        self.unanswered() - self.facts.failed.get(&Cause::Backlog).copied().unwrap_or(0)
    }

    /// Requests that were in flight at the end of the window and never answered correctly.
    pub(crate) fn lost_in_drain(&self) -> u64 {
        self.timed_out_in_drain + self.cut_off + self.failed_in_drain.values().sum::<u64>()
    }

    /// Requests that were in flight at the end of the window and have not come to an end yet.
    pub(crate) fn owed(&self) -> u64 {
        let ended = self.facts.drained + self.lost_in_drain();
        self.facts.in_flight.saturating_sub(ended)
    }

    /// Nanoseconds of its longest response; 0 without one.
    pub(crate) fn longest(&self) -> u64 {
        self.facts.response.max().map_or(0, nanoseconds)
    }

    /// When the last request was begun, or the last one ended that did not time out, whichever is
    /// later. From then on nothing is under way but what will time out.
    pub(crate) fn worked_until(&self) -> u64 {
        self.last.max(self.begun).max(self.last_due)
    }

    /// When no response came on any connection, in a window that ended at `end`: as long as each had a request.
    pub(crate) fn silent(&self, end: u64) -> PauseFacts {
        self.silence.told(end.min(self.slots.busy_until()))
    }

    /// The last requests of a window by count that ended at `end`, where they lowered its throughput.
    pub(crate) fn tail(&self, end: u64) -> Option<Tail> {
        let wrong: u64 = self.facts.failed.values().sum();
        self.slots.tail(end, self.facts.completed + wrong)
    }

    /// What became of those in flight that were not answered correctly.
    pub(crate) fn drain(&self) -> DrainFacts {
        let causes = |lost: bool| -> BTreeMap<Cause, u64> {
            let all = self.failed_in_drain.iter();
            all.filter(|(cause, _)| is_loss(**cause) == lost)
                .map(|(cause, count)| (*cause, *count))
                .collect()
        };
        let lost = causes(true);
        let waited = self.drained_until.saturating_sub(self.closed);
        DrainFacts {
            seconds: if self.facts.in_flight > 0 {
                seconds(waited)
            } else {
                0.0
            },
            wrong: causes(false),
            unanswered: self.timed_out_in_drain + self.cut_off + lost.values().sum::<u64>(),
            lost,
            cut_off: self.cut_off,
            interrupted: false,
            fixed: false,
        }
    }
}

/// Whether a request that failed so has no answer, though it was asked.
fn is_loss(cause: Cause) -> bool {
    !cause.is_answer() && cause != Cause::Unasked
}
