use std::cell::RefCell;
use std::mem::MaybeUninit;

use httparse::{Header, ParserConfig, Response, Status};

use crate::message::Heads;
use crate::{Malformed, Result};

/// Most header lines that are read.
pub(crate) const MOST_LINES: usize = 128;

/// What a response head says about the bytes that follow it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    /// Its length in bytes, empty line included.
    pub(crate) length: usize,
    /// Where the status line ends.
    pub(crate) fields: usize,
    pub(crate) status: u16,
    pub(crate) framing: Framing,
    /// Whether the server would take another request on this connection.
    pub(crate) keep: bool,
}

/// How the end of a body is known (RFC 9112, section 6.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    Sized(u64),
    Chunked,
    UntilClose,
}

/// Heads that begin with a status line.
#[derive(Debug)]
pub(crate) struct Http1Head;

/// Heads that are remembered, and the longest of them, in bytes.
const HEADS: usize = 4;
const REMEMBERED: usize = 1024;

thread_local! {
    /// The heads that this thread has read last, byte by byte, the newest first, and what each said. Most servers say the same of
    /// a page again and again, for as long as their clock's second lasts.
    static KNOWN: RefCell<Vec<(Vec<u8>, Head)>> = const { RefCell::new(Vec::new()) };
}

impl Heads for Http1Head {
    fn parse(bytes: &[u8]) -> Result<Option<Head>> {
        let known = known(bytes);
        if known.is_some() {
            return Ok(known);
        }
        let head = Self::read(bytes)?;
        if let Some(head) = head.filter(|head| head.length <= REMEMBERED) {
            remember(&bytes[..head.length], head);
        }
        Ok(head)
    }
}

/// What the head at the start of these bytes says, if it is one of those that were read last.
fn known(bytes: &[u8]) -> Option<Head> {
    KNOWN.with_borrow(|known| {
        let same = known.iter().find(|(text, _)| bytes.starts_with(text));
        same.map(|(_, head)| *head)
    })
}

/// Keeps a head in the place of the oldest one.
fn remember(text: &[u8], head: Head) {
    KNOWN.with_borrow_mut(|known| {
        if known.len() < HEADS {
            known.push((Vec::new(), head));
        }
        known.rotate_right(1);
        let (kept, said) = &mut known[0];
        kept.clear();
        kept.extend_from_slice(text);
        *said = head;
    });
}

impl Http1Head {
    fn read(bytes: &[u8]) -> Result<Option<Head>> {
        let mut lines = [const { MaybeUninit::<Header<'_>>::uninit() }; MOST_LINES];
        let mut response = Response::new(&mut []);
        let config = ParserConfig::default();
        let parsed = config.parse_response_with_uninit_headers(&mut response, bytes, &mut lines);
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
        Ok(Some(Head {
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
    let blank = |byte: &&u8| matches!(byte, b'\r' | b'\n');
    let blank = bytes.iter().take_while(blank).count();
    memchr::memchr(b'\n', &bytes[blank..]).map_or(bytes.len(), |at| blank + at + 1)
}

/// Header lines that came otherwise than as text, written as text: whether they are `count` sound lines,
/// and the length of body that they announce.
pub(crate) fn check_lines(text: &[u8], count: usize) -> Result<Option<u64>> {
    let mut lines = [httparse::EMPTY_HEADER; MOST_LINES];
    let lines = match httparse::parse_headers(text, &mut lines) {
        Ok(Status::Complete((length, lines))) if length == text.len() && lines.len() == count => {
            lines
        }
        Err(httparse::Error::TooManyHeaders) => return Err(Malformed::TooLong),
        _ => return Err(Malformed::Head),
    };
    let mut notes = Notes::default();
    for line in lines {
        notes.take(line)?;
    }
    Ok(notes.length)
}

/// The few header lines that decide about framing.
#[derive(Default)]
pub(crate) struct Notes {
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
    pub(crate) fn take(&mut self, line: &Header<'_>) -> Result<()> {
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

    pub(crate) fn framing(&self) -> Framing {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Option<(usize, u16, Framing, bool)> {
        let head = Http1Head::parse(text.as_bytes()).unwrap()?;
        Some((head.length, head.status, head.framing, head.keep))
    }

    /// A head that is known is not read again; one that differs in a byte, or is not whole, is.
    #[test]
    fn what_is_remembered_is_what_would_be_read() {
        let one = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n";
        let two = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n";
        let close = "HTTP/1.1 404 No\r\nConnection: close\r\n\r\n";
        let long = format!("HTTP/1.1 200 OK\r\nX: {}\r\n\r\n", "x".repeat(REMEMBERED));
        for _ in 0..2 {
            for text in [one, two, two, close, &long, one] {
                let read = Http1Head::read(text.as_bytes()).unwrap().unwrap();
                let expected = (read.length, read.status, read.framing, read.keep);
                assert_eq!(said(&format!("{text}body")), Some(expected), "{text}");
                assert_eq!(said(&text[..text.len() - 1]), None, "{text}");
            }
        }
        assert_eq!(said(one).unwrap().2, Framing::Sized(2));
        assert!(Http1Head::parse(b"HTTP/9 x\r\n\r\n").is_err());
    }

    /// A mix of pages has each page's head read once; what is new takes the place of the oldest.
    #[test]
    fn the_heads_of_a_few_pages_are_remembered_beside_each_other() {
        let head = |length: u64| format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n");
        let has = |length: u64| {
            let bytes = format!("{}body", head(length));
            known(bytes.as_bytes()).map(|head| head.framing)
        };
        let pages = [7_001, 7_002, 7_003, 7_004];
        assert_eq!(pages.len(), HEADS);
        for page in pages {
            assert_eq!(has(page), None);
            assert!(said(&head(page)).is_some());
        }
        for page in pages {
            assert_eq!(has(page), Some(Framing::Sized(page)));
        }
        assert!(said(&head(7_005)).is_some());
        assert_eq!(has(7_001), None);
        assert!((7_002..=7_005).all(|page| has(page).is_some()));
    }
}
