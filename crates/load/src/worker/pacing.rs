//! How a worker keeps time.

use std::io;
use std::time::Duration;

use wire::Session;

use super::Worker;
use super::slot::Doing;

/// The last time that the thread slept with something ahead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nap {
    from: u64,
    until: u64,
}

impl Nap {
    pub(super) const NONE: Self = Self {
        from: u64::MAX,
        until: 0,
    };

    fn covers(self, moment: u64) -> bool {
        self.from <= moment && moment < self.until
    }
}

/// Connections that a worker opens at once.
pub(crate) const AT_ONCE: u64 = 1024;
/// Nanoseconds between two after those. Opened as fast as this machine can, they would fill the accept queue of a server,
/// which the kernel cuts to 4,096 (`net.core.somaxconn`), and the rest would try again after a second.
const APART: u64 = 50_000;
/// Nanoseconds before something falls due from which on it is waited for awake, if nobody else needs the core: more than the kernel
/// mostly takes to wake a thread up.
const EARLY: u64 = 100_000;
/// Nanoseconds of openings that may be made up for in one turn of the loop.
const BEHIND: u64 = 5_000_000;

/// How far the slots of a phase have come to begin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opening {
    /// Slots that have begun, the first ones.
    begun: usize,
    /// Whether connections are opened for requests to come.
    prepare: bool,
    /// When the first slot begins, and how long after it the second does, nanoseconds.
    from: u64,
    apart: u64,
    opened: u64,
    /// When the next connection may be opened.
    free: u64,
    /// When the next slot begins; `u64::MAX` when all slots have begun.
    pub(super) next: u64,
}

impl Opening {
    pub(super) const OVER: Self = Self {
        begun: usize::MAX,
        prepare: false,
        from: 0,
        apart: 0,
        opened: 0,
        free: 0,
        next: u64::MAX,
    };

    fn at(from: u64, apart: u64, prepare: bool) -> Self {
        Self {
            begun: 0,
            prepare,
            from,
            apart,
            opened: 0,
            free: from,
            next: from,
        }
    }

    /// Whether it is the next slot's time to begin.
    fn is_due(&mut self, now: u64) -> bool {
        self.next = self.from + self.apart * self.begun as u64;
        now >= self.next
    }

    /// Whether a connection may be opened now; it is then.
    fn take(&mut self, now: u64) -> bool {
        if self.opened >= AT_ONCE {
            if now < self.free {
                self.next = self.free;
                return false;
            }
            self.free = self.free.max(now.saturating_sub(BEHIND)) + APART;
        }
        self.opened += 1;
        true
    }
}

