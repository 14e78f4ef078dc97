//! How a worker's connections open, carry and close.

use std::collections::VecDeque;

use wire::Session;

use super::Worker;
use super::losing::Doomed;
use super::slot::Doing;

/// One connection, across all sockets it goes through.
pub(super) struct Link<S> {
    /// Absent while there is no socket, or none that is open.
    pub(super) session: Option<S>,
    pub(super) state: State,
    /// Answers that the present socket has brought.
    pub(super) answers: u32,
    /// Requests that it was given.
    pub(super) sent: u32,
    /// Those of them that have not come to an end.
    pub(super) under_way: u32,
    /// Slots that wait for it to take their requests, the one that has waited longest first.
    pub(super) queued: VecDeque<usize>,
    pub(super) opening_since: u64,
    /// How long the present socket took to open, for the phase in which it is used.
    pub(super) opened_in: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Closed,
    Opening,
    /// Open, and a handshake is under way.
    Securing,
    Open,
    /// Open for what is under way, and then no longer.
    Closing,
}

impl<S> Link<S> {
    pub(super) fn new() -> Self {
        Self {
            session: None,
            state: State::Closed,
            answers: 0,
            sent: 0,
            under_way: 0,
            queued: VecDeque::new(),
            opening_since: 0,
            opened_in: None,
        }
    }
}

