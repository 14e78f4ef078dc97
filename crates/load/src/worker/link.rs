//! How a worker's connections open, carry and close.

use wire::Session;

use super::Worker;
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
    /// Slots that wait for it to take their requests.
    pub(super) queued: u32,
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
            queued: 0,
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
        if self.takes(c) {
            self.send(at);
            return;
        }
        let link = &mut self.links[c];
        match link.state {
            State::Open | State::Closing if link.under_way > 0 => {
                self.slots[at].doing = Doing::Queued;
                link.queued += 1;
            }
            State::Opening | State::Securing => self.slots[at].doing = Doing::Opening,
            State::Open | State::Closing | State::Closed => {
                self.drop_socket(c); // nothing is under way that could make room
                self.slots[at].doing = Doing::Opening;
                self.connect(c);
            }
        }
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

    /// Gives those that wait for this connection to take them another chance.
    pub(super) fn unqueue(&mut self, c: usize, now: u64) {
        if self.links[c].queued == 0 {
            return;
        }
        for at in self.slots_of(c) {
            if self.slots[at].doing != Doing::Queued {
                continue;
            }
            if self.links[c].under_way > 0 && !self.takes(c) {
                return;
            }
            self.links[c].queued -= 1;
            self.slots[at].flight.ready = now;
            self.launch(at);
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
            Err(error) => self.broken(c, &error, now),
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

    /// Requests can be sent.
    fn ready(&mut self, c: usize, now: u64) {
        self.links[c].state = State::Open;
        for at in self.slots_of(c) {
            match self.slots[at].doing {
                Doing::Preparing => self.next(at, now),
                Doing::Opening => {
                    self.slots[at].flight.ready = now;
                    self.launch(at);
                }
                _ => {}
            }
        }
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
