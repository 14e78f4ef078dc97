//! How a worker's requests end.

use record::Cause;
use wire::{Failure, Session};

use super::link::State;
use super::slot::Doing;
use super::{PAUSE, Worker};
use crate::traffic::Heard;

impl<S: Session> Worker<'_, S> {
    #[inline]
    pub(super) fn received(&mut self, c: usize, length: usize, now: u64) {
        if !self.draining {
            self.recorder.facts.bytes_received += length as u64;
        }
        let Some(session) = &mut self.links[c].session else {
            return;
        };
        self.out.clear();
        self.batch = Some(c);
        let (slots, done, checks) = (&mut self.slots, &mut self.done, self.config.checks);
        let too_long = &mut self.too_long;
        let bytes = self.reactor.received();
        let outcome = session.receive(bytes, &mut self.out, |exchange, event| {
            let at = exchange as usize;
            let flight = &mut slots[at].flight;
            if flight.take(event, now, &checks[flight.expected as usize]) {
                done.push(at);
            } else if flight.progress.too_long && too_long.last() != Some(&at) {
                too_long.push(at);
            }
        });
        match outcome {
            Err(why) => self.malformed(c, why, now),
            Ok(()) if self.links[c].state == State::Securing => {
                let ready = self.links[c].session.as_ref().is_some_and(S::is_ready);
                if ready {
                    self.secured(c, now);
                }
            }
            Ok(()) => self.all_answered(c, now),
        }
        self.flush(c);
        while let Some(at) = self.too_long.pop() {
            self.cut(at, now);
        }
    }

    #[inline]
    fn all_answered(&mut self, c: usize, now: u64) {
        // Most often there is one, and never one that another's end adds.
        for number in 0..self.done.len() {
            let at = self.done[number];
            let flight = &self.slots[at].flight;
            // An answer that came before its request was sent whole leaves the stream in the middle.
            let keep =
                flight.done == Some(true) && !(self.depth == 1 && self.reactor.has_unsent(c));
            self.links[c].answers += 1;
            self.landed(c, keep);
            self.answered(at, now);
        }
        self.done.clear();
        self.unqueue(c, now);
    }

    /// A whole answer is here, and its connection has been seen to.
    #[inline]
    pub(super) fn answered(&mut self, at: usize, now: u64) {
        if self.draining && !self.slots[at].flight.beyond {
            self.drain.heard(now);
        }
        if let Some(failure) = self.slots[at].flight.failure {
            self.given_up(at, failure, now);
            return;
        }
        let flight = &self.slots[at].flight;
        let check = &self.config.checks[flight.expected as usize];
        let recorder = &mut self.recorder;
        let mut verdict = check.verdict(&flight.progress);
        if verdict.is_ok() {
            let expected = flight.expected;
            let held = check.demand(&flight.progress, &mut |number, verdict| {
                if let Err(why) = &verdict {
                    recorder.example(Cause::Check, || why.clone());
                }
                if !flight.beyond {
                    recorder.found((expected, number), verdict);
                }
            });
            if !held {
                verdict = Err(Cause::Check);
            }
        }
        let counts = !self.draining && !flight.beyond;
        if counts {
            recorder.statuses[usize::from(flight.progress.status).min(999)] += 1;
            let compared = verdict != Err(Cause::Status) && check.compares(&flight.progress);
            recorder.compared += u64::from(compared);
        }
        if let Err(cause) = verdict {
            if cause != Cause::Check {
                recorder.example(cause, || check.describe(&flight.progress));
            }
            self.slots[at].strikes = 0;
            self.failed(at, cause, now);
            return;
        }
        if !self.draining {
            recorder.completed(flight, now);
        } else if !flight.beyond {
            recorder.drained(flight, now);
        }
        let timed = !flight.beyond && !flight.was_under_way();
        if recorder.slowest.admits(now - flight.due) && timed {
            self.keep_slow(at, now);
        }
        self.slots[at].strikes = 0;
        self.heard(at, true, now);
        self.next(at, now);
    }

    /// The server will not answer this one, and says so. What it has not begun to work on can be
    /// asked again (RFC 9113, section 8.7), which is done once.
    #[cold]
    fn given_up(&mut self, at: usize, why: Failure, now: u64) {
        let flight = &mut self.slots[at].flight;
        if why == Failure::Refused && !flight.again {
            flight.again = true;
            self.send_again(at, now);
            return;
        }
        let cause = match why {
            Failure::Malformed(_) => Cause::Malformed,
            Failure::Refused | Failure::Reset(_) => Cause::Reset,
        };
        self.recorder.example(cause, || why.to_string());
        self.failed(at, cause, now);
    }

    #[cold]
    pub(super) fn keep_slow(&mut self, at: usize, now: u64) {
        let c = self.link_of(at);
        let tcp = self.reactor.tcp_state(c);
        let before = self.links[c].answers.saturating_sub(1);
        let recorder = &mut self.recorder;
        let start = recorder.start;
        let flight = &self.slots[at].flight;
        recorder.slowest.keep(flight, now, start, before, tcp);
    }

    /// Tells whoever thinks of the requests how one ended.
    #[inline]
    pub(super) fn heard(&mut self, at: usize, right: bool, now: u64) {
        let Some(stream) = self.source.stream() else {
            return;
        };
        let flight = &self.slots[at].flight;
        let heard = Heard {
            name: flight.name,
            status: flight.progress.status,
            fields: flight.progress.fields(),
            body: flight.progress.body(),
            right,
            now,
        };
        if let Some(began) = stream.heard(at, &heard, &mut self.woken) {
            self.recorder.facts.pages.record(now.saturating_sub(began));
        }
    }

    /// A request came to a bad end. One that fails again and again is given growing pauses, or a
    /// dead server would be hammered by a spinning client.
    pub(super) fn failed(&mut self, at: usize, cause: Cause, now: u64) {
        let slot = &mut self.slots[at];
        if !slot.is_busy() {
            return; // bytes out of the blue on a resting connection are nobody's answer
        }
        let sent = slot.doing == Doing::Waiting;
        // What nobody could think of is not there to be sent again.
        if cause != Cause::Unasked && self.tries_again(at) {
            self.back_off(at, sent, now);
            return;
        }
        let slot = &mut self.slots[at];
        if !slot.flight.beyond {
            let flight = &slot.flight;
            self.recorder.failed(flight, cause, now, self.draining);
        }
        self.heard(at, false, now);
        let slot = &mut self.slots[at];
        if !slot.flight.is_answered() {
            slot.strikes += 1;
        }
        if sent && slot.strikes <= 1 {
            self.next(at, now);
            return;
        }
        slot.doing = Doing::Pausing;
        slot.paused = now;
        let pause = PAUSE.0 << (slot.strikes.max(1) - 1).min(16);
        self.alarm(at, now + pause.min(PAUSE.1));
    }
}
