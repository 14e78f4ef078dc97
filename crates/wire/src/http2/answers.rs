//! What arrives on streams.

use super::connection::Connection;
use super::frame::{
    self, END_HEADERS, END_STREAM, Header, PADDED, RST_STREAM, WINDOW_UPDATE, WITH_PRIORITY,
};
use super::head::Head;
use super::streams::{Stream, Variant};
use super::{WINDOW, code};
use crate::message::LONGEST_HEAD;
use crate::{Event, Failure, Malformed, On, Result};

/// Where events go: to the peer, and to the caller.
pub(super) struct Events<'a, F> {
    pub(super) out: &'a mut Vec<u8>,
    pub(super) on: F,
}

/// A header block that comes in several frames.
#[derive(Debug)]
pub(super) struct Block {
    stream: u32,
    ends: bool,
    bytes: Vec<u8>,
}

impl Connection {
    #[inline]
    pub(super) fn headers(
        &mut self,
        header: Header,
        payload: &[u8],
        to: &mut Events<'_, impl On>,
    ) -> Result<()> {
        self.known(header.stream)?;
        let block = fragment(header, payload)?;
        let ends = header.has(END_STREAM);
        if header.has(END_HEADERS) {
            return self.head(header.stream, ends, block, to);
        }
        self.block = Some(Block {
            stream: header.stream,
            ends,
            bytes: block.to_vec(),
        });
        Ok(())
    }

    pub(super) fn continuation(
        &mut self,
        header: Header,
        payload: &[u8],
        to: &mut Events<'_, impl On>,
    ) -> Result<()> {
        let mut block = self.block.take().ok_or(Malformed::Frame)?;
        if block.stream != header.stream {
            return Err(Malformed::Frame);
        }
        block.bytes.extend_from_slice(payload);
        if block.bytes.len() > LONGEST_HEAD {
            return Err(Malformed::TooLong);
        }
        if header.has(END_HEADERS) {
            return self.head(block.stream, block.ends, &block.bytes, to);
        }
        self.block = Some(block);
        Ok(())
    }

    /// A header block is whole.
    #[inline]
    fn head(
        &mut self,
        id: u32,
        ends: bool,
        block: &[u8],
        to: &mut Events<'_, impl On>,
    ) -> Result<()> {
        // Whoever it is for, the next block can be read only if this one was.
        let head = self.heads.read(block)?;
        let Some(stream) = self.streams.get(id) else {
            return self.late(id);
        };
        match begin(stream, head, ends, to) {
            Err(why) => self.fail(id, why, to),
            Ok(()) if ends => self.whole(id, to),
            Ok(()) => {}
        }
        Ok(())
    }

    /// A `DATA` frame begins, with so many bytes besides its padding. It is too long or not from its
    /// beginning on, so that what is told does not depend on how it is cut.
    #[inline]
    pub(super) fn data(
        &mut self,
        header: Header,
        data: usize,
        to: &mut Events<'_, impl On>,
    ) -> Result<()> {
        self.known(header.stream)?;
        let length = header.length as u32;
        receive(&mut self.unreturned, length, 0, to.out);
        let Some(stream) = self.streams.get(header.stream) else {
            return self.late(header.stream);
        };
        if stream.variant != Variant::Body {
            self.fail(header.stream, Malformed::Head, to);
            return Ok(());
        }
        if let Some(missing) = &mut stream.missing {
            let Some(left) = missing.checked_sub(data as u64) else {
                self.fail(header.stream, Malformed::Length, to);
                return Ok(());
            };
            *missing = left;
        }
        receive(&mut stream.unreturned, length, stream.id, to.out);
        Ok(())
    }

    /// Data arrived; `ends` with the last of its stream.
    #[inline]
    pub(super) fn body(&mut self, id: u32, piece: &[u8], ends: bool, to: &mut Events<'_, impl On>) {
        let Some(stream) = self.streams.get(id) else {
            return; // given up
        };
        if !piece.is_empty() {
            (to.on)(stream.exchange, Event::Body(piece));
        }
        if ends {
            self.whole(id, to);
        }
    }

