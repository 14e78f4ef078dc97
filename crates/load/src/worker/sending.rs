//! How a worker's requests leave.

use wire::Session;

use super::Worker;
use super::line::Doing;

impl<S: Session> Worker<'_, S> {
    /// The connection is free: its next request, or rest.
    #[inline]
    pub(super) fn next(&mut self, at: usize, now: u64) {
        while let Some(due) = self.schedule.next(now) {
            if due < now {
                self.recorder.waited.record(now - due);
                if due + self.orders.timeout <= now {
                    self.recorder
                        .gave_up(self.orders.timeout, now, self.draining);
                    continue;
                }
            }
            self.carry(at, due, now);
            return;
        }
        self.rest(at);
    }

    /// Gives a request to a line that was ready for it at `ready`.
    #[inline]
    pub(super) fn carry(&mut self, at: usize, due: u64, ready: u64) {
        // What fell due before the window closed was counted then.
        self.recorder.scheduled += u64::from(!self.draining);
        let line = &mut self.lines[at];
        line.flight.begin(due);
        line.flight.ready = ready;
        self.limit(at);
        if self.lines[at].session.is_some() {
            self.send(at);
        } else {
            self.open(at);
        }
    }

    /// There is nothing to do.
    pub(super) fn rest(&mut self, at: usize) {
        self.lines[at].doing = Doing::Resting;
        self.active -= 1;
        self.idle.push_back(at);
        self.set_moment();
    }

    pub(super) fn open(&mut self, at: usize) {
        self.lines[at].doing = Doing::Opening;
        self.connect(at);
    }

    /// Opens a connection before there is a request for it.
    pub(super) fn prepare(&mut self, at: usize, now: u64) {
        self.lines[at].doing = Doing::Preparing;
        self.lines[at].flight.begin(now);
        self.limit(at);
        self.connect(at);
    }

    /// It could not be opened; whether anybody minds, the next request will find out.
    pub(super) fn unprepared(&mut self, at: usize, now: u64) {
        self.drop_socket(at);
        self.next(at, now);
    }

    fn connect(&mut self, at: usize) {
        let now = self.orders.clock.now();
        self.lines[at].opening_since = now;
        match self.reactor.open(at) {
            Ok(true) => self.opened(at, self.orders.clock.now()),
            Ok(false) => {}
            Err(error) => self.broken(at, &error, now),
        }
    }

    pub(super) fn opened(&mut self, at: usize, now: u64) {
        self.out.clear();
        let line = &mut self.lines[at];
        line.session = Some(S::open(&self.orders.setup, &mut self.out));
        line.answers = 0;
        line.flight.ready = now;
        let opened_in = now - line.opening_since;
        line.opened_in = Some(opened_in);
        if !self.out.is_empty() {
            self.reactor.send(at, &self.out);
        }
        self.connected(opened_in);
        if self.lines[at].doing == Doing::Preparing {
            self.next(at, now);
        } else {
            self.send(at);
        }
    }

    pub(super) fn connected(&mut self, opened_in: u64) {
        self.recorder.connects += 1;
        self.recorder.connect.record(opened_in);
    }

    #[inline]
    pub(super) fn send(&mut self, at: usize) {
        let line = &mut self.lines[at];
        let Some(session) = &mut line.session else {
            return;
        };
        self.out.clear();
        session.send(0, self.orders.request, &mut self.out);
        line.doing = Doing::Waiting;
        let sent = self.orders.clock.now();
        line.flight.sent = sent;
        self.recorder.lateness.record(sent - line.flight.ready);
        if !self.draining {
            self.recorder.bytes_sent += self.out.len() as u64;
        }
        self.reactor.send(at, &self.out);
    }
}
