use super::request::Upload;
use crate::message::head::check_lines;
use crate::packet::Packet;
use crate::{Event, Malformed, OnOne, Result};

const SEND_BODY_CHUNK: u8 = 3;
const SEND_HEADERS: u8 = 4;
const END_RESPONSE: u8 = 5;
const GET_BODY_CHUNK: u8 = 6;

/// Header names by their codes, from `0xa001`.
const HEADERS: [&str; 11] = [
    "Content-Type",
    "Content-Language",
    "Content-Length",
    "Date",
    "Last-Modified",
    "Location",
    "Set-Cookie",
    "Set-Cookie2",
    "Servlet-Engine",
    "Status",
    "WWW-Authenticate",
];

/// The answer being read on a connection, and after it the next.
#[derive(Debug)]
pub(super) struct Answer {
    variant: Variant,
    keep: bool,
    bodiless: bool,
    /// Bytes of the body that the head has announced and that are missing.
    missing: Option<u64>,
    /// The head as header lines.
    lines: Vec<u8>,
    upload: Upload,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variant {
    /// No request is waiting.
    Idle,
    /// Nothing has come yet.
    Asked,
    /// Something has come, no head yet.
    Begun,
    /// Interim heads have come.
    Interim,
    /// The head has come.
    Body,
}

impl Answer {
    pub(super) fn new() -> Self {
        Self {
            variant: Variant::Idle,
            keep: true,
            bodiless: false,
            missing: None,
            lines: Vec::new(),
            upload: Upload::default(),
        }
    }

    pub(super) fn is_free(&self) -> bool {
        self.keep && self.variant == Variant::Idle
    }

    pub(super) fn await_answer(&mut self, request: &Packet) {
        self.variant = Variant::Asked;
        self.bodiless = request.bodiless;
        self.keep = request.keep;
        self.missing = None;
        let body = request.later.clone();
        self.upload = Upload { body, gone: 0 };
    }

    /// How far it had come when the connection ended.
    pub(super) fn abandon(&mut self) -> Variant {
        self.keep = false;
        std::mem::replace(&mut self.variant, Variant::Idle)
    }

    /// Bytes have come, a whole packet or not. They may be a call for the body, so that the answer's
    /// first byte is told with its head.
    pub(super) fn touch(&mut self, bytes: &[u8]) {
        if self.variant == Variant::Asked && !bytes.is_empty() {
            self.variant = Variant::Begun;
        }
    }

    /// A whole packet, without its header.
    pub(super) fn take(
        &mut self,
        packet: &[u8],
        out: &mut Vec<u8>,
        on: &mut impl OnOne,
    ) -> Result<()> {
        let mut rest = Reader(packet);
        match (rest.byte()?, self.variant) {
            (_, Variant::Idle) => Err(Malformed::Unasked),
            (SEND_HEADERS, Variant::Begun | Variant::Interim) => self.head(&mut rest, on),
            (SEND_BODY_CHUNK, Variant::Body) => self.body(&mut rest, on),
            (END_RESPONSE, Variant::Body) => self.end(&mut rest, on),
            (END_RESPONSE, _) => Err(Malformed::Empty),
            (GET_BODY_CHUNK, _) => {
                self.upload.answer_call(rest.number()?, out);
                Ok(())
            }
            _ => Err(Malformed::Frame),
        }
    }

    fn head(&mut self, rest: &mut Reader<'_>, on: &mut impl OnOne) -> Result<()> {
        if self.variant == Variant::Begun {
            self.variant = Variant::Interim;
            on(Event::FirstByte);
        }
        let status = rest.number()?;
        rest.string()?; // the reason
        let count = rest.number()?;
        self.lines.clear();
        for _ in 0..count {
            let name = rest.name()?;
            for part in [name, b": ", rest.string()?, b"\r\n"] {
                self.lines.extend_from_slice(part);
            }
        }
        self.lines.extend_from_slice(b"\r\n");
        let length = check_lines(&self.lines, usize::from(count))?;
        match status {
            101 | 0..100 | 1000.. => return Err(Malformed::Status),
            100..200 => return Ok(()), // interim: the answer is still to come
            _ => {}
        }
        self.bodiless |= matches!(status, 204 | 304);
        self.missing = length.filter(|_| !self.bodiless);
        self.variant = Variant::Body;
        on(Event::Head {
            status,
            fields: &self.lines,
        });
        Ok(())
    }

    fn body(&mut self, rest: &mut Reader<'_>, on: &mut impl OnOne) -> Result<()> {
        let length = rest.number()?;
        let piece = rest.bytes(usize::from(length))?;
        // An empty piece is a flush; a body that must not be there is dropped, as front ends do.
        if piece.is_empty() || self.bodiless {
            return Ok(());
        }
        if let Some(missing) = &mut self.missing {
            let left = missing.checked_sub(piece.len() as u64);
            *missing = left.ok_or(Malformed::Unasked)?;
        }
        on(Event::Body(piece));
        Ok(())
    }

    fn end(&mut self, rest: &mut Reader<'_>, on: &mut impl OnOne) -> Result<()> {
        self.keep &= rest.byte()? == 1;
        if self.missing.is_some_and(|missing| missing > 0) {
            return Err(Malformed::Cut);
        }
        self.variant = Variant::Idle;
        on(Event::Done { keep: self.keep });
        Ok(())
    }
}

/// The rest of a packet. Bytes beyond what is read are passed over: servers end a piece of a body with
/// a null byte that its length does not count.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn bytes(&mut self, length: usize) -> Result<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(length).ok_or(Malformed::Frame)?;
        self.0 = rest;
        Ok(bytes)
    }

    fn byte(&mut self) -> Result<u8> {
        Ok(self.bytes(1)?[0])
    }

    fn number(&mut self) -> Result<u16> {
        let bytes = self.bytes(2)?;
        Ok(u16::from_be_bytes([bytes[0], bytes[1]]))
    }

    fn string(&mut self) -> Result<&'a [u8]> {
        match self.number()? {
            0xffff => Ok(b""), // null
            length => {
                let bytes = self.bytes(usize::from(length))?;
                self.byte()?;
                Ok(bytes)
            }
        }
    }

    fn name(&mut self) -> Result<&'a [u8]> {
        let [0xa0, code, ..] = *self.0 else {
            return self.string();
        };
        self.0 = &self.0[2..];
        let known = HEADERS.get(usize::from(code).wrapping_sub(1));
        known.map(|name| name.as_bytes()).ok_or(Malformed::Frame)
    }
}
