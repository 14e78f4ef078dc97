//! Readiness: the kernel says which sockets have something, and each is read and written by a call of its own.

mod ready;
mod socket;

use std::io;
use std::time::Duration;

use mio::{Events, Interest, Token};

use super::{Happening, Origin, is_reset};
use crate::timer::Timer;
use crate::transport::Stream;
use ready::{Ready, token};
use socket::Socket;

/// Bytes read at once; one buffer serves all connections of a worker.
const BUFFER: usize = 64 * 1024;

/// A loop that is told which sockets are ready (mio, edge-triggered), and reads and writes them itself.
#[derive(Debug)]
pub(crate) struct Poll {
    selector: mio::Poll,
    events: Events,
    origin: Origin,
    /// One more than there are connections: the last place is the timer's, and always empty.
    sockets: Vec<Option<Socket>>,
    timer: Timer,
    /// Sockets opened so far; tells an event of a closed socket from one of its successor.
    opened: u32,
    /// What the system said. `next` looks at those from `at` to `turn`; the rest waits for the
    /// next turn, so that no connection keeps the others from being looked at.
    ready: Vec<Ready>,
    at: usize,
    turn: usize,
    /// What was read last, and how much of it.
    buffer: Vec<u8>,
    read: usize,
}

impl Poll {
    /// For so many connections.
    pub(super) fn new(origin: Origin, connections: usize) -> io::Result<Self> {
        let poll = mio::Poll::new()?;
        Ok(Self {
            timer: Timer::new(poll.registry(), Token(connections))?,
            selector: poll,
            events: Events::with_capacity(1024),
            origin,
            sockets: (0..=connections).map(|_| None).collect(),
            opened: 0,
            ready: Vec::with_capacity(1024),
            at: 0,
            turn: 0,
            buffer: vec![0; BUFFER],
            read: 0,
        })
    }

    #[cfg(test)]
    pub(super) fn at_once(&mut self, most: u32) {
        self.events = Events::with_capacity(most as usize);
    }

    /// Begins to open a connection; whether it is open at once. If not, `next` will say.
    pub(super) fn open(&mut self, connection: usize) -> io::Result<bool> {
        let stream = self.origin.connect(connection)?;
        let open = stream.is_open()?;
        // A writable socket is nothing to wake up for, except while it opens.
        let interest = if open {
            Interest::READABLE
        } else {
            Interest::READABLE | Interest::WRITABLE
        };
        self.opened = self.opened.wrapping_add(1);
        let number = self.opened;
        stream.watch(
            self.selector.registry(),
            token(connection, number),
            interest,
        )?;
        self.sockets[connection] = Some(Socket::new(stream, number, open));
        Ok(open)
    }

    /// Sends bytes, later if need be. A failure is told by `next`, after what can still be read.
    #[inline]
    pub(super) fn send(&mut self, connection: usize, bytes: &[u8]) {
        let Some(socket) = &mut self.sockets[connection] else {
            return;
        };
        if !socket.unsent.is_empty() {
            socket.unsent.end().extend_from_slice(bytes);
            return;
        }
        match socket.stream.write(bytes) {
            Ok(written) if written == bytes.len() => {}
            outcome => self.send_rest(connection, bytes, outcome),
        }
    }

    #[cold]
    fn send_rest(&mut self, connection: usize, bytes: &[u8], outcome: io::Result<usize>) {
        let Some(socket) = &mut self.sockets[connection] else {
            return;
        };
        let written = match outcome {
            Ok(written) => written,
            Err(error) if would_block(&error) => 0,
            Err(error) => {
                socket.broken = Some(error);
                self.ready.push(Ready {
                    connection: connection as u32,
                    number: socket.number,
                    writable: false,
                    closed: true,
                });
                return;
            }
        };
        socket.unsent.end().extend_from_slice(&bytes[written..]);
        self.watch(connection, Interest::READABLE | Interest::WRITABLE);
    }

    /// How many bytes wait until the peer has read what it was sent before.
    #[inline]
    pub(super) fn unsent(&self, connection: usize) -> usize {
        let socket = self.sockets[connection].as_ref();
        socket.map_or(0, |socket| socket.unsent.len())
    }

    pub(super) fn stream(&self, connection: usize) -> Option<&Stream> {
        Some(&self.sockets[connection].as_ref()?.stream)
    }

    /// Closes a connection, if it is open.
    pub(super) fn close(&mut self, connection: usize) {
        self.sockets[connection] = None; // the system forgets a closed descriptor by itself
    }

