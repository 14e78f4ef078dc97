//! How a worker's window closes, and what becomes of the requests that are under way then.

use wire::Session;

use super::Worker;
use super::slot::Doing;
use crate::clock::{ThreadCost, seconds};
use crate::drain::{Drain, Patience};
use crate::schedule::{Rest, Schedule};

impl<S: Session> Worker<'_, S> {
    /// Nobody is left to think of a request: what fell due and was not begun never will be.
    #[cold]
    pub(super) fn cut_short(&mut self, now: u64) {
        if !self.draining {
            self.close_window(now);
        }
        self.abandon_waiting(now);
    }

    pub(super) fn close_window(&mut self, now: u64) {
        self.draining = true;
        self.opens = u64::MAX;
        self.closed_at = now;
        self.begin_no_more(now);
        let rest = if self.trails {
            Rest::default()
        } else {
            self.schedule.close(now)
        };
        let waiting = rest.waiting + self.leave_asleep(now);
        let busy = self.slots.iter().filter(|slot| slot.is_busy()).count() as u64;
        let recorder = &mut self.recorder;
        recorder.facts.in_flight = busy + waiting;
        recorder.facts.scheduled += waiting + rest.dropped;
        recorder.facts.dropped = rest.dropped;
        recorder.last_due = rest.last;
        recorder.closed = now;
        recorder.silence.heard(now);
        recorder.slots.thought = rest.thought;
        recorder.facts.asleep += seconds(rest.thought);
        for &since in &rest.dry {
            recorder.slots.dry(since, 1);
        }
        recorder.slots.close(now);
        recorder.cost = ThreadCost::now(self.busy_waited).since(self.cost);
        recorder.busiest = recorder.cost.total();
        let longest = recorder.longest();
        self.drain = if self.trails {
            Drain::behind(self.patience, now, longest)
        } else {
            Drain::begin(self.patience, recorder.start, now, longest)
        };
        self.set_moment();
    }

    /// Users that sleep as the window closes go on with the requests that wait for them: their own, where these have waited for
    /// longer than they sleep; else what each of them was to send next is sent for one that waits. The others have nothing
    /// to wake up for. Returns how many go on with their own.
    fn leave_asleep(&mut self, now: u64) -> u64 {
        let mut own = 0;
        for at in 0..self.slots.len() {
            let slot = &self.slots[at];
            let (paused, sleep) = (slot.paused, slot.sleep);
            let is_due = slot.flight.due <= now;
            match slot.doing {
                Doing::Delaying => {
                    self.recorder.facts.asleep += seconds(now.saturating_sub(paused));
                    if self.trails || self.source.is_over() {
                        self.leave_resting(at);
                    } else if is_due {
                        own += 1;
                    } else if let Some(due) = self.next_due(now) {
                        self.slots[at].flight.due = due.min(paused) + sleep;
                    } else {
                        self.leave_resting(at);
                    }
                }
                Doing::Pausing => self.recorder.slots.paused(paused, now, now),
                _ => {}
            }
        }
        own
    }

    /// Nobody waits for what a user was to send after its sleep.
    fn leave_resting(&mut self, at: usize) {
        self.slots[at].doing = Doing::Resting;
        self.active -= 1;
        self.sleeping -= 1;
    }

    /// Load goes on as long as requests of the window are under way and answered: a server may make those wait for as long as
    /// it is busy with others, or for longer where nobody asks for anything any more.
    #[cold]
    pub(super) fn look_behind(&mut self, now: u64) {
        let settled = self.recorder.owed() == 0;
        if !settled && !self.drain.is_over(now) {
            return;
        }
        self.trails = false;
        self.schedule = Schedule::Over;
        for at in 0..self.slots.len() {
            if self.slots[at].doing == Doing::Delaying {
                self.leave_resting(at);
            }
        }
        if settled {
            self.settled_at = Some(now);
            self.patience = Patience::Warm; // for what is in no figure
        } else if matches!(self.patience, Patience::Fixed(_)) {
            return;
        }
        let recorder = &self.recorder;
        self.drain = Drain::begin(self.patience, recorder.start, now, recorder.longest());
    }

    /// Nobody waits any longer. What is still under way is kept as at least that long, and its
    /// connections are closed: an answer that comes later belongs to no request.
    #[cold]
    pub(super) fn cut_off(&mut self, now: u64) {
        for at in 0..self.slots.len() {
            let slot = &self.slots[at];
            let sleeps = slot.doing == Doing::Delaying;
            let waits = sleeps || slot.is_busy();
            if slot.flight.beyond || !waits {
                continue;
            }
            if sleeps && slot.flight.due > now {
                self.recorder.cut_off += 1; // it has not waited for longer than its user sleeps
                continue;
            }
            self.recorder.cut_off(&slot.flight, now);
            let response = now.saturating_sub(slot.flight.due);
            if self.recorder.slowest.admits(response) {
                self.keep_slow(at, now);
            }
        }
        self.abandon_waiting(now);
        for c in 0..self.links.len() {
            let slots = self.slots_of(c);
            let idle = |doing| matches!(doing, Doing::Resting | Doing::Asleep);
            if slots.clone().all(|at| idle(self.slots[at].doing)) {
                continue;
            }
            self.drop_socket(c);
            self.links[c].queued.clear();
            for at in slots {
                self.slots[at].doing = Doing::Resting;
            }
        }
        (self.active, self.sleeping) = (0, 0);
    }

    fn abandon_waiting(&mut self, now: u64) {
        for due in self.schedule.abandon() {
            self.recorder.never_sent(due, now);
        }
        self.schedule = Schedule::Over;
    }
}
