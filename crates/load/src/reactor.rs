//! The event loop of one worker: opens, reads, writes and closes numbered connections, and says what happened to them, one
//! thing at a time. There are two: one is told which sockets are ready, the other has the kernel read and write.

mod poll;
mod ring;

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use record::{Flaw, Reactor as Kind, Target, TcpState};

use crate::transport::{self, Stream};
use poll::Poll;
use ring::Ring;

/// Requests that are handed to the kernel at once, where it sends them, if little lies between two of them: the first then waits for
/// what the engine does for fifteen other answers, which is 0.12 ms where it takes 8 us for each.
pub(crate) const BATCH: u32 = 16;

/// One of the loops.
#[derive(Debug)]
pub(crate) enum Reactor {
    Poll(Box<Poll>),
    Ring(Box<Ring>),
}

/// What happened to a connection.
#[derive(Debug)]
pub(crate) enum Happening {
    /// It is open.
    Opened,
    /// So many bytes came.
    Received(usize),
    /// The peer closed it in good order; it is closed here, too.
    Ended,
    /// It failed (to open, if it was opening); it is closed.
    Failed(io::Error),
}

/// The kind that a load is applied with, where this was asked for. A caller that knows what is cheaper on this machine asks for
/// that; without, it is epoll.
///
/// # Errors
/// It cannot be had here.
pub(crate) fn chosen(wanted: Kind) -> Result<Kind, Flaw> {
    match wanted {
        Kind::Auto | Kind::Poll => Ok(Kind::Poll),
        Kind::Ring if Ring::is_possible() => Ok(Kind::Ring),
        Kind::Ring => Err(Flaw::new(
            "reactor",
            "needs io_uring as Linux has it since 6.12, and leave to use it (kernel.io_uring_disabled)",
            "leave it out, or choose {reactor = \"poll\"}",
        )),
    }
}

/// Where connections go, and where they come from.
#[derive(Debug)]
pub(crate) struct Origin {
    target: Target,
    /// Addresses that they come from, in turn, if that was asked for.
    sources: Vec<IpAddr>,
    /// Number of the first of these connections among all, and of all.
    among: (u64, u64),
}

impl Origin {
    /// `among` has the number of the first connection and of all workers'.
    pub(crate) fn new(target: &Target, sources: &[IpAddr], among: (u64, u64)) -> Self {
        Self {
            target: target.clone(),
            sources: sources.to_vec(),
            among,
        }
    }

    /// Begins to open a connection.
    fn connect(&self, connection: usize) -> io::Result<Stream> {
        let (first, all) = self.among;
        let number = first + connection as u64;
        let source = transport::source(&self.target, &self.sources, number, all);
        Stream::connect(&self.target, all, |socket| match source {
            Some(source) => kernel::bind_without_port(socket, source),
            None => Ok(()),
        })
    }
}

macro_rules! either {
    ($self:ident, $one:ident => $does:expr) => {
        match $self {
            Self::Poll($one) => $does,
            Self::Ring($one) => $does,
        }
    };
}

impl Reactor {
    /// One of this kind, for so many connections, on each of which `depth` requests are under way at most. Where the kernel sends
    /// them, it is given `batch` at once, or fewer at the end of a turn; else each is sent at once.
    pub(crate) fn new(
        kind: Kind,
        origin: Origin,
        connections: usize,
        depth: u32,
        batch: u32,
    ) -> io::Result<Self> {
        Ok(match kind {
            Kind::Auto | Kind::Poll => Self::Poll(Box::new(Poll::new(origin, connections)?)),
            Kind::Ring => Self::Ring(Box::new(Ring::new(origin, connections, depth, batch)?)),
        })
    }

    /// Has it find so many happenings in a turn at most.
    #[cfg(test)]
    pub(crate) fn at_once(&mut self, most: u32) {
        either!(self, one => one.at_once(most));
    }

    /// Begins to open a connection; whether it is open at once. If not, `next` will say.
    pub(crate) fn open(&mut self, connection: usize) -> io::Result<bool> {
        either!(self, one => one.open(connection))
    }

    /// Sends bytes, later if need be. A failure is told by `next`, after what can still be read.
    #[inline]
    pub(crate) fn send(&mut self, connection: usize, bytes: &[u8]) {
        either!(self, one => one.send(connection, bytes));
    }

    /// Whether bytes of the last `send` are still here.
    pub(crate) fn has_unsent(&self, connection: usize) -> bool {
        self.unsent(connection) > 0
    }

    /// How many bytes wait until the peer has read what it was sent before.
    #[inline]
    pub(crate) fn unsent(&self, connection: usize) -> usize {
        either!(self, one => one.unsent(connection))
    }

    /// The connection as the kernel sees it.
    pub(crate) fn tcp_state(&self, connection: usize) -> Option<TcpState> {
        either!(self, one => one.stream(connection)?.tcp_state())
    }

    /// The connection's own end; none of a Unix socket.
    pub(crate) fn local_address(&self, connection: usize) -> Option<SocketAddr> {
        either!(self, one => one.stream(connection)?.local_address())
    }

    /// Closes a connection, if it is open.
    pub(crate) fn close(&mut self, connection: usize) {
        either!(self, one => one.close(connection));
    }

    /// Waits until something happens, at latest until `moment` (it is `now`), to the microsecond. [`Reactor::wait`] may be
    /// less precise, and cheaper.
    pub(crate) fn wait_for(&mut self, moment: u64, now: u64) -> io::Result<()> {
        either!(self, one => one.wait_for(moment, now))
    }

    /// Waits until something happens, at most so long.
    pub(crate) fn wait(&mut self, patience: Duration) -> io::Result<()> {
        either!(self, one => one.wait(patience))
    }

    /// The connection that something will be told of soon, as far as that is known.
    #[inline]
    pub(crate) fn soon(&self) -> Option<usize> {
        either!(self, one => one.soon())
    }

    /// Whether something happened that `next` has not told yet.
    pub(crate) fn has_next(&self) -> bool {
        either!(self, one => one.has_next())
    }

    /// The next thing that happened.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<(usize, Happening)> {
        either!(self, one => one.next())
    }

    /// The bytes of the last [`Happening::Received`].
    #[inline]
    pub(crate) fn received(&self) -> &[u8] {
        either!(self, one => one.received())
    }
}

/// And not that the peer had closed it in good order before.
fn is_reset(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::ConnectionReset
}
