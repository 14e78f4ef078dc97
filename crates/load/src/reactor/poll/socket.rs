//! A socket that is read and written when it is ready, and what is still to be written to it.

use std::io;

use crate::transport::Stream;
use crate::unsent::Unsent;

#[derive(Debug)]
pub(super) struct Socket {
    pub(super) stream: Stream,
    pub(super) number: u32,
    pub(super) opening: bool,
    /// A write failed with this; what the peer sent before is still to be read.
    pub(super) broken: Option<io::Error>,
    /// What the system would not take yet.
    pub(super) unsent: Unsent,
}

impl Socket {
    /// One that is open, or opening.
    pub(super) fn new(stream: Stream, number: u32, open: bool) -> Self {
        Self {
            stream,
            number,
            opening: !open,
            broken: None,
            unsent: Unsent::default(),
        }
    }
}
