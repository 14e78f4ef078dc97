use crate::{Malformed, Result};

/// Most bytes of chunk extensions and trailers that are passed over in one body.
const MOST_ASIDES: u32 = 64 * 1024;

/// The chunked transfer coding (RFC 9112, section 7.1), fed in pieces of any size.
#[derive(Debug, Default)]
pub struct Chunked {
    expect: Expect,
    /// Data bytes missing in this chunk (while a size line is read: the size so far).
    missing: u64,
    /// Bytes passed over so far.
    asides: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Expect {
    /// The first digit of a size.
    #[default]
    Size,
    /// More digits, or the size's end.
    Digits,
    /// Anything to the end of the size line.
    Extension,
    SizeLf,
    Data,
    DataCr,
    DataLf,
    /// A trailer line, or the empty line that ends the body.
    TrailerStart,
    Trailer,
    EndLf,
    End,
}

impl Chunked {
    /// Takes bytes; returns how many belong to this body, and whether it is whole.
    ///
    /// # Errors
    /// They are no chunks, or what stands beside the data is too much.
    pub fn receive(
        &mut self,
        bytes: &[u8],
        mut on_data: impl FnMut(&[u8]),
    ) -> Result<(usize, bool)> {
        let mut at = 0;
        while at < bytes.len() && self.expect != Expect::End {
            if self.expect == Expect::Data {
                let rest = bytes.len() - at;
                let piece = rest.min(usize::try_from(self.missing).unwrap_or(usize::MAX));
                on_data(&bytes[at..at + piece]);
                self.missing -= piece as u64;
                at += piece;
                if self.missing == 0 {
                    self.expect = Expect::DataCr;
                }
            } else {
                self.expect = self.step(bytes[at])?;
                at += 1;
            }
        }
        Ok((at, self.expect == Expect::End))
    }

    /// One byte that is not data. A bare line feed ends a line, as lenient parsers have it.
    fn step(&mut self, byte: u8) -> Result<Expect> {
        Ok(match (self.expect, byte) {
            (Expect::Size | Expect::Digits, _) if byte.is_ascii_hexdigit() => self.digit(byte)?,
            (Expect::Digits | Expect::Extension, b'\r') => Expect::SizeLf,
            (Expect::Digits | Expect::Extension | Expect::SizeLf, b'\n') => self.sized(),
            (Expect::Digits, b';' | b' ' | b'\t') => Expect::Extension,
            (Expect::Extension, _) => self.aside(Expect::Extension)?,
            (Expect::DataCr, b'\r') => Expect::DataLf,
            (Expect::DataCr | Expect::DataLf, b'\n') => Expect::Size,
            (Expect::TrailerStart, b'\r') => Expect::EndLf,
            (Expect::TrailerStart | Expect::EndLf, b'\n') => Expect::End,
            (Expect::Trailer, b'\n') => Expect::TrailerStart,
            (Expect::TrailerStart | Expect::Trailer, _) => self.aside(Expect::Trailer)?,
            _ => return Err(Malformed::Chunk),
        })
    }

    fn digit(&mut self, byte: u8) -> Result<Expect> {
        let digit = (byte as char).to_digit(16).ok_or(Malformed::Chunk)?;
        let shifted = self.missing.checked_mul(16).ok_or(Malformed::Chunk)?;
        self.missing = shifted + u64::from(digit);
        Ok(Expect::Digits)
    }

    fn sized(&self) -> Expect {
        if self.missing == 0 {
            Expect::TrailerStart
        } else {
            Expect::Data
        }
    }

    fn aside(&mut self, next: Expect) -> Result<Expect> {
        self.asides += 1;
        if self.asides > MOST_ASIDES {
            return Err(Malformed::TooLong);
        }
        Ok(next)
    }
}
