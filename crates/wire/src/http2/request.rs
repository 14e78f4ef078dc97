use std::sync::Arc;

use super::frame::{self, CONTINUATION, END_HEADERS, END_STREAM, HEADER, HEADERS, LONGEST};
use super::head::is_of_connection;
use super::hpack;
use crate::{Ask, Unsendable};

/// An HTTP/2 request made ready once; only its stream's number is filled in when it is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// `HEADERS`, and `CONTINUATION` if they are long; the first leaves room for one byte.
    frames: Vec<u8>,
    pub(super) body: Arc<[u8]>,
    /// Whether the answer has no body whatever it says.
    pub(super) bodiless: bool,
    /// Whether the connection is to be kept for another request.
    pub(super) keep: bool,
}

impl Request {
    /// `user-agent` and `content-length` are weir's own unless `ask` brings them among its headers.
    /// Errors: when a part cannot be sent, a field of HTTP/1's connections among them.
    pub(super) fn new(ask: &Ask<'_>) -> Result<Self, Unsendable> {
        ask.check()?;
        Ok(Self {
            frames: frames(&block(ask)?, ask.body.is_empty()),
            body: ask.body.into(),
            bodiless: ask.method == "HEAD",
            keep: ask.keep_alive,
        })
    }

    /// Bytes of its header block and of its body, in frames.
    pub(super) fn length(&self) -> usize {
        let frames = self.body.len().div_ceil(LONGEST) + 1;
        self.frames.len() + self.body.len() + frames * HEADER
    }

    /// Appends all but the body, on a stream. `first` stands before all fields.
    #[inline]
    pub(super) fn write(&self, stream: u32, secure: bool, first: Option<u8>, out: &mut Vec<u8>) {
        let start = out.len();
        out.extend_from_slice(&self.frames);
        out[start + HEADER] |= u8::from(secure);
        let mut at = start;
        while at < out.len() {
            out[at + 5..at + HEADER].copy_from_slice(&stream.to_be_bytes());
            let length = u32::from_be_bytes([0, out[at], out[at + 1], out[at + 2]]);
            at += HEADER + length as usize;
        }
        if let Some(byte) = first {
            out.insert(start + HEADER, byte);
            let length = u16::from_be_bytes([out[start + 1], out[start + 2]]) + 1;
            out[start + 1..start + 3].copy_from_slice(&length.to_be_bytes());
        }
    }
}

/// The header block. It begins with the scheme in one byte, of which the last bit says whether it is
/// `https`: the numbers 6 and 7 of RFC 7541's appendix A.
fn block(ask: &Ask<'_>) -> Result<Vec<u8>, Unsendable> {
    let mut block = Vec::new();
    let given = ask.headers.iter();
    let mut hosts = given.filter(|(name, _)| name.eq_ignore_ascii_case("host"));
    hpack::encode(":scheme", "http", &mut block);
    hpack::encode(":method", ask.method, &mut block);
    let authority = hosts.next().map_or(ask.host, |(_, value)| value);
    hpack::encode(":authority", authority, &mut block);
    hpack::encode(":path", ask.path, &mut block);
    if !ask.gives("user-agent") {
        hpack::encode("user-agent", "weir", &mut block);
    }
    if ask.has_length() {
        hpack::encode("content-length", &ask.body.len().to_string(), &mut block);
    }
    for (name, value) in ask.headers {
        let name = name.to_ascii_lowercase();
        if is_of_connection(name.as_bytes()) {
            let what = "what only HTTP/1 has: connections are kept and bodies framed without it";
            return Err(Unsendable::new("header name", &name, what));
        }
        if name != "host" {
            hpack::encode(&name, value.trim(), &mut block);
        }
    }
    Ok(block)
}

/// The block in frames on stream 0.
fn frames(block: &[u8], bodiless: bool) -> Vec<u8> {
    let mut frames = Vec::with_capacity(block.len() + HEADER);
    let mut pieces = block.chunks(LONGEST - 1).peekable();
    let mut kind = HEADERS;
    let mut flags = if bodiless { END_STREAM } else { 0 };
    while let Some(piece) = pieces.next() {
        if pieces.peek().is_none() {
            flags |= END_HEADERS;
        }
        frame::header(piece.len(), kind, flags, 0, &mut frames);
        frames.extend_from_slice(piece);
        (kind, flags) = (CONTINUATION, 0);
    }
    frames
}
