//! A socket from which the kernel receives, and what it has to send there.

use std::io;

use crate::transport::Stream;

#[derive(Debug)]
pub(super) struct Socket {
    pub(super) stream: Stream,
    pub(super) number: u32,
    pub(super) opening: bool,
    /// Whether the kernel receives without being asked again.
    pub(super) receives: bool,
    /// A send failed with this; what the peer sent before is still to come.
    pub(super) broken: Option<io::Error>,
    /// Bytes that the kernel has to send, and when they were given to it, in turns; 0 where it has none.
    pub(super) sending: usize,
    pub(super) since: u64,
    /// Bytes sent in a row of which nobody tells that they were, and whether some were since the peer was last heard: they may
    /// wait for it to read.
    pub(super) untold: usize,
    pub(super) unheard: bool,
    /// What is to be sent after them.
    pub(super) unsent: Vec<u8>,
    /// Room for what is sent next.
    pub(super) spare: Vec<u8>,
}

impl Socket {
    /// One that is open, or opening.
    pub(super) fn new(stream: Stream, number: u32, open: bool) -> Self {
        Self {
            stream,
            number,
            opening: !open,
            receives: open,
            broken: None,
            sending: 0,
            since: 0,
            untold: 0,
            unheard: false,
            unsent: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// Gives bytes to the kernel.
    #[inline]
    pub(super) fn hand_over(&mut self, ring: &mut kernel::Ring, connection: usize, bytes: Vec<u8>) {
        self.sending = bytes.len();
        self.since = ring.turn();
        ring.send(
            self.stream.descriptor(),
            token(connection, self.number),
            bytes,
        );
    }
}

/// A connection's and a socket's number as one.
pub(super) fn token(connection: usize, number: u32) -> u64 {
    connection as u64 | u64::from(number) << 32
}

/// The connection's.
pub(super) fn at(token: u64) -> usize {
    (token as u32) as usize
}
