use super::answers::{Block, Events};
use super::code;
use super::frame::{
    self, ACK, CONTINUATION, DATA, GOAWAY, HEADERS, Header, LONGEST, PING, PRIORITY, PUSH_PROMISE,
    Piece, RST_STREAM, SETTINGS, WINDOW_UPDATE,
};
use super::head::Heads;
use super::hpack::NO_TABLE;
use super::outgoing::Outgoing;
use super::request::Request;
use super::streams::{MOST, Streams, Variant};
use crate::{Exchange, Failure, Malformed, On, Result, Setup};

/// Streams at once before the peer has said how many it takes: what every peer should (RFC 9113,
/// section 6.5.2).
const FIRST_STREAMS: u32 = 100;

/// What a peer's header table holds unless it says otherwise.
const HEADER_TABLE: u32 = 4096;

/// Settings (section 6.5.2).
mod setting {
    pub(super) const HEADER_TABLE_SIZE: u16 = 1;
    pub(super) const ENABLE_PUSH: u16 = 2;
    pub(super) const MAX_CONCURRENT_STREAMS: u16 = 3;
    pub(super) const INITIAL_WINDOW_SIZE: u16 = 4;
    pub(super) const MAX_FRAME_SIZE: u16 = 5;
}

/// All that a connection knows, except how its bytes are cut into frames.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) streams: Streams,
    pub(super) heads: Heads,
    pub(super) outgoing: Outgoing,
    /// The header block of which the end has not come.
    pub(super) block: Option<Block>,
    /// Bytes of `DATA` that came since the peer was last allowed more.
    pub(super) unreturned: u32,
    /// Most streams at once that we want.
    depth: u32,
    /// And that the peer takes, once it has said anything.
    allowed: Option<u32>,
    /// Whether requests travel inside TLS.
    secure: bool,
    /// Whether the next block must begin by emptying the peer's table: it has made it smaller
    /// (RFC 7541, section 4.2).
    shrink: bool,
    /// Whether no further request may be sent.
    closing: bool,
}

impl Connection {
    pub(super) fn new(setup: &Setup) -> Self {
        Self {
            streams: Streams::new(setup.depth),
            heads: Heads::default(),
            outgoing: Outgoing::new(),
            block: None,
            unreturned: 0,
            depth: setup.depth.min(MOST),
            allowed: None,
            secure: setup.secure,
            shrink: false,
            closing: false,
        }
    }

    /// Whether the connection can carry another request.
    pub(super) fn keeps(&self) -> bool {
        !self.closing && self.streams.has_numbers()
    }

    pub(super) fn capacity(&self) -> usize {
        if !self.keeps() {
            return 0;
        }
        let most = self.depth.min(self.allowed.unwrap_or(FIRST_STREAMS));
        (most as usize).saturating_sub(self.streams.open)
    }

    #[inline]
    pub(super) fn send(&mut self, exchange: Exchange, request: &Request, out: &mut Vec<u8>) {
        let stream = self.streams.begin(exchange, request.bodiless);
        let first = std::mem::take(&mut self.shrink).then_some(NO_TABLE);
        request.write(stream, self.secure, first, out);
        if !request.body.is_empty() {
            self.outgoing.begin(stream, &request.body, out);
        }
        self.closing |= !request.keep;
    }

    pub(super) fn cancel(&mut self, exchange: Exchange, out: &mut Vec<u8>) -> bool {
        if let Some(stream) = self.streams.of(exchange) {
            self.streams.give_up(stream);
            self.outgoing.forget(stream);
            frame::number(RST_STREAM, stream, code::CANCEL, out);
        }
        true
    }

    /// The peer has ended the connection; how far the oldest answer had come.
    pub(super) fn end(&mut self) -> Option<Variant> {
        self.closing = true;
        self.streams.oldest().map(|stream| stream.variant)
    }

    #[inline]
    pub(super) fn take(&mut self, piece: Piece<'_>, to: &mut Events<'_, impl On>) -> Result<()> {
        match piece {
            Piece::Body(stream, piece, ends) => {
                self.body(stream, piece, ends, to);
                Ok(())
            }
            Piece::Data(header, data) if self.block.is_none() => self.data(header, data, to),
            Piece::Frame(header, payload) if header.kind == CONTINUATION => {
                self.continuation(header, payload, to)
            }
            Piece::Frame(header, payload) if self.block.is_none() => {
                self.frame(header, payload, to)
            }
            // Nothing may come between the parts of a header block (section 6.10).
            Piece::Data(..) | Piece::Frame(..) => Err(Malformed::Frame),
        }
    }

