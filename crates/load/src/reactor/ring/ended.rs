//! What came of what the kernel was asked to do for a socket.

use std::io;

use super::Ring;
use super::socket::{Socket, at, token};
use crate::reactor::{Happening, is_reset};

/// `ENOBUFS`.
const NO_BUFFER: i32 = rustix::io::Errno::NOBUFS.raw_os_error();

impl Ring {
    /// The socket that was meant, if it is still there.
    #[inline]
    fn socket(&mut self, of: u64) -> Option<&mut Socket> {
        let socket = self.sockets.get_mut(at(of))?.as_mut()?;
        (token(at(of), socket.number) == of).then_some(socket)
    }

    #[inline]
    pub(super) fn arrived(
        &mut self,
        of: u64,
        outcome: io::Result<usize>,
        more: bool,
    ) -> Option<Happening> {
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
    pub(super) fn sent(
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

    pub(super) fn finish_opening(&mut self, of: u64) -> Option<Happening> {
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

/// The peer has closed the connection.
fn is_closed(error: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionReset};
    matches!(error.kind(), BrokenPipe | ConnectionReset)
}
