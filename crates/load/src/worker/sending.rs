//! How a worker's requests begin and leave.

use record::Cause;
use wire::Session;

use super::Worker;
use super::slot::Doing;
use crate::flight::{Method, NAMELESS, Which};
use crate::schedule::Schedule;
use crate::traffic::Asked;

impl<S: Session> Worker<'_, S> {
    /// The slot is free: its next request, or rest.
    #[inline]
    pub(super) fn next(&mut self, at: usize, now: u64) {
        if let Some(stream) = self.source.stream() {
            if let Some(asked) = stream.follow(at) {
                self.assign(at, asked, now, now);
                return;
            }
            if !stream.begins(at) {
                self.slots[at].doing = Doing::Asleep;
                self.active -= 1;
                return;
            }
        }
        match self.next_due(now) {
            Some(due) => self.begin_request(at, due, now),
            None => self.rest(at, now),
        }
    }

    /// When the next request fell due, of those that were not given up while they waited.
    #[inline]
    pub(super) fn next_due(&mut self, now: u64) -> Option<u64> {
        while let Some(due) = self.schedule.next(now) {
            if due < now {
                self.recorder.facts.waited.record(now - due);
                let whole = self.config.limits.whole;
                if due + whole <= now {
                    self.recorder.gave_up(due, whole, self.draining);
                    continue;
                }
            }
            return Some(due);
        }
        None
    }

    /// Gives a request that falls due to a slot that was free for it at `ready`.
    #[inline]
    pub(super) fn begin_request(&mut self, at: usize, due: u64, ready: u64) {
        if let Some(stream) = self.source.stream() {
            match stream.begin(at, due) {
                Ok(asked) => self.assign(at, asked, due, ready),
                Err(why) => {
                    // its name is not that of the slot's last request
                    self.slots[at].flight.name = NAMELESS;
                    self.unasked(at, &why, due);
                }
            }
            return;
        }
        let (which, name, expected) = self.source.pick();
        let beyond = self.is_beyond(due);
        let flight = &mut self.slots[at].flight;
        (flight.which, flight.name, flight.expected) = (which, name, expected);
        flight.beyond = beyond;
        self.carry(at, due, ready);
    }

    /// Takes what a stream asks.
    fn assign(&mut self, at: usize, asked: Asked, due: u64, ready: u64) {
        let beyond = self.is_beyond(due);
        let slot = &mut self.slots[at];
        slot.flight.name = asked.name;
        slot.flight.expected = asked.expected;
        slot.flight.beyond = beyond;
        match self.source.make(asked.what) {
            Ok((which, made)) => {
                slot.flight.which = which;
                slot.made = made;
            }
            Err(why) => {
                // nothing that was prepared is sent in its place
                slot.flight.which = Which::Made(Method::of(b""));
                self.unasked(at, &why, due);
                return;
            }
        }
        let slot = &mut self.slots[at];
        let follows = std::mem::replace(&mut slot.begun, true);
        if asked.delay == 0 {
            self.recorder.facts.sleeps += u64::from(follows && !self.draining);
            self.carry(at, due, ready);
            return;
        }
        slot.sleep = asked.delay;
        slot.doing = Doing::Delaying;
        slot.paused = due.max(ready);
        // what it has waited for its user is its own, and the sleep is not
        slot.flight.begin(due + asked.delay);
        slot.flight.ready = slot.paused + asked.delay;
        let wakes = slot.flight.ready;
        self.sleeping += 1;
        self.alarm(at, wakes);
    }

    /// Whether a request that the schedule let fall due then is in no figure. Those from before the window closed were counted
    /// when it did, also where a user sleeps before it sends one.
    #[inline]
    fn is_beyond(&self, due: u64) -> bool {
        self.draining && (self.trails || due > self.closed_at)
    }

    /// There is no such request.
    fn unasked(&mut self, at: usize, why: &str, due: u64) {
        let now = self.config.clock.now();
        self.recorder.example(Cause::Unasked, || why.to_owned());
        self.slots[at].flight.begin(due);
        self.slots[at].flight.beyond = self.is_beyond(due);
        self.recorder.facts.scheduled += u64::from(!self.draining);
        self.slots[at].doing = Doing::Opening;
        self.failed(at, Cause::Unasked, now);
    }

    /// The request falls due.
    #[inline]
    pub(super) fn carry(&mut self, at: usize, due: u64, ready: u64) {
        // With one slot there is no half of them. Those whose users sleep give the server nothing to do.
        let busy = self.active - self.sleeping;
        let light = busy * 2 <= self.slots.len() && self.schedule.is_queue();
        let slot = &mut self.slots[at];
        slot.flight.begin(due);
        // until it could be sent, the server was asked nothing that it could have answered
        (slot.flight.ready, slot.flight.tried) = (ready, ready);
        slot.flight.light = light;
        if !self.draining {
            self.recorder.begun(due);
        }
        let (which, expected) = (slot.flight.which, slot.flight.expected);
        let method = self.source.method(which);
        self.carried += 1;
        let looks = self.config.checks[expected as usize].looks(self.carried);
        slot.flight.progress.expect(looks, method.bodiless);
        self.limit(at);
        self.launch(at);
    }

    /// There is nothing to do.
    pub(super) fn rest(&mut self, at: usize, now: u64) {
        if matches!(self.schedule, Schedule::Count(_)) {
            self.recorder.slots.dry(now, 1);
        }
        self.slots[at].doing = Doing::Resting;
        self.active -= 1;
        self.idle.push_back(at);
        self.set_moment();
    }

    /// Slots that somebody's answer has given something to do.
    pub(super) fn wake(&mut self, now: u64) {
        while let Some(at) = self.woken.pop() {
            let slot = self.slots.get(at);
            if slot.is_some_and(|slot| slot.doing == Doing::Asleep) {
                self.active += 1;
                self.next(at, now);
            }
        }
    }

    /// Opens a connection before there is a request for it.
    pub(super) fn prepare(&mut self, at: usize, now: u64) {
        self.slots[at].doing = Doing::Preparing;
        self.slots[at].flight.begin(now);
        self.limit(at);
        self.connect(self.link_of(at));
    }

    #[inline]
    pub(super) fn send(&mut self, at: usize) {
        let c = self.link_of(at);
        let link = &mut self.links[c];
        let slot = &mut self.slots[at];
        let Some(session) = &mut link.session else {
            return;
        };
        let gathers = self.batch == Some(c);
        if !gathers {
            self.out.clear();
        }
        let request = match slot.flight.which {
            Which::Prepared(number) => self.source.prepared(number),
            Which::Made(_) => match &slot.made {
                Some(made) => made,
                None => return,
            },
        };
        session.send(at as u32, request, &mut self.out);
        link.sent += 1;
        link.under_way += 1;
        slot.doing = Doing::Waiting;
        let sent = self.config.clock.now();
        slot.flight.sent = sent;
        let late = sent - slot.flight.ready;
        if slot.flight.beyond {
            self.recorder.facts.trailed += 1;
        } else {
            self.recorder.facts.lateness.record(late);
        }
        if !gathers {
            self.batch = Some(c);
            self.flush(c);
        }
    }
}
