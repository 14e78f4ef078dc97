//! An answer's head out of a header block, as the lines that HTTP/1 would have sent.

use super::hpack::Decoder;
use crate::message::LONGEST_HEAD;
use crate::message::head::check_lines;
use crate::{Malformed, Result};

/// Blocks that are remembered with what they mean.
const KNOWN: usize = 4;

/// Reads the blocks of one connection. A server's blocks are mostly the same from answer to answer;
/// one that is known and leaves the decoder as it was need not be decoded again.
#[derive(Debug, Default)]
pub(super) struct Heads {
    decoder: Decoder,
    known: [Known; KNOWN],
    /// Which of them makes room next.
    oldest: usize,
}

#[derive(Debug, Default)]
struct Known {
    block: Vec<u8>,
    /// The decoder's epoch in which it means `head`; none if it changed the decoder itself.
    epoch: Option<u64>,
    head: Head,
}

/// What a block says.
#[derive(Debug, Default)]
pub(super) struct Head {
    /// 0 where none is said, as in trailers.
    pub(super) status: u16,
    /// Header lines, to the empty line.
    pub(super) fields: Vec<u8>,
    /// Content-Length.
    pub(super) length: Option<u64>,
    /// What makes it one that must not be believed (RFC 9113, section 8.1.1).
    pub(super) flaw: Option<Malformed>,
}

impl Heads {
    /// # Errors
    /// When the block does not decode, or is longer than any sensible server's; no later block can
    /// be read then.
    #[inline]
    pub(super) fn read(&mut self, block: &[u8]) -> Result<&Head> {
        let epoch = Some(self.decoder.epoch());
        let same = |known: &Known| known.epoch == epoch && known.block == block;
        match self.known.iter().position(same) {
            Some(at) => Ok(&self.known[at].head),
            None => self.decode(block),
        }
    }

    fn decode(&mut self, block: &[u8]) -> Result<&Head> {
        let before = self.decoder.epoch();
        let known = &mut self.known[self.oldest];
        self.oldest = (self.oldest + 1) % KNOWN;
        known.epoch = None;
        known.head.read(&mut self.decoder, block)?;
        if self.decoder.epoch() == before {
            known.epoch = Some(before);
            known.block.clear();
            known.block.extend_from_slice(block);
        }
        Ok(&known.head)
    }
}

impl Head {
    fn read(&mut self, decoder: &mut Decoder, block: &[u8]) -> Result<()> {
        self.status = 0;
        self.fields.clear();
        self.flaw = None;
        let mut lines = 0;
        decoder.decode(block, |name, value| {
            if let Err(flaw) = self.take(name, value, &mut lines) {
                self.flaw.get_or_insert(flaw);
            }
            if self.fields.len() > LONGEST_HEAD {
                return Err(Malformed::TooLong);
            }
            Ok(())
        })?;
        self.fields.extend_from_slice(b"\r\n");
        match check_lines(&self.fields, lines) {
            Ok(length) => self.length = length,
            Err(flaw) => {
                self.flaw.get_or_insert(flaw);
            }
        }
        Ok(())
    }

    /// One field (RFC 9113, sections 8.2 and 8.3). Values are looked at as lines, with the others.
    fn take(&mut self, name: &[u8], value: &[u8], lines: &mut usize) -> Result<()> {
        if name == b":status" {
            let first = self.status == 0 && *lines == 0;
            self.status = status(value)?;
            return if first { Ok(()) } else { Err(Malformed::Head) };
        }
        *lines += 1;
        for part in [name, b": ", value, b"\r\n"] {
            self.fields.extend_from_slice(part);
        }
        let sound = is_name(name) && !is_of_connection(name) && value.trim_ascii() == value;
        if sound { Ok(()) } else { Err(Malformed::Head) }
    }
}

fn status(value: &[u8]) -> Result<u16> {
    match *value {
        [a @ b'1'..=b'9', b @ b'0'..=b'9', c @ b'0'..=b'9'] => Ok([a, b, c]
            .iter()
            .fold(0, |sum, digit| sum * 10 + u16::from(digit - b'0'))),
        _ => Err(Malformed::Status),
    }
}

/// A token (RFC 9110, section 5.6.2) in lower case.
fn is_name(name: &[u8]) -> bool {
    let token = |byte: &u8| match byte {
        b'a'..=b'z' | b'0'..=b'9' => true,
        other => b"!#$%&'*+-.^_`|~".contains(other),
    };
    !name.is_empty() && name.iter().all(token)
}

/// Whether a field belongs to HTTP/1's connections, of which HTTP/2 must not speak (section 8.2.2).
pub(super) fn is_of_connection(name: &[u8]) -> bool {
    const NAMES: [&[u8]; 5] = [
        b"connection",
        b"keep-alive",
        b"proxy-connection",
        b"transfer-encoding",
        b"upgrade",
    ];
    NAMES.contains(&name)
}
