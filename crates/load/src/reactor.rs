use std::io;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use mio::event::Event;
use mio::{Events, Interest, Poll, Token};
use record::{Target, TcpState};

use crate::timer::Timer;
use crate::transport::{self, Stream};

/// The event loop of one worker: opens, reads, writes and closes numbered connections, and says
/// what happened to them, one thing at a time. The only file that knows how readiness is learnt
/// (mio, edge-triggered), so that another loop can take its place.
#[derive(Debug)]
pub(crate) struct Reactor {
    poll: Poll,
    events: Events,
    target: Target,
    /// Where connections come from, in turn, if that was asked for.
    sources: Vec<IpAddr>,
    /// Number of the first of these connections among all, and of all.
    among: (u64, u64),
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
}

#[derive(Debug)]
struct Socket {
    stream: Stream,
    number: u32,
    opening: bool,
    /// A write failed with this; what the peer sent before is still to be read.
    broken: Option<io::Error>,
    /// What the system would not take yet.
    unsent: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
struct Ready {
    connection: u32,
    number: u32,
    writable: bool,
    /// The peer has closed, so that reading must go on to the end of the stream.
    closed: bool,
}

/// What happened to a connection.
#[derive(Debug)]
pub(crate) enum Happening {
    /// It is open.
    Opened,
    /// So many bytes were read into the buffer.
    Received(usize),
    /// The peer closed it in good order; it is closed here, too.
    Ended,
    /// It failed (to open, if it was opening); it is closed.
    Failed(io::Error),
}

impl Reactor {
    /// For so many connections; `among` has the number of the first of them and of all workers'.
    pub(crate) fn new(
        target: &Target,
        sources: &[IpAddr],
        connections: usize,
        among: (u64, u64),
    ) -> io::Result<Self> {
        let poll = Poll::new()?;
        Ok(Self {
            timer: Timer::new(poll.registry(), Token(connections))?,
            poll,
            events: Events::with_capacity(1024),
            target: target.clone(),
            sources: sources.to_vec(),
            among,
            sockets: (0..=connections).map(|_| None).collect(),
            opened: 0,
            ready: Vec::with_capacity(1024),
            at: 0,
            turn: 0,
        })
    }

    /// Begins to open a connection; whether it is open at once. If not, `next` will say.
    pub(crate) fn open(&mut self, connection: usize) -> io::Result<bool> {
        let (first, all) = self.among;
        let number = first + connection as u64;
        let source = transport::source(&self.target, &self.sources, number, all);
        let stream = Stream::connect(&self.target, |socket| match source {
            Some(source) => kernel::bind_without_port(socket, source),
            None => Ok(()),
        })?;
        let open = stream.is_open()?;
        // A writable socket is nothing to wake up for, except while it opens.
        let interest = if open {
            Interest::READABLE
        } else {
            Interest::READABLE | Interest::WRITABLE
        };
        self.opened = self.opened.wrapping_add(1);
        let number = self.opened;
        stream.watch(self.poll.registry(), token(connection, number), interest)?;
        let unsent = Vec::new();
        let socket = Socket {
            stream,
            number,
            opening: !open,
            broken: None,
            unsent,
        };
        self.sockets[connection] = Some(socket);
        Ok(open)
    }

