//! Completion: the kernel receives and sends (`io_uring`), and says when it has. One crossing into it serves many connections.

mod ended;
mod socket;

use std::io;
use std::num::NonZeroU64;
use std::sync::LazyLock;
use std::time::Duration;

use kernel::{Ended, Text};

use super::{Happening, Origin};
use crate::transport::Stream;
use socket::{Socket, at, token};

/// Different bytes that are kept to be sent again: those of the first requests. Loads of more kinds of request send copies.
const TEXTS: usize = 8;
/// Bytes of all requests under way on a connection, at most, of which nobody tells that they were sent: its socket has room for
/// them, so that they are as soon as they are handed over.
const UNTOLD: usize = 4096;
/// Bytes of which nobody tells that they were sent, on one socket in a row, at most; of those after them somebody does. Whoever
/// has to be acknowledged and never reads would else have the kernel keep requests without end.
const UNTOLD_IN_A_ROW: usize = 16 * 1024;
/// Connections that are closed at the end before it is looked what came of that.
const CLOSED_AT_ONCE: usize = 256;

/// A loop that has the kernel receive and send.
#[derive(Debug)]
pub(crate) struct Ring {
    queues: kernel::Ring,
    origin: Origin,
    sockets: Vec<Option<Socket>>,
    /// What was sent first, and how long such texts are at most.
    texts: Vec<Text>,
    longest: usize,
    /// Requests after which those that wait are handed over in the middle of a turn.
    batch: u32,
    /// Sockets opened so far; tells the end of a request of a closed socket from one of its successor's.
    opened: u32,
}

impl Ring {
    /// Whether the kernel has what it takes.
    pub(super) fn is_possible() -> bool {
        static POSSIBLE: LazyLock<bool> = LazyLock::new(|| kernel::Ring::new(1).is_ok());
        *POSSIBLE
    }

    /// For so many connections, on each of which `depth` requests are under way at most. They are handed over `batch` at once.
    pub(super) fn new(
        origin: Origin,
        connections: usize,
        depth: u32,
        batch: u32,
    ) -> io::Result<Self> {
        let queues = kernel::Ring::new(connections)?;
        // waits end when their time is up, and not up to 50 us later
        rustix::thread::set_current_timer_slack(NonZeroU64::new(1))?;
        Ok(Self {
            queues,
            origin,
            sockets: (0..connections).map(|_| None).collect(),
            texts: Vec::with_capacity(TEXTS),
            longest: UNTOLD / depth.max(1) as usize,
            batch,
            opened: 0,
        })
    }

    #[cfg(test)]
    pub(super) fn at_once(&mut self, most: u32) {
        self.queues.at_once(most as usize);
    }

    pub(super) fn open(&mut self, connection: usize) -> io::Result<bool> {
        let stream = self.origin.connect(connection)?;
        let open = stream.is_open()?;
        // three bits of a token are not ours
        self.opened = (self.opened + 1) & (u32::MAX >> 3);
        let number = self.opened;
        if open {
            stream.block()?;
            self.queues
                .receive(stream.descriptor(), token(connection, number));
        } else {
            self.queues
                .opening(stream.descriptor(), token(connection, number));
        }
        self.sockets[connection] = Some(Socket::new(stream, number, open));
        Ok(open)
    }

    #[inline]
    pub(super) fn send(&mut self, connection: usize, bytes: &[u8]) {
        let Some(socket) = &mut self.sockets[connection] else {
            return;
        };
        if bytes.is_empty() {
            return;
        }
        if socket.sending > 0 {
            socket.unsent.extend_from_slice(bytes);
            return;
        }
        let short = bytes.len() <= self.longest && socket.untold < UNTOLD_IN_A_ROW;
        let text = short.then(|| text_of(&mut self.queues, &mut self.texts, bytes));
        if let Some(text) = text.flatten() {
            socket.untold += bytes.len();
            socket.unheard = true;
            self.queues.send_text(
                socket.stream.descriptor(),
                token(connection, socket.number),
                text,
            );
        } else {
            let mut copy = std::mem::take(&mut socket.spare);
            copy.clear();
            copy.extend_from_slice(bytes);
            socket.hand_over(&mut self.queues, connection, copy);
        }
        if self.queues.queued() >= self.batch {
            self.queues.submit();
        }
    }

    #[inline]
    pub(super) fn unsent(&self, connection: usize) -> usize {
        let Some(socket) = &self.sockets[connection] else {
            return 0;
        };
        // what was not handed over yet waits for nobody but this loop
        let waits = socket.sending > 0 && self.queues.turn() > socket.since;
        socket.unsent.len() + if waits { socket.sending } else { 0 }
    }

    pub(super) fn stream(&self, connection: usize) -> Option<&Stream> {
        Some(&self.sockets[connection].as_ref()?.stream)
    }

    pub(super) fn close(&mut self, connection: usize) {
        let Some(socket) = self.sockets[connection].take() else {
            return;
        };
        let of = token(connection, socket.number);
        if socket.opening || socket.receives {
            self.queues.give_up(of, socket.opening);
        }
        // what the peer has answered since, it has taken
        if socket.sending > 0 || socket.unheard {
            self.queues.give_up_sends(of);
        }
        self.queues.close(socket.stream.into_descriptor());
    }

    pub(super) fn wait_for(&mut self, moment: u64, now: u64) -> io::Result<()> {
        self.wait(Duration::from_nanos(moment.saturating_sub(now)))
    }

    pub(super) fn wait(&mut self, patience: Duration) -> io::Result<()> {
        self.queues.wait(patience)
    }

    #[inline]
    pub(super) fn received(&self) -> &[u8] {
        self.queues.received()
    }

    /// The connection that `next` will tell of after the last one.
    #[inline]
    pub(super) fn soon(&self) -> Option<usize> {
        let connection = at(self.queues.soon()?);
        (connection < self.sockets.len()).then_some(connection)
    }

    /// Whether there is something to look at in this turn.
    pub(super) fn has_next(&self) -> bool {
        self.queues.has_ended()
    }

    #[inline]
    pub(super) fn next(&mut self) -> Option<(usize, Happening)> {
        loop {
            let ended = self.queues.ended()?;
            if let Some(soon) = self.soon() {
                kernel::prefetch(&self.sockets[soon]);
            }
            let (connection, happening) = match ended {
                Ended::Received {
                    token,
                    outcome,
                    more,
                } => (at(token), self.arrived(token, outcome, more)),
                Ended::Sent {
                    token,
                    outcome,
                    bytes,
                } => (at(token), self.sent(token, outcome, bytes)),
                Ended::Opened { token } => (at(token), self.finish_opening(token)),
            };
            if let Some(happening) = happening {
                return Some((connection, happening));
            }
        }
    }
}

impl Drop for Ring {
    /// Connections are closed one by one, each by its number. Asked to give up all at once, the kernel looks at all of them anew for
    /// each: 4 s of CPU time for 20,000.
    fn drop(&mut self) {
        for connection in 0..self.sockets.len() {
            self.close(connection);
            if connection % CLOSED_AT_ONCE == 0 && self.wait(Duration::ZERO).is_err() {
                return;
            }
            while self.queues.ended().is_some() {}
        }
    }
}

/// The text of these bytes, if they are among the first that were sent.
#[inline]
fn text_of(ring: &mut kernel::Ring, texts: &mut Vec<Text>, bytes: &[u8]) -> Option<Text> {
    let known = texts.iter().find(|text| ring.text(**text) == bytes);
    if known.is_some() || texts.len() == TEXTS {
        return known.copied();
    }
    let text = ring.keep(bytes);
    texts.push(text);
    Some(text)
}