    fn frame(
        &mut self,
        header: Header,
        payload: &[u8],
        to: &mut Events<'_, impl On>,
    ) -> Result<()> {
        let of_stream = matches!(header.kind, DATA | HEADERS | RST_STREAM | PRIORITY);
        let of_connection = matches!(header.kind, SETTINGS | PING | GOAWAY);
        if (of_stream && header.stream == 0) || (of_connection && header.stream != 0) {
            return Err(Malformed::Frame);
        }
        match (header.kind, payload) {
            (HEADERS, _) => self.headers(header, payload, to),
            (RST_STREAM, &[a, b, c, d]) => {
                self.reset(header.stream, u32::from_be_bytes([a, b, c, d]), to)
            }
            (WINDOW_UPDATE, &[a, b, c, d]) => {
                let more = u32::from_be_bytes([a & 0x7f, b, c, d]);
                self.window(header.stream, more, to)
            }
            (SETTINGS, []) if header.has(ACK) => Ok(()),
            (SETTINGS, _) if !header.has(ACK) => self.settings(payload, to.out),
            (PING, &[_, _, _, _, _, _, _, _]) => {
                if !header.has(ACK) {
                    frame::header(payload.len(), PING, ACK, 0, to.out);
                    to.out.extend_from_slice(payload);
                }
                Ok(())
            }
            (GOAWAY, &[a, b, c, d, _, _, _, _, ..]) => {
                self.going_away(u32::from_be_bytes([a & 0x7f, b, c, d]), to);
                Ok(())
            }
            (PRIORITY, [_, _, _, _, _]) => Ok(()), // advice that a server has no use in giving
            (SETTINGS | PING | GOAWAY | PRIORITY | RST_STREAM | WINDOW_UPDATE, _) => {
                Err(Malformed::Frame)
            }
            (PUSH_PROMISE, _) => Err(Malformed::Frame), // we have said that we want none
            _ => Ok(()), // kinds that are unknown must be passed over (section 4.1)
        }
    }

    fn settings(&mut self, payload: &[u8], out: &mut Vec<u8>) -> Result<()> {
        let (settings, []) = payload.as_chunks::<6>() else {
            return Err(Malformed::Frame);
        };
        self.allowed.get_or_insert(u32::MAX); // one that does not say otherwise takes any number
        frame::header(0, SETTINGS, ACK, 0, out);
        for &[a, b, c, d, e, f] in settings {
            let value = u32::from_be_bytes([c, d, e, f]);
            match u16::from_be_bytes([a, b]) {
                setting::HEADER_TABLE_SIZE => self.shrink |= value < HEADER_TABLE,
                setting::ENABLE_PUSH if value != 0 => return Err(Malformed::Frame),
                setting::MAX_CONCURRENT_STREAMS => self.allowed = Some(value),
                setting::INITIAL_WINDOW_SIZE => self.outgoing.set_initial(value, out)?,
                setting::MAX_FRAME_SIZE if !(LONGEST as u32..1 << 24).contains(&value) => {
                    return Err(Malformed::Frame);
                }
                _ => {} // frames that we send are never longer than any peer must take
            }
        }
        Ok(())
    }

    fn window(&mut self, stream: u32, more: u32, to: &mut Events<'_, impl On>) -> Result<()> {
        if stream == 0 {
            if more == 0 {
                return Err(Malformed::FlowControl);
            }
            return self.outgoing.widen(more, to.out);
        }
        self.known(stream)?;
        let widened = match more {
            0 => Err(Malformed::FlowControl),
            more => self.outgoing.widen_stream(stream, more, to.out),
        };
        if let Err(why) = widened {
            self.fail(stream, why, to); // an error of the stream alone (section 6.9)
        }
        Ok(())
    }

    /// The peer takes no further requests, and has not begun those above `last` (section 6.8).
    fn going_away(&mut self, last: u32, to: &mut Events<'_, impl On>) {
        self.closing = true;
        for stream in self.streams.above(last) {
            self.drop_stream(stream, Failure::Refused, to);
        }
    }

    /// Refuses the number of a stream that has never been opened.
    #[inline]
    pub(super) fn known(&self, stream: u32) -> Result<()> {
        if self.streams.was_opened(stream) {
            Ok(())
        } else {
            Err(Malformed::Frame)
        }
    }
}