    /// Sends bytes, later if need be. A failure is told by `next`, after what can still be read.
    #[inline]
    pub(crate) fn send(&mut self, connection: usize, bytes: &[u8]) {
        let Some(socket) = &mut self.sockets[connection] else {
            return;
        };
        if !socket.unsent.is_empty() {
            socket.unsent.extend_from_slice(bytes);
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
        socket.unsent.extend_from_slice(&bytes[written..]);
        self.watch(connection, Interest::READABLE | Interest::WRITABLE);
    }

    /// Whether bytes of the last `send` are still here.
    pub(crate) fn has_unsent(&self, connection: usize) -> bool {
        self.unsent(connection) > 0
    }

    /// How many bytes wait until the peer has read what it was sent before.
    #[inline]
    pub(crate) fn unsent(&self, connection: usize) -> usize {
        let socket = self.sockets[connection].as_ref();
        socket.map_or(0, |socket| socket.unsent.len())
    }

    /// The connection as the kernel sees it.
    pub(crate) fn tcp_state(&self, connection: usize) -> Option<TcpState> {
        self.sockets[connection].as_ref()?.stream.tcp_state()
    }

    /// The connection's own end; none of a Unix socket.
    pub(crate) fn local_address(&self, connection: usize) -> Option<SocketAddr> {
        self.sockets[connection].as_ref()?.stream.local_address()
    }

    /// Closes a connection, if it is open.
    pub(crate) fn close(&mut self, connection: usize) {
        self.sockets[connection] = None; // the system forgets a closed descriptor by itself
    }

    /// Waits until something happens, at latest until `moment` (it is `now`). The precise timer
    /// costs a system call; [`Reactor::wait`] is precise to a millisecond and does not.
    pub(crate) fn wait_for(&mut self, moment: u64, now: u64) -> io::Result<()> {
        if moment <= now {
            return self.wait(Duration::ZERO);
        }
        self.timer.set(moment, now)?;
        // The timer ends this; what it is allowed beyond is never used up.
        self.wait(Duration::from_nanos(moment - now) + Duration::from_millis(1))
    }

    /// Waits until something happens, at most so long.
    pub(crate) fn wait(&mut self, patience: Duration) -> io::Result<()> {
        self.ready.drain(..self.at);
        self.at = 0;
        let patience = if self.ready.is_empty() {
            patience
        } else {
            Duration::ZERO
        };
        match self.poll.poll(&mut self.events, Some(patience)) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            outcome => {
                outcome?;
                self.ready.extend(self.events.iter().map(Ready::from));
            }
        }
        self.turn = self.ready.len();
        Ok(())
    }

    /// The next thing that happened; bytes that arrived are in `buffer`.
    #[inline]
    pub(crate) fn next(&mut self, buffer: &mut [u8]) -> Option<(usize, Happening)> {
        while self.at < self.turn {
            let ready = self.ready[self.at];
            self.at += 1;
            let connection = ready.connection as usize;
            let happening = match &mut self.sockets[connection] {
                Some(socket) if socket.number == ready.number => {
                    if socket.opening {
                        self.finish_opening(connection)
                    } else {
                        if ready.writable && !socket.unsent.is_empty() {
                            self.flush(connection);
                        }
                        self.read(ready, buffer)
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
    fn read(&mut self, ready: Ready, buffer: &mut [u8]) -> Option<Happening> {
        let connection = ready.connection as usize;
        let socket = self.sockets[connection].as_mut()?;
        let happening = match socket.stream.read(buffer) {
            // The system tells of a reset once: if that was to a write, reading finds an end.
            Ok(0) => {
                let reset = socket.broken.take().filter(is_reset);
                reset.map_or(Happening::Ended, Happening::Failed)
            }
            Ok(length) => {
                // A short read has emptied the socket: another one would only say so.
                if length == buffer.len() || ready.closed {
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
        match socket.stream.write(&socket.unsent) {
            Ok(written) => {
                socket.unsent.drain(..written);
            }
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
        if let Err(error) = socket.stream.rewatch(self.poll.registry(), token, interest) {
            socket.broken = Some(error);
        }
    }
}

impl From<&Event> for Ready {
    fn from(event: &Event) -> Self {
        let Token(token) = event.token();
        Self {
            connection: token as u32,
            number: (token >> 32) as u32,
            writable: event.is_writable(),
            closed: event.is_read_closed() || event.is_error(),
        }
    }
}

fn token(connection: usize, number: u32) -> Token {
    Token(connection | (number as usize) << 32)
}

fn would_block(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::WouldBlock
}

/// And not that the peer had closed it in good order before.
fn is_reset(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::ConnectionReset
}