    /// The peer has ended a stream.
    #[inline]
    fn whole(&mut self, id: u32, to: &mut Events<'_, impl On>) {
        let Some(stream) = self.streams.end(id) else {
            return;
        };
        let cut = stream.missing.is_some_and(|missing| missing > 0);
        if self.outgoing.forget(id) {
            // It did not want the rest of the request (RFC 9113, section 8.1).
            frame::number(RST_STREAM, id, code::CANCEL, to.out);
        }
        let event = if cut {
            Event::Failed(Failure::Malformed(Malformed::Length))
        } else {
            Event::Done { keep: self.keeps() }
        };
        (to.on)(stream.exchange, event);
    }

    /// The peer has given a stream up.
    pub(super) fn reset(&mut self, id: u32, code: u32, to: &mut Events<'_, impl On>) -> Result<()> {
        self.known(id)?;
        let failure = match code {
            code::REFUSED_STREAM => Failure::Refused,
            code => Failure::Reset(code),
        };
        self.drop_stream(id, failure, to);
        Ok(())
    }

    /// Gives a stream up whose answer is none (section 8.1.1).
    pub(super) fn fail(&mut self, id: u32, why: Malformed, to: &mut Events<'_, impl On>) {
        if self.streams.get(id).is_some() {
            frame::number(RST_STREAM, id, code::PROTOCOL_ERROR, to.out);
        }
        self.drop_stream(id, Failure::Malformed(why), to);
    }

    pub(super) fn drop_stream(&mut self, id: u32, failure: Failure, to: &mut Events<'_, impl On>) {
        if let Some(stream) = self.streams.give_up(id) {
            self.outgoing.forget(id);
            (to.on)(stream.exchange, Event::Failed(failure));
        }
    }

    /// Something came for a stream that is over: late if we ended it, else too much.
    fn late(&self, id: u32) -> Result<()> {
        if self.streams.forgives(id) {
            Ok(())
        } else {
            Err(Malformed::Unasked)
        }
    }
}

/// A head, or trailers (section 8.1), of which only the place is looked at.
#[inline]
fn begin(stream: &mut Stream, head: &Head, ends: bool, to: &mut Events<'_, impl On>) -> Result<()> {
    if stream.variant == Variant::Asked {
        stream.variant = Variant::Begun;
        (to.on)(stream.exchange, Event::FirstByte);
    }
    if let Some(flaw) = head.flaw {
        return Err(flaw);
    }
    match (stream.variant, head.status) {
        (Variant::Body, 0) if ends => return Ok(()),
        (Variant::Body, _) | (_, 0) => return Err(Malformed::Head),
        (_, 101) => return Err(Malformed::Status), // there are no upgrades (section 8.6)
        (_, 100..200) if ends => return Err(Malformed::Status),
        (_, 100..200) => return Ok(()), // interim: the answer is still to come
        _ => {}
    }
    stream.variant = Variant::Body;
    stream.missing = match head.status {
        _ if stream.bodiless => Some(0),
        204 | 304 => Some(0),
        _ => head.length,
    };
    let (status, fields) = (head.status, head.fields.as_slice());
    (to.on)(stream.exchange, Event::Head { status, fields });
    Ok(())
}

/// Of a `HEADERS` frame, the part of the block.
fn fragment(header: Header, mut payload: &[u8]) -> Result<&[u8]> {
    let mut padding = 0;
    if header.has(PADDED) {
        let (&length, rest) = payload.split_first().ok_or(Malformed::Frame)?;
        (padding, payload) = (usize::from(length), rest);
    }
    if header.has(WITH_PRIORITY) {
        payload = payload.get(5..).ok_or(Malformed::Frame)?;
    }
    let length = payload.len().checked_sub(padding);
    length
        .map(|length| &payload[..length])
        .ok_or(Malformed::Frame)
}

/// Counts what came under flow control, and gives it back when it is half of what may come.
#[inline]
fn receive(unreturned: &mut u32, length: u32, stream: u32, out: &mut Vec<u8>) {
    *unreturned += length;
    if *unreturned > WINDOW / 2 {
        frame::number(WINDOW_UPDATE, stream, *unreturned, out);
        *unreturned = 0;
    }
}
