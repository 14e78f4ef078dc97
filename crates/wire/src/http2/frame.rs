//! Frames (RFC 9113, sections 4 and 6) as bytes: cut out of a stream, and written.

use crate::{Malformed, Result};

/// Bytes before each payload.
pub(super) const HEADER: usize = 9;

/// Longest payload that is sent and accepted: what every peer must take (section 4.2), and what
/// holds as long as nobody asks for more.
pub(super) const LONGEST: usize = 16_384;

pub(super) const DATA: u8 = 0;
pub(super) const HEADERS: u8 = 1;
pub(super) const PRIORITY: u8 = 2;
pub(super) const RST_STREAM: u8 = 3;
pub(super) const SETTINGS: u8 = 4;
pub(super) const PUSH_PROMISE: u8 = 5;
pub(super) const PING: u8 = 6;
pub(super) const GOAWAY: u8 = 7;
pub(super) const WINDOW_UPDATE: u8 = 8;
pub(super) const CONTINUATION: u8 = 9;

/// Of `SETTINGS` and `PING`.
pub(super) const ACK: u8 = 0x1;
/// Of `DATA` and `HEADERS`.
pub(super) const END_STREAM: u8 = 0x1;
/// Of `HEADERS` and `CONTINUATION`.
pub(super) const END_HEADERS: u8 = 0x4;
/// Of `DATA` and `HEADERS`.
pub(super) const PADDED: u8 = 0x8;
/// Of `HEADERS`.
pub(super) const WITH_PRIORITY: u8 = 0x20;

/// What stands before a payload.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    pub(super) length: usize,
    pub(super) kind: u8,
    pub(super) flags: u8,
    pub(super) stream: u32,
}

impl Header {
    fn read(bytes: &[u8; HEADER]) -> Self {
        let [a, b, c, kind, flags, stream @ ..] = *bytes;
        Self {
            length: u32::from_be_bytes([0, a, b, c]) as usize,
            kind,
            flags,
            stream: u32::from_be_bytes(stream) & !(1 << 31), // the first bit means nothing
        }
    }

    pub(super) fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }
}

/// Something of a stream of frames.
#[derive(Clone, Copy, Debug)]
pub(super) enum Piece<'a> {
    /// A frame with its whole payload.
    Frame(Header, &'a [u8]),
    /// A `DATA` frame begins that holds so many bytes besides its padding.
    Data(Header, usize),
    /// Bytes of the `DATA` frame that has begun, on this stream; `true` with the stream's last.
    Body(u32, &'a [u8], bool),
}

/// Cuts a stream into frames. Those of `DATA` are handed on as they arrive, the others whole.
#[derive(Debug, Default)]
pub(super) struct Reader {
    /// The start of a frame that has not arrived whole.
    partial: Vec<u8>,
    /// The `DATA` frame being read: its missing bytes of data, and of padding.
    data: Option<(Header, usize, usize)>,
    /// Whether a frame has been read.
    begun: bool,
}

impl Reader {
    /// Takes bytes that arrived; calls `on` for each piece, in order.
    pub(super) fn receive(
        &mut self,
        mut bytes: &[u8],
        mut on: impl FnMut(Piece<'_>) -> Result<()>,
    ) -> Result<()> {
        while !bytes.is_empty() {
            if let Some(data) = self.data {
                bytes = self.body(bytes, data, &mut on)?;
            } else if self.partial.is_empty() {
                let Some(wanted) = self.wanted(bytes)?.filter(|&all| all <= bytes.len()) else {
                    self.partial.extend_from_slice(bytes);
                    return Ok(());
                };
                let (frame, rest) = bytes.split_at(wanted);
                self.frame(frame, &mut on)?;
                bytes = rest;
            } else {
                let wanted = self.wanted(&self.partial)?.unwrap_or(HEADER);
                let piece = bytes.len().min(wanted - self.partial.len());
                self.partial.extend_from_slice(&bytes[..piece]);
                bytes = &bytes[piece..];
                if self.wanted(&self.partial)? == Some(self.partial.len()) {
                    let frame = std::mem::take(&mut self.partial);
                    self.frame(&frame, &mut on)?;
                    self.partial = frame;
                    self.partial.clear(); // its allocation serves the next frame
                }
            }
        }
        Ok(())
    }

    /// How many bytes must be together, beginning with these: a whole frame, or of `DATA` what
    /// stands before the data. `None` as long as that cannot be known.
    fn wanted(&self, bytes: &[u8]) -> Result<Option<usize>> {
        let Some(header) = bytes.first_chunk().map(Header::read) else {
            return Ok(None);
        };
        // What does not speak HTTP/2 at all is told from what speaks it wrongly.
        if !self.begun && (header.kind != SETTINGS || header.has(ACK)) {
            return Err(Malformed::Preface);
        }
        if header.length > LONGEST {
            return Err(Malformed::Frame);
        }
        let together = match header.kind {
            DATA if !header.has(PADDED) => 0,
            DATA if header.length == 0 => return Err(Malformed::Frame),
            DATA => 1,
            _ => header.length,
        };
        Ok(Some(HEADER + together))
    }

    fn frame(&mut self, bytes: &[u8], on: &mut impl FnMut(Piece<'_>) -> Result<()>) -> Result<()> {
        let Some((header, payload)) = bytes.split_first_chunk() else {
            return Ok(());
        };
        let header = Header::read(header);
        self.begun = true;
        if header.kind != DATA {
            return on(Piece::Frame(header, payload));
        }
        let padding = payload.first().map_or(0, |&length| usize::from(length));
        let data = (header.length - payload.len()).checked_sub(padding);
        let data = data.ok_or(Malformed::Frame)?;
        on(Piece::Data(header, data))?;
        if data + padding == 0 {
            return on(Piece::Body(header.stream, &[], header.has(END_STREAM)));
        }
        self.data = Some((header, data, padding));
        Ok(())
    }

    /// Hands on what these bytes hold of a `DATA` frame; what follows it.
    fn body<'a>(
        &mut self,
        bytes: &'a [u8],
        (header, missing, padding): (Header, usize, usize),
        on: &mut impl FnMut(Piece<'_>) -> Result<()>,
    ) -> Result<&'a [u8]> {
        let (piece, rest) = bytes.split_at(missing.min(bytes.len()));
        let (padded, rest) = rest.split_at(padding.min(rest.len()));
        let left = (missing - piece.len(), padding - padded.len());
        let over = left == (0, 0);
        self.data = (!over).then_some((header, left.0, left.1));
        let last = over && header.has(END_STREAM);
        on(Piece::Body(header.stream, piece, last))?;
        Ok(rest)
    }
}

/// Appends a frame's header. The length is at most 2^24 - 1.
pub(super) fn header(length: usize, kind: u8, flags: u8, stream: u32, out: &mut Vec<u8>) {
    let [_, a, b, c] = (length as u32).to_be_bytes();
    out.extend([a, b, c, kind, flags]);
    out.extend(stream.to_be_bytes());
}

/// Appends a frame whose payload is one number (`RST_STREAM`, `WINDOW_UPDATE`).
pub(super) fn number(kind: u8, stream: u32, value: u32, out: &mut Vec<u8>) {
    header(4, kind, 0, stream, out);
    out.extend(value.to_be_bytes());
}