impl<S: Session> Worker<'_, S> {
    /// Every slot looks for its first request, or its connection is opened for those to come: all at once, or evenly over
    /// the `spread` from `start` on.
    pub(super) fn begin(&mut self, start: u64, spread: u64, prepare: bool) {
        self.nap = Nap::NONE;
        self.idle.clear();
        self.active = self.slots.len();
        for slot in &mut self.slots {
            slot.begun = false;
        }
        if let Some(stream) = self.source.stream() {
            stream.restart();
        }
        self.carry_connections();
        let apart = spread / self.slots.len().max(1) as u64;
        let from = self.config.clock.now().min(start);
        self.opening = Opening::at(from, apart, prepare);
        self.begin_more();
    }

    /// Those begin that have not yet, as far as connections may be opened now.
    pub(super) fn begin_more(&mut self) {
        while self.opening.begun < self.slots.len() {
            let at = self.opening.begun;
            // A closed loop has no schedule: a connection is free when its turn comes, and what the
            // others' first requests take is no lateness of this one.
            let now = self.config.clock.now();
            if !self.opening.is_due(now) {
                break;
            }
            let first_of_link = at.is_multiple_of(self.depth);
            let opens = first_of_link && self.links[self.link_of(at)].session.is_none();
            // a stream gives each slot something to do when it likes, and has to find all of them
            if opens && self.source.stream().is_none() && !self.opening.take(now) {
                break;
            }
            self.opening.begun += 1;
            self.recorder.slots.woke(now);
            if self.opening.prepare && opens {
                self.prepare(at, now);
                continue;
            }
            if !self.source.stream().is_none_or(|stream| stream.begins(at)) {
                self.slots[at].doing = Doing::Asleep;
                self.active -= 1;
                continue;
            }
            match self.schedule.first(now) {
                Some(due) => self.begin_request(at, due, now),
                None => self.rest(at, now),
            }
        }
        if self.opening.begun == self.slots.len() && self.opening.next != u64::MAX {
            self.opening.next = u64::MAX;
            self.put_open_ones_first();
        }
        self.dispatch(self.config.clock.now());
    }

    /// Requests go to connections that are open before any is opened for them: a server with a worker for each connection that it has
    /// accepted waits for what these ask for.
    fn put_open_ones_first(&mut self) {
        let mut idle = std::mem::take(&mut self.idle);
        let is_closed = |at: &usize| self.links[self.link_of(*at)].session.is_none();
        idle.make_contiguous().sort_by_key(is_closed); // stable: the one that has rested longest first
        self.idle = idle;
    }

    /// The window is over for those that have not begun.
    pub(super) fn begin_no_more(&mut self, now: u64) {
        for _ in self.opening.begun..self.slots.len() {
            self.recorder.slots.woke(now);
            self.active -= 1;
        }
        self.opening = Opening::OVER;
    }

    /// Waits until something happens, or is to. Only what falls due is worth a precise timer.
    pub(super) fn wait(&mut self, glance: u64) -> io::Result<()> {
        let now = self.config.clock.now();
        let end = if self.draining {
            self.drain.until
        } else {
            self.end
        };
        let rings = self.deadlines.next().min(self.pauses.next());
        let until = glance.min(end).min(rings).min(self.opening.next);
        let patience = Duration::from_nanos(until.saturating_sub(now));
        if self.moment >= end {
            return self.reactor.wait(patience);
        }
        if self.moment < until {
            let early = if self.config.busy_wait { EARLY } else { 0 };
            let asleep_until = self.moment.saturating_sub(early);
            if early > 0 && asleep_until <= now {
                return self.busy_wait();
            }
            self.reactor.wait_for(asleep_until, now)?;
        } else {
            self.reactor.wait(patience)?;
        }
        self.nap = Nap {
            from: now,
            until: self.config.clock.now(),
        };
        Ok(())
    }

    /// Looks again and again until something happens or falls due. A thread that sleeps is woken tens of microseconds late, and what
    /// falls due meanwhile comes in bursts. The first look is work: it may hand over what is to be sent.
    fn busy_wait(&mut self) -> io::Result<()> {
        self.reactor.wait(Duration::ZERO)?;
        let from = self.config.clock.now();
        let mut until = from;
        while !self.reactor.has_next() && until < self.moment {
            self.reactor.wait(Duration::ZERO)?;
            until = self.config.clock.now();
        }
        let waited = until - from;
        self.busy_waited += waited;
        if !self.draining {
            self.recorder.busy_waited += waited;
        }
        Ok(())
    }

    /// Is anything due, or has the window closed? Asked before each thing that is handled, so that
    /// a long turn of the loop keeps nothing waiting.
    #[inline]
    pub(super) fn look(&mut self, now: u64) {
        if now >= self.moment {
            self.look_up(now);
        }
    }

    #[cold]
    fn look_up(&mut self, now: u64) {
        if now >= self.opens {
            self.open_window(self.opens);
        }
        let closes = now > self.end && !self.draining;
        self.dispatch(if closes { self.end } else { now });
        if closes {
            self.close_window(self.end);
        }
    }

    /// Gives what is due to the connections that are free.
    fn dispatch(&mut self, now: u64) {
        while let Some(&at) = self.idle.front() {
            if self.source.is_over() {
                break;
            }
            let Some(due) = self.schedule.take(now) else {
                break;
            };
            self.idle.pop_front();
            self.active += 1;
            let ready = self.ready_for(due);
            self.begin_request(at, due, ready);
        }
        if self.idle.is_empty() {
            self.schedule.admit(now);
        }
        self.set_moment();
    }

    /// When this thread could have sent it. What fell due while it slept could not leave before the
    /// kernel woke it up.
    fn ready_for(&mut self, due: u64) -> u64 {
        if !self.nap.covers(due) {
            return due;
        }
        self.recorder.facts.woken.record(self.nap.until - due);
        self.nap.until
    }

    /// With every connection busy nothing can be done about what falls due: it is looked at when
    /// one is free.
    pub(super) fn set_moment(&mut self) {
        let ahead = if self.idle.is_empty() {
            u64::MAX
        } else {
            self.schedule.ahead()
        };
        let end = if self.draining { u64::MAX } else { self.end };
        self.moment = ahead.min(end).min(self.opens);
    }
}