impl<S: Session> Worker<'_, S> {
    /// The connection that a slot goes through.
    #[inline]
    pub(super) fn link_of(&self, at: usize) -> usize {
        if self.depth == 1 { at } else { at / self.depth }
    }

    /// The slots of a connection.
    pub(super) fn slots_of(&self, link: usize) -> std::ops::Range<usize> {
        link * self.depth..((link + 1) * self.depth).min(self.slots.len())
    }

    /// Brings a slot's request onto its connection: at once, or as soon as that is possible.
    #[inline]
    pub(super) fn launch(&mut self, at: usize) {
        let c = self.link_of(at);
        // those that have waited for longer go first: else the slot whose answer has made room would take it each time
        if self.links[c].queued.is_empty() && self.takes(c) {
            self.send(at);
        } else {
            self.hold(at, c);
        }
    }

    /// Has a request wait until its connection takes it, or is open.
    fn hold(&mut self, at: usize, c: usize) {
        let link = &mut self.links[c];
        let open = matches!(link.state, State::Open | State::Closing);
        if open && (link.under_way > 0 || !link.queued.is_empty()) {
            self.slots[at].doing = Doing::Queued;
            link.queued.push_back(at);
        } else {
            self.open_for(at, c);
        }
    }

    /// Has a request wait for a connection to open. Nothing is under way on the present one that could make room.
    fn open_for(&mut self, at: usize, c: usize) {
        self.slots[at].doing = Doing::Opening;
        if matches!(self.links[c].state, State::Opening | State::Securing) {
            return;
        }
        self.flush(c); // a farewell that the peer is owed (RFC 6455, section 5.5.1)
        self.drop_socket(c);
        self.connect(c);
    }

    /// Whether a connection takes another request now.
    #[inline]
    fn takes(&self, c: usize) -> bool {
        let link = &self.links[c];
        let session = link.session.as_ref();
        link.state == State::Open
            && link.sent < self.config.per_connection
            && session.is_some_and(|session| session.capacity() > 0)
    }

    /// Gives those that wait for this connection to take them another chance, in their order. Whatever has ended something on
    /// a connection comes here afterwards: as long as any wait, something is under way that will.
    pub(super) fn unqueue(&mut self, c: usize, now: u64) {
        while let Some(&at) = self.links[c].queued.front() {
            let takes = self.takes(c);
            if !takes && self.links[c].under_way > 0 {
                return;
            }
            self.links[c].queued.pop_front();
            self.slots[at].flight.ready = now;
            if takes {
                self.send(at);
            } else {
                self.open_for(at, c);
            }
        }
    }

    pub(super) fn connect(&mut self, c: usize) {
        let now = self.config.clock.now();
        let link = &mut self.links[c];
        link.opening_since = now;
        link.state = State::Opening;
        match self.reactor.open(c) {
            Ok(true) => self.opened(c, self.config.clock.now()),
            Ok(false) => {}
            // whoever asks for a connection may be in the middle of its slots
            Err(error) => self.doomed.push(Doomed::Refused(c, now, error)),
        }
    }

    /// The socket is open.
    pub(super) fn opened(&mut self, c: usize, now: u64) {
        self.out.clear();
        if S::VARIABLES {
            self.config.setup.local = self.reactor.local_address(c);
        }
        let session = S::open(&self.config.setup, &mut self.out);
        let ready = session.is_ready();
        let link = &mut self.links[c];
        link.session = Some(session);
        link.answers = 0;
        link.sent = 0;
        link.under_way = 0;
        let opened_in = now - link.opening_since;
        link.opened_in = Some(opened_in);
        link.state = State::Securing;
        self.open += 1;
        self.connected(opened_in);
        self.batch = Some(c);
        if ready {
            self.ready(c, now);
        }
        self.flush(c);
    }

    pub(super) fn connected(&mut self, opened_in: u64) {
        self.recorder.facts.connects += 1;
        self.recorder.facts.connect.record(opened_in);
    }

    /// Its handshake is over.
    pub(super) fn secured(&mut self, c: usize, now: u64) {
        let link = &self.links[c];
        let open_since = link.opening_since + link.opened_in.unwrap_or(0);
        let took = now.saturating_sub(open_since);
        if !self.draining {
            self.recorder.facts.tls.record(took);
        }
        self.ready(c, now);
    }

    /// Requests can be sent: those first that have been due for longest.
    fn ready(&mut self, c: usize, now: u64) {
        self.links[c].state = State::Open;
        for at in self.slots_of(c) {
            match self.slots[at].doing {
                Doing::Preparing => self.next(at, now),
                Doing::Opening if self.depth == 1 => {
                    self.slots[at].flight.ready = now;
                    self.launch(at);
                }
                Doing::Opening => {
                    self.slots[at].doing = Doing::Queued;
                    self.links[c].queued.push_back(at);
                }
                _ => {}
            }
        }
        if self.links[c].queued.is_empty() {
            return;
        }
        let slots = &self.slots;
        let queued = self.links[c].queued.make_contiguous();
        queued.sort_unstable_by_key(|&at| (slots[at].flight.due, at));
        self.unqueue(c, now);
    }

    /// Sends what has gathered for a connection in this turn.
    #[inline]
    pub(super) fn flush(&mut self, c: usize) {
        if self.batch == Some(c) {
            self.batch = None;
            if !self.out.is_empty() {
                if !self.draining {
                    self.recorder.facts.bytes_sent += self.out.len() as u64;
                }
                let head = if self.config.split {
                    head(&self.out)
                } else {
                    0
                };
                if head > 0 {
                    self.reactor.send(c, &self.out[..head]);
                }
                self.reactor.send(c, &self.out[head..]);
                self.weigh(c);
            }
        }
    }

    /// Closes a connection's socket, if it has one.
    pub(super) fn drop_socket(&mut self, c: usize) {
        if self.batch == Some(c) {
            self.batch = None; // what has gathered was for this socket
        }
        self.reactor.close(c);
        let link = &mut self.links[c];
        if !matches!(link.state, State::Closed | State::Opening) {
            self.open -= 1;
        }
        link.session = None;
        link.opened_in = None;
        link.state = State::Closed;
        link.under_way = 0;
    }

    /// A request of this connection has come to its end there.
    #[inline]
    pub(super) fn landed(&mut self, c: usize, keep: bool) {
        let link = &mut self.links[c];
        link.under_way -= 1;
        if !keep || link.sent >= self.config.per_connection {
            link.state = State::Closing;
        }
        if link.state == State::Closing && link.under_way == 0 {
            self.drop_socket(c);
        }
    }
}

/// Bytes of a request before its body, if it has one: of HTTP/1 to the empty line (RFC 9112, section 2.1). 0 where there is
/// nothing to send apart.
fn head(request: &[u8]) -> usize {
    let end = memchr::memmem::find(request, b"\r\n\r\n").map_or(0, |place| place + 4);
    if end < request.len() { end } else { 0 }
}
