//! HTTP/2 as a client that knows beforehand that it is spoken (RFC 9113, section 3.3): many requests
//! at once on a connection, each on a stream of its own.
//!
//! The peer is allowed so much at once that flow control never slows an answer down, and requests
//! leave the header compression's state alone, so that the same bytes ask again and again.

mod answers;
mod connection;
mod frame;
mod head;
mod hpack;
mod outgoing;
mod request;
mod streams;
#[cfg(test)]
mod tests;

pub use request::Request;

use answers::Events;
use connection::Connection;
use frame::{Reader, SETTINGS, WINDOW_UPDATE};
use streams::Variant;

use crate::{Ask, AtOnce, End, Exchange, On, Result, Session, Setup, Unsendable};

/// What a client says first (RFC 9113, section 3.4).
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// Bytes that the peer may send ahead on a stream, and on the connection; half of it is given back
/// at once. Less than 2^31 - 1, for peers whose sums overflow.
const WINDOW: u32 = (1 << 30) - 1;

/// The connection's window before anybody changes it (section 6.9.2).
const FIRST_WINDOW: u32 = 65_535;

const ENABLE_PUSH: u16 = 2;
const INITIAL_WINDOW_SIZE: u16 = 4;

/// Error codes (section 7).
mod code {
    pub(super) const PROTOCOL_ERROR: u32 = 1;
    pub(super) const REFUSED_STREAM: u32 = 7;
    pub(super) const CANCEL: u32 = 8;
}

/// One HTTP/2 connection.
#[derive(Debug)]
pub struct Http2 {
    reader: Reader,
    connection: Connection,
}

impl Session for Http2 {
    const ALPN: &'static [&'static [u8]] = &[b"h2"];
    const NEEDS_ALPN: bool = true;
    const AT_ONCE: AtOnce = AtOnce::Streams;

    type Request = Request;

    fn prepare(ask: &Ask<'_>) -> Result<Request, Unsendable> {
        Request::new(ask)
    }

    fn length(request: &Request) -> usize {
        request.length()
    }

    fn open(setup: &Setup, out: &mut Vec<u8>) -> Self {
        out.extend_from_slice(PREFACE);
        let settings = [(ENABLE_PUSH, 0), (INITIAL_WINDOW_SIZE, WINDOW)];
        frame::header(6 * settings.len(), SETTINGS, 0, 0, out);
        for (name, value) in settings {
            out.extend(name.to_be_bytes());
            out.extend(u32::to_be_bytes(value));
        }
        frame::number(WINDOW_UPDATE, 0, WINDOW - FIRST_WINDOW, out);
        Self {
            reader: Reader::default(),
            connection: Connection::new(setup),
        }
    }

    #[inline]
    fn capacity(&self) -> usize {
        self.connection.capacity()
    }

    #[inline]
    fn send(&mut self, exchange: Exchange, request: &Request, out: &mut Vec<u8>) {
        debug_assert!(self.capacity() > 0);
        self.connection.send(exchange, request, out);
    }

    fn cancel(&mut self, exchange: Exchange, out: &mut Vec<u8>) -> bool {
        self.connection.cancel(exchange, out)
    }

    #[inline]
    fn receive(&mut self, bytes: &[u8], out: &mut Vec<u8>, on: impl On) -> Result<()> {
        let mut events = Events { out, on };
        let Self { reader, connection } = self;
        reader.receive(bytes, |piece| connection.take(piece, &mut events))
    }

    fn close(&mut self, _: impl On) -> End {
        match self.connection.end() {
            None => End::Idle,
            Some(Variant::Asked) => End::BeforeAnswer,
            // Whatever has come, the frame that ends the stream has not.
            Some(Variant::Begun | Variant::Body) => End::Truncated,
        }
    }
}
