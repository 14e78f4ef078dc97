//! Completion: the kernel receives and sends (`io_uring`), and says when it has. One crossing into it serves many connections.

mod socket;

use std::io;
use std::num::NonZeroU64;
use std::sync::LazyLock;
use std::time::Duration;

use kernel::{Ended, Text};

use super::{Happening, Origin, is_reset};
use crate::transport::Stream;
use socket::{Socket, at, token};

/// Requests after which a batch is handed over in the middle of a turn: what the last one of it waits for the others is a few
/// microseconds.
const BATCH: u32 = 16;
/// Different bytes that are kept to be sent again: those of the first requests. Loads of more kinds of request send copies.
const TEXTS: usize = 8;
/// Bytes of all requests under way on a connection, at most, of which nobody tells that they were sent: its socket has room for
/// them, so that they are as soon as they are handed over.
const UNTOLD: usize = 4096;
/// Bytes of which nobody tells that they were sent, on one socket in a row, at most; of those after them somebody does. Whoever
/// has to be acknowledged and never reads would else have the kernel keep requests without end.
const UNTOLD_IN_A_ROW: usize = 16 * 1024;

/// A loop that has the kernel receive and send.
#[derive(Debug)]
pub(crate) struct Ring {
    queues: kernel::Ring,
    origin: Origin,
    sockets: Vec<Option<Socket>>,
    /// What was sent first, and how long such texts are at most.
    texts: Vec<Text>,
    longest: usize,
    /// Sockets opened so far; tells the end of a request of a closed socket from one of its successor's.
    opened: u32,
}

impl Ring {
    /// Whether the kernel has what it takes.
    pub(super) fn is_possible() -> bool {
        static POSSIBLE: LazyLock<bool> = LazyLock::new(|| kernel::Ring::new(1).is_ok());
        *POSSIBLE
    }

    /// For so many connections, on each of which so many requests are under way at most.
    pub(super) fn new(origin: Origin, connections: usize, depth: u32) -> io::Result<Self> {
        let queues = kernel::Ring::new(connections)?;
        // waits end when their time is up, and not up to 50 us later
        rustix::thread::set_current_timer_slack(NonZeroU64::new(1))?;
        Ok(Self {
            queues,
            origin,
            sockets: (0..connections).map(|_| None).collect(),
            texts: Vec::with_capacity(TEXTS),
            longest: UNTOLD / depth.max(1) as usize,
            opened: 0,
        })
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
        if self.queues.queued() >= BATCH {
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

    /// The socket that was meant, if it is still there.
    #[inline]
    fn socket(&mut self, of: u64) -> Option<&mut Socket> {
        let socket = self.sockets.get_mut(at(of))?.as_mut()?;
        (token(at(of), socket.number) == of).then_some(socket)
    }

    #[inline]
    fn arrived(&mut self, of: u64, outcome: io::Result<usize>, more: bool) -> Option<Happening> {
        let socket = self.socket(of)?;
        socket.receives = more;
        let happening = match outcome {
            Ok(0) => {
                let reset = socket.broken.take().filter(is_reset);
                reset.map_or(Happening::Ended, Happening::Failed)
            }
            Ok(length) => {
                socket.unheard = false;
                if !more {
                    self.receive(of);
                }
                return Some(Happening::Received(length));
            }
            // there was no buffer left: there is by the time that this is handed over
            Err(error) if error.raw_os_error() == Some(NO_BUFFER) => {
                self.receive(of);
                return None;
            }
            Err(error) => Happening::Failed(error),
        };
        self.close(at(of));
        Some(happening)
    }

    fn receive(&mut self, of: u64) {
        if let Some(socket) = self.sockets[at(of)].as_mut() {
            socket.receives = true;
            self.queues.receive(socket.stream.descriptor(), of);
        }
    }

    #[inline]
    fn sent(
        &mut self,
        of: u64,
        outcome: io::Result<usize>,
        mut bytes: Vec<u8>,
    ) -> Option<Happening> {
        let socket = self.socket(of)?;
        socket.sending = 0;
        match outcome {
            // it failed in the middle, and so will the rest; or it is more than 4 GiB
            Ok(sent) if sent < bytes.len() => {
                bytes.drain(..sent);
            }
            Ok(_) => {
                socket.untold = 0; // what was sent before went before
                bytes.clear();
                std::mem::swap(&mut bytes, &mut socket.unsent);
            }
            // what the peer sent before it closed is still to come, and then its end
            Err(error) if is_closed(&error) && socket.receives => {
                socket.broken = Some(error);
                socket.unsent.clear();
                return None;
            }
            Err(error) => {
                self.close(at(of));
                return Some(Happening::Failed(error));
            }
        }
        if bytes.is_empty() {
            socket.spare = bytes;
            return None;
        }
        let socket = self.sockets[at(of)].as_mut()?;
        socket.hand_over(&mut self.queues, at(of), bytes);
        None
    }

    fn finish_opening(&mut self, of: u64) -> Option<Happening> {
        let socket = self.socket(of)?;
        match socket.stream.is_open() {
            Ok(true) => {}
            Ok(false) => {
                let socket = self.sockets[at(of)].as_ref()?;
                self.queues.opening(socket.stream.descriptor(), of);
                return None;
            }
            Err(error) => return self.fail_to_open(of, error),
        }
        socket.opening = false;
        if let Err(error) = socket.stream.block() {
            return self.fail_to_open(of, error);
        }
        self.receive(of);
        Some(Happening::Opened)
    }

    /// Nothing is asked for under this token any more.
    fn fail_to_open(&mut self, of: u64, error: io::Error) -> Option<Happening> {
        self.socket(of)?.opening = false;
        self.close(at(of));
        Some(Happening::Failed(error))
    }
}

/// `ENOBUFS`.
const NO_BUFFER: i32 = rustix::io::Errno::NOBUFS.raw_os_error();

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

/// The peer has closed the connection.
fn is_closed(error: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionReset};
    matches!(error.kind(), BrokenPipe | ConnectionReset)
}
