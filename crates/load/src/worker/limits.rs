//! What a worker's requests do when time is up, and when they are tried again.

use record::{Cause, TimeLimit};
use wire::Session;

use super::Worker;
use super::slot::Doing;
use crate::clock::seconds;

/// The time that clients allow, in nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// From the due time.
    pub(crate) whole: u64,
    pub(crate) connect: Option<u64>,
    pub(crate) first_byte: Option<u64>,
    /// Of one try.
    pub(crate) attempt: Option<u64>,
    /// The shortest of them: no limit is exceeded sooner after something has begun.
    pub(crate) shortest: u64,
}

/// Which limit ends a request first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Limit {
    Of(TimeLimit),
    Attempt,
}

impl<S: Session> Worker<'_, S> {
    /// Makes sure that a slot is looked at before any limit of its request can be exceeded.
    #[inline]
    pub(super) fn limit(&mut self, at: usize) {
        let slot = &mut self.slots[at];
        let moment = slot.flight.due + self.config.limits.shortest;
        // that of a former request comes too late where a user slept for longer before that one
        if moment < slot.limited {
            slot.limited = moment;
            self.deadlines.set(moment, at);
        }
    }

    /// Handles the time limits and pauses that are over.
    pub(super) fn ring(&mut self, now: u64) {
        self.look(now);
        while let Some(at) = self.pauses.take(now) {
            match self.slots[at].doing {
                Doing::Pausing => {
                    self.pause_over(at, now);
                    self.next(at, now);
                }
                // the alarm was a former request's: its own is still to come
                Doing::Delaying if self.slots[at].flight.ready > now => {}
                Doing::Delaying => {
                    let flight = &self.slots[at].flight;
                    let (due, woke) = (flight.due, flight.ready);
                    self.slept(at, woke);
                    self.carry(at, due, now);
                }
                Doing::BackingOff => self.try_again(at, now),
                _ => {} // a former request's as well
            }
        }
        while let Some(at) = self.deadlines.take(now) {
            if self.slots[at].limited > now {
                continue; // the alarm was a former request's
            }
            self.slots[at].limited = u64::MAX;
            let Some((deadline, limit)) = self.deadline(at) else {
                continue;
            };
            if deadline <= now {
                let over = now >= self.slots[at].flight.due + self.config.limits.whole;
                // a further try would be given up as soon as it is sent
                let limit = match limit {
                    Limit::Attempt if over => Limit::Of(TimeLimit::Whole),
                    limit => limit,
                };
                self.exceeded(at, limit, now);
            } else {
                let moment = deadline.min(now + self.config.limits.shortest);
                self.slots[at].limited = moment;
                self.deadlines.set(moment, at);
            }
        }
        self.wake(now);
    }

    fn pause_over(&mut self, at: usize, now: u64) {
        if !self.draining {
            let recorder = &mut self.recorder;
            let sure = recorder.worked_until();
            recorder.slots.paused(self.slots[at].paused, now, sure);
        }
    }

    /// A user has slept until then.
    fn slept(&mut self, at: usize, until: u64) {
        self.sleeping -= 1;
        if !self.draining {
            let slot = &self.slots[at];
            let facts = &mut self.recorder.facts;
            facts.asleep += seconds(until.saturating_sub(slot.paused));
            facts.slept += seconds(slot.sleep);
            facts.sleeps += 1;
        }
    }

    /// When the present request is given up, and by which limit.
    fn deadline(&self, at: usize) -> Option<(u64, Limit)> {
        let (slot, limits) = (&self.slots[at], self.config.limits);
        let flight = &slot.flight;
        let whole = (flight.due + limits.whole, Limit::Of(TimeLimit::Whole));
        let opening_since = self.links[self.link_of(at)].opening_since;
        let part = |since: u64, limit: Option<u64>, which| Some((since + limit?, which));
        let of_part = match slot.doing {
            Doing::Resting | Doing::Asleep | Doing::Pausing | Doing::Delaying => return None,
            Doing::Preparing | Doing::Opening => {
                part(opening_since, limits.connect, Limit::Of(TimeLimit::Connect))
            }
            Doing::Waiting if flight.first_byte == 0 => {
                let limit = Limit::Of(TimeLimit::FirstByte);
                part(flight.sent, limits.first_byte, limit)
            }
            Doing::Waiting | Doing::Queued | Doing::BackingOff => None,
        };
        let trying = slot.doing != Doing::BackingOff && self.tries_again(at);
        let attempt = limits.attempt.filter(|_| trying);
        let of_try = part(flight.tried, attempt, Limit::Attempt);
        let all = [Some(whole), of_part, of_try].into_iter().flatten();
        all.min_by_key(|(deadline, _)| *deadline)
    }

    fn exceeded(&mut self, at: usize, limit: Limit, now: u64) {
        let before = self.slots[at].doing;
        if before == Doing::Preparing {
            self.release(at, now);
            self.next(at, now);
            return;
        }
        if let (Limit::Of(limit), false) = (limit, self.slots[at].flight.beyond) {
            let flight = &self.slots[at].flight;
            self.recorder.timed_out(flight, limit, now, self.draining);
            if self.recorder.slowest.admits(now - flight.due) {
                self.keep_slow(at, now);
            }
        }
        self.release(at, now);
        if limit == Limit::Attempt {
            self.back_off(at, true, now);
            // What rang was the last attempt's; this one has limits, too.
            self.limit(at);
        } else {
            self.heard(at, false, now);
            self.next(at, now);
        }
        self.unqueue(self.link_of(at), now);
    }

    /// Takes a request off its connection, which is closed if it cannot go on without. Others that
    /// it carried go on with the next.
    pub(super) fn release(&mut self, at: usize, now: u64) {
        let c = self.link_of(at);
        let doing = self.slots[at].doing;
        self.slots[at].doing = Doing::Resting;
        match doing {
            Doing::Queued => {
                self.links[c].queued.retain(|queued| *queued != at);
                return;
            }
            Doing::Waiting => {
                self.out.clear();
                let session = self.links[c].session.as_mut();
                if session.is_some_and(|session| session.cancel(at as u32, &mut self.out)) {
                    self.batch = Some(c);
                    self.flush(c);
                    self.landed(c, true);
                    return;
                }
            }
            Doing::Preparing | Doing::Opening => {
                self.gather(c);
                self.drop_socket(c);
                if !self.affected.is_empty() {
                    self.connect(c); // those that waited with this one wait for the next
                }
                return;
            }
            _ => return,
        }
        self.gather(c);
        self.drop_socket(c);
        self.each_affected(c, now, |worker, at| worker.displaced(at, now));
    }

    /// Takes a request to another connection, as its own was closed for no fault of it; unless that might do twice what was
    /// asked for once.
    fn displaced(&mut self, at: usize, now: u64) {
        if self.is_harmless(at) {
            self.send_again(at, now);
            return;
        }
        let words = || "weir closed it, as another request on it ran into a limit".to_owned();
        self.recorder.example(Cause::ClosedBeforeAnswer, words);
        self.failed(at, Cause::ClosedBeforeAnswer, now);
    }

    /// Whether to send a request again cannot do twice what was asked for once.
    pub(super) fn is_harmless(&self, at: usize) -> bool {
        let flight = &self.slots[at].flight;
        flight.sent == 0 || self.source.method(flight.which).idempotent
    }

    /// Takes a request to another connection, as the one that it was on ended with no fault of its
    /// own.
    pub(super) fn send_again(&mut self, at: usize, now: u64) {
        let flight = &mut self.slots[at].flight;
        self.recorder.facts.sent_again += u64::from(flight.sent > 0 && !flight.beyond);
        flight.forget_sending();
        flight.ready = now;
        self.launch(at);
    }

    /// Whether a request that has failed is to be tried again.
    pub(super) fn tries_again(&self, at: usize) -> bool {
        let (retry, tries) = (self.config.retry, self.slots[at].flight.tries);
        retry.is_some_and(|retry| tries < retry.times)
    }

    /// Lets a request be tried again, after a pause if it is to have one. One that was never sent
    /// always has: whoever refuses connections would be asked without end.
    pub(super) fn back_off(&mut self, at: usize, sent: bool, now: u64) {
        let base = self.config.retry.map_or(0.0, |retry| retry.backoff);
        let flight = &mut self.slots[at].flight;
        let doublings = flight.tries.min(32);
        flight.tries += 1;
        flight.again = false;
        flight.forget_sending();
        if !self.draining {
            self.recorder.facts.retries += 1;
        }
        let pause =
            crate::clock::nanoseconds((base * f64::from(1_u32 << doublings.min(31))).min(3600.0));
        if sent && pause == 0 {
            self.try_again(at, now);
            return;
        }
        self.slots[at].doing = Doing::BackingOff;
        self.alarm(at, now + pause.max(super::PAUSE.0));
    }

    fn try_again(&mut self, at: usize, now: u64) {
        let flight = &mut self.slots[at].flight;
        flight.tried = now;
        flight.ready = now;
        self.launch(at);
    }

    pub(super) fn alarm(&mut self, at: usize, moment: u64) {
        self.pauses.set(moment, at);
    }
}
