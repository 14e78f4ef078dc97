use std::sync::Arc;

use super::HEADER;
use crate::packet::Packet;
use crate::{Ask, Unsendable};

/// Longest packet that servers take unless told otherwise, in bytes, header included.
const LONGEST: usize = 8192;

/// Most bytes of a body in one packet, whose length stands before them.
const PIECE: usize = LONGEST - HEADER - 2;

const FORWARD_REQUEST: u8 = 2;
const QUERY_STRING: u8 = 0x05;
const STORED_METHOD: u8 = 0x0d;
const END: u8 = 0xff;

/// Methods by their codes, from 1.
const METHODS: [&str; 7] = ["OPTIONS", "GET", "HEAD", "POST", "PUT", "DELETE", "TRACE"];
/// The code of a method that has none; its name follows as an attribute.
const OTHER_METHOD: u8 = 0xff;

/// Header names by their codes, from `0xa001`.
const HEADERS: [&str; 14] = [
    "accept",
    "accept-charset",
    "accept-encoding",
    "accept-language",
    "authorization",
    "connection",
    "content-type",
    "content-length",
    "cookie",
    "cookie2",
    "host",
    "pragma",
    "referer",
    "user-agent",
];

/// The packet of a request, and the one that brings its body's beginning, which goes unasked (Tomcat's
/// "The AJP 1.3 protocol", on request bodies); the rest is called for.
pub(super) fn forward(ask: &Ask<'_>) -> Result<Packet, Unsendable> {
    ask.check()?;
    if HEADERS.len() + ask.headers.len() > usize::from(u16::MAX)
        || ask.path.len() + ask.host.len() > LONGEST
    {
        return Err(too_long(ask));
    }
    let code = METHODS.iter().position(|method| *method == ask.method);
    let (path, query) = ask.path_and_query();
    let (name, port) = ask.server();
    let mut out = vec![b'\x12', b'4', 0, 0, FORWARD_REQUEST];
    out.push(code.map_or(OTHER_METHOD, |code| code as u8 + 1));
    // Protocol, path, the client's address and name: this machine's, as no other is known.
    for text in ["HTTP/1.1", path, "127.0.0.1", "127.0.0.1", name] {
        string(text, &mut out);
    }
    out.extend(port.to_be_bytes());
    out.push(0); // no TLS
    headers(ask, &mut out);
    if let Some(query) = query {
        out.push(QUERY_STRING);
        string(query, &mut out);
    }
    if code.is_none() {
        out.push(STORED_METHOD);
        string(ask.method, &mut out);
    }
    out.push(END);
    if out.len() > LONGEST {
        return Err(too_long(ask));
    }
    let length = (out.len() - HEADER) as u16;
    out[2..4].copy_from_slice(&length.to_be_bytes());
    let (first, rest) = ask.body.split_at(ask.body.len().min(PIECE));
    if !first.is_empty() {
        packet(first, &mut out);
    }
    Ok(Packet::new(ask, out).with_later(rest))
}

fn headers(ask: &Ask<'_>, out: &mut Vec<u8>) {
    // The length is the body's own: another one would make the server wait for what does not come.
    let given = ask.headers.iter().copied();
    let mut headers: Vec<_> = given
        .filter(|(name, _)| !name.eq_ignore_ascii_case("content-length"))
        .collect();
    for (name, value) in [("host", ask.host), ("user-agent", "weir")] {
        if !ask.gives(name) {
            headers.push((name, value));
        }
    }
    let length = ask.body.len().to_string();
    if !ask.body.is_empty() {
        headers.push(("content-length", &length));
    }
    out.extend((headers.len() as u16).to_be_bytes());
    for (name, value) in headers {
        let mut names = HEADERS.iter();
        match names.position(|known| known.eq_ignore_ascii_case(name)) {
            Some(code) => out.extend([0xa0, code as u8 + 1]),
            None => string(name, out),
        }
        string(value, out);
    }
}

/// Length, bytes, a null byte. What is too long for it makes the packet too long as well.
fn string(text: &str, out: &mut Vec<u8>) {
    out.extend((text.len() as u16).to_be_bytes());
    out.extend(text.bytes());
    out.push(0);
}

fn too_long(ask: &Ask<'_>) -> Unsendable {
    Unsendable::new("request", ask.path, "more than the 8192 bytes of a packet")
}

/// What a request's body still owes: its first packet went unasked, the others go one by one, each
/// when the container calls for it.
#[derive(Debug, Default)]
pub(super) struct Upload {
    pub(super) body: Option<Arc<[u8]>>,
    pub(super) gone: usize,
}

impl Upload {
    /// Answers a call for at most `wanted` bytes: with an empty packet when there are none left, as
    /// when there was no body at all. A call for more than a packet holds gets what it holds, as does
    /// one for nothing, since an empty packet would say that the body ends here.
    pub(super) fn answer_call(&mut self, wanted: u16, out: &mut Vec<u8>) {
        let left = &self.body.as_deref().unwrap_or_default()[self.gone..];
        let wanted = match wanted {
            0 => PIECE,
            wanted => PIECE.min(wanted.into()),
        };
        let piece = &left[..left.len().min(wanted)];
        packet(piece, out);
        self.gone += piece.len();
    }
}

/// A packet with a piece of a body; an empty one, without even a length, ends it.
fn packet(piece: &[u8], out: &mut Vec<u8>) {
    out.extend([0x12, b'4']);
    if piece.is_empty() {
        out.extend([0, 0]);
        return;
    }
    let length = piece.len() as u16;
    out.extend((length + 2).to_be_bytes());
    out.extend(length.to_be_bytes());
    out.extend(piece);
}
