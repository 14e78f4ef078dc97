use std::mem::MaybeUninit;

use httparse::{Header, ParserConfig, Response, Status};

use crate::Malformed;

/// Most header lines that are read.
const MOST_LINES: usize = 128;

/// What a response head says about the bytes that follow it.
#[derive(Debug)]
pub(super) struct Head {
    /// Its length in bytes, empty line included.
    pub(super) length: usize,
    /// Where the status line ends.
    pub(super) fields: usize,
    pub(super) status: u16,
    pub(super) framing: Framing,
    /// Whether the server would take another request on this connection.
    pub(super) keep: bool,
}

/// How the end of a body is known (RFC 9112, section 6.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Framing {
    Sized(u64),
    Chunked,
    UntilClose,
}

impl Head {
    /// The head at the start of `bytes`; `None` when it is not whole.
    pub(super) fn parse(bytes: &[u8]) -> Result<Option<Self>, Malformed> {
        let mut lines = [const { MaybeUninit::<Header<'_>>::uninit() }; MOST_LINES];
        let mut response = Response::new(&mut []);
        let parsed = ParserConfig::default().parse_response_with_uninit_headers(
            &mut response,
            bytes,
            &mut lines,
        );
        let length = match parsed {
            Ok(Status::Complete(length)) => length,
            Ok(Status::Partial) => return Ok(None),
            Err(httparse::Error::TooManyHeaders) => return Err(Malformed::TooLong),
            Err(_) => return Err(Malformed::Head),
        };
        let mut notes = Notes::default();
        for line in response.headers.iter() {
            notes.take(line)?;
        }
        let recent = response.version == Some(1);
        Ok(Some(Self {
            length,
            fields: end_of_status_line(bytes),
            status: response.code.ok_or(Malformed::Head)?,
            framing: notes.framing(),
            keep: notes.keeps(recent),
        }))
    }
}

/// Servers may send empty lines first, which httparse passes over.
fn end_of_status_line(bytes: &[u8]) -> usize {
    let blank = bytes
        .iter()
        .take_while(|byte| matches!(byte, b'\r' | b'\n'))
        .count();
    memchr::memchr(b'\n', &bytes[blank..]).map_or(bytes.len(), |at| blank + at + 1)
}

/// The few header lines that decide about framing.
#[derive(Default)]
struct Notes {
    length: Option<u64>,
    coding: Coding,
    close: bool,
    keep_alive: bool,
}

/// The last transfer coding named.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Coding {
    #[default]
    None,
    Chunked,
    Other,
}

impl Notes {
    /// Telling lines apart by the length of their names first keeps this cheap.
    fn take(&mut self, line: &Header<'_>) -> Result<(), Malformed> {
        let name = line.name;
        match name.len() {
            10 if name.eq_ignore_ascii_case("connection") => {
                for token in tokens(line.value) {
                    self.close |= token.eq_ignore_ascii_case(b"close");
                    self.keep_alive |= token.eq_ignore_ascii_case(b"keep-alive");
                }
            }
            14 if name.eq_ignore_ascii_case("content-length") => {
                for token in tokens(line.value) {
                    let length = number(token).ok_or(Malformed::Length)?;
                    if self.length.is_some_and(|before| before != length) {
                        return Err(Malformed::Length);
                    }
                    self.length = Some(length);
                }
                self.length.ok_or(Malformed::Length)?;
            }
            17 if name.eq_ignore_ascii_case("transfer-encoding") => {
                for token in tokens(line.value) {
                    let chunked = token.eq_ignore_ascii_case(b"chunked");
                    self.coding = if chunked {
                        Coding::Chunked
                    } else {
                        Coding::Other
                    };
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn framing(&self) -> Framing {
        match (self.coding, self.length) {
            (Coding::Chunked, _) => Framing::Chunked,
            (Coding::None, Some(length)) => Framing::Sized(length),
            _ => Framing::UntilClose,
        }
    }

    /// RFC 9112 sections 6.1 and 9.3: a server that sends both a transfer coding and a length, or
    /// a transfer coding in HTTP/1.0, may be framing wrongly; its connection is not used again.
    fn keeps(&self, recent: bool) -> bool {
        let sound = self.coding == Coding::None || (self.length.is_none() && recent);
        sound && !self.close && (recent || self.keep_alive)
    }
}

fn tokens(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    value
        .split(|&byte| byte == b',')
        .map(<[u8]>::trim_ascii)
        .filter(|token| !token.is_empty())
}

/// Digits only: `+5`, `-1` and `0x10` are refused, and so is what does not fit.
fn number(token: &[u8]) -> Option<u64> {
    token.iter().try_fold(0u64, |sum, &byte| {
        let digit = byte.is_ascii_digit().then(|| u64::from(byte - b'0'))?;
        sum.checked_mul(10)?.checked_add(digit)
    })
}
