//! What the kernel says of a socket, and the token by which it names it.

use mio::Token;
use mio::event::Event;

#[derive(Clone, Copy, Debug)]
pub(super) struct Ready {
    pub(super) connection: u32,
    pub(super) number: u32,
    pub(super) writable: bool,
    /// The peer has closed, so that reading must go on to the end of the stream.
    pub(super) closed: bool,
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

pub(super) fn token(connection: usize, number: u32) -> Token {
    Token(connection | (number as usize) << 32)
}
