//! How a worker's requests leave.

use wire::Session;

use super::Worker;
use super::line::Doing;

impl<S: Session> Worker<'_, S> {
    /// The connection is free: its next request, or rest.
    #[inline]
    pub(super) fn next(&mut self, at: usize, now: u64) {
        let Some(due) = self.schedule.next(now) else {
            self.lines[at].doing = Doing::Resting;
            self.active -= 1;
            return;
        };
        self.recorder.scheduled += 1;
        self.lines[at].flight.begin(due);
        self.limit(at);
        if self.lines[at].session.is_some() {
            self.send(at);
        } else {
            self.open(at);
        }
    }

    pub(super) fn open(&mut self, at: usize) {
        let now = self.orders.clock.now();
        self.lines[at].doing = Doing::Opening;
        self.lines[at].opening_since = now;
        match self.reactor.open(at) {
            Ok(true) => self.opened(at, self.orders.clock.now()),
            Ok(false) => {}
            Err(error) => self.unopened(at, &error, now),
        }
    }

    pub(super) fn opened(&mut self, at: usize, now: u64) {
        self.out.clear();
        let line = &mut self.lines[at];
        line.session = Some(S::open(&mut self.out));
        line.answers = 0;
        line.flight.ready = now;
        let opened_in = now - line.opening_since;
        line.opened_in = Some(opened_in);
        if !self.out.is_empty() {
            self.reactor.send(at, &self.out);
        }
        self.connected(opened_in);
        self.send(at);
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
        session.send(self.orders.request, &mut self.out);
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