    /// Waits until something happens, at latest until `moment` (it is `now`). The precise timer
    /// costs a system call; [`Poll::wait`] is precise to a millisecond and does not.
    pub(super) fn wait_for(&mut self, moment: u64, now: u64) -> io::Result<()> {
        if moment <= now {
            return self.wait(Duration::ZERO);
        }
        self.timer.set(moment, now)?;
        // The timer ends this; what it is allowed beyond is never used up.
        self.wait(Duration::from_nanos(moment - now) + Duration::from_millis(1))
    }

    /// Waits until something happens, at most so long.
    pub(super) fn wait(&mut self, patience: Duration) -> io::Result<()> {
        self.ready.drain(..self.at);
        self.at = 0;
        let patience = if self.ready.is_empty() {
            patience
        } else {
            Duration::ZERO
        };
        match self.selector.poll(&mut self.events, Some(patience)) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            outcome => {
                outcome?;
                self.ready.extend(self.events.iter().map(Ready::from));
            }
        }
        self.turn = self.ready.len();
        Ok(())
    }

    /// The bytes that arrived last.
    #[inline]
    pub(super) fn received(&self) -> &[u8] {
        &self.buffer[..self.read]
    }

    /// The connection that `next` will look at after the last one.
    #[inline]
    pub(super) fn soon(&self) -> Option<usize> {
        let ready = self.ready[..self.turn].get(self.at)?;
        Some(ready.connection as usize)
    }

    /// Whether there is something to look at in this turn.
    pub(super) fn has_next(&self) -> bool {
        self.at < self.turn
    }

    /// The next thing that happened.
    #[inline]
    pub(super) fn next(&mut self) -> Option<(usize, Happening)> {
        while self.at < self.turn {
            let ready = self.ready[self.at];
            self.at += 1;
            if let Some(soon) = self.soon() {
                kernel::prefetch(&self.sockets[soon]);
            }
            let connection = ready.connection as usize;
            let happening = match &mut self.sockets[connection] {
                Some(socket) if socket.number == ready.number => {
                    if socket.opening {
                        self.finish_opening(connection)
                    } else {
                        if ready.writable && !socket.unsent.is_empty() {
                            self.flush(connection);
                        }
                        self.read(ready)
                    }
                }
                _ => None, // an event of a socket that is gone, or of the timer
            };
            if let Some(happening) = happening {
                return Some((connection, happening));
            }
        }
        None
    }

    #[inline]
    fn read(&mut self, ready: Ready) -> Option<Happening> {
        let connection = ready.connection as usize;
        let socket = self.sockets[connection].as_mut()?;
        let happening = match socket.stream.read(&mut self.buffer) {
            // The system tells of a reset once: if that was to a write, reading finds an end.
            Ok(0) => {
                let reset = socket.broken.take().filter(is_reset);
                reset.map_or(Happening::Ended, Happening::Failed)
            }
            Ok(length) => {
                // A short read has emptied the socket: another one would only say so.
                self.read = length;
                if length == self.buffer.len() || ready.closed {
                    self.ready.push(ready);
                }
                return Some(Happening::Received(length));
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {
                self.ready.push(ready);
                return None;
            }
            Err(error) if would_block(&error) => Happening::Failed(socket.broken.take()?),
            Err(error) => Happening::Failed(error),
        };
        self.close(connection);
        Some(happening)
    }

    fn finish_opening(&mut self, connection: usize) -> Option<Happening> {
        let socket = self.sockets[connection].as_mut()?;
        match socket.stream.is_open() {
            Ok(false) => None,
            Ok(true) => {
                socket.opening = false;
                self.watch(connection, Interest::READABLE);
                Some(Happening::Opened)
            }
            Err(error) => {
                self.close(connection);
                Some(Happening::Failed(error))
            }
        }
    }

    fn flush(&mut self, connection: usize) {
        let Some(socket) = &mut self.sockets[connection] else {
            return;
        };
        match socket.stream.write(socket.unsent.bytes()) {
            Ok(written) => socket.unsent.pass(written),
            Err(error) if would_block(&error) => {}
            Err(error) => socket.broken = Some(error),
        }
        if socket.unsent.is_empty() {
            self.watch(connection, Interest::READABLE);
        }
    }

    /// Changes what wakes the loop up. A descriptor that was registered before can be registered
    /// again, so that a failure here is the connection's.
    fn watch(&mut self, connection: usize, interest: Interest) {
        let Some(socket) = &mut self.sockets[connection] else {
            return;
        };
        let token = token(connection, socket.number);
        if let Err(error) = socket
            .stream
            .rewatch(self.selector.registry(), token, interest)
        {
            socket.broken = Some(error);
        }
    }
}

fn would_block(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::WouldBlock
}
