//! A log, line by line: compressed or not, a file or a pipe.

use std::io::{BufRead, BufReader, Error, ErrorKind, Read as _};

use thiserror::Error;

use crate::entry::Entry;
use crate::format::Format;

/// Longest line that is read, in bytes; of a longer one nothing is counted.
const LONGEST: usize = 1 << 20;
/// Lines in which the first that is of a format is looked for.
const LOOKED_AT: u64 = 1_000;
/// Bytes that are read at a time.
const CHUNK: usize = 1 << 18;
/// Bytes of a line that are shown.
const SHOWN: usize = 200;

const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// What was read of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// Its format.
    pub format: Format,
    /// Lines.
    pub lines: u64,
    /// Requests, those that sampled timers stand for included.
    pub requests: u64,
    /// Requests of which it says how long they took.
    pub timed: u64,
    /// Lines that were not understood.
    pub unread: Option<Unread>,
}

/// Lines that were not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// How many.
    pub lines: u64,
    /// The number of the first, from 1.
    pub first: u64,
    /// Its begin.
    pub text: String,
}

/// Why a log cannot be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// What the system says, or that it is compressed otherwise.
    #[error("it cannot be read: {0}")]
    Io(#[from] Error),
    /// No line of it is of a format that is known.
    #[error("none of its first {lines} lines is in a format that weir reads; one is `{text}`")]
    Unknown {
        /// How many lines were looked at.
        lines: u64,
        /// The begin of one of them.
        text: String,
    },
    /// There is nothing in it.
    #[error("it has no lines")]
    Empty,
}

/// Reads a log to its end, and hands over each request. Its compression (gzip, zstd) is seen from its begin, its format from
/// its first lines, unless it is given.
///
/// # Errors
/// A log that cannot be read or has no line of a known format. What was handed over by then stays so.
pub fn read(
    from: impl std::io::Read,
    format: Option<Format>,
    each: &mut dyn FnMut(&Entry),
) -> Result<Read, ReadError> {
    let mut raw = BufReader::with_capacity(CHUNK, from);
    let begin = raw.fill_buf()?;
    if begin.starts_with(GZIP) {
        let plain = flate2::bufread::MultiGzDecoder::new(raw);
        lines(BufReader::with_capacity(CHUNK, plain), format, each)
    } else if begin.starts_with(ZSTD) {
        let plain = ruzstd::decoding::StreamingDecoder::new(raw);
        let plain = plain.map_err(|error| Error::new(ErrorKind::InvalidData, error.to_string()))?;
        lines(BufReader::with_capacity(CHUNK, plain), format, each)
    } else {
        lines(raw, format, each)
    }
}

fn lines(
    mut from: impl BufRead,
    format: Option<Format>,
    each: &mut dyn FnMut(&Entry),
) -> Result<Read, ReadError> {
    let mut log = Log {
        format,
        read: Read {
            format: Format::Combined,
            lines: 0,
            requests: 0,
            timed: 0,
            unread: None,
        },
    };
    let mut line = Vec::new();
    loop {
        line.clear();
        let whole = next(&mut from, &mut line)?;
        if !whole && line.is_empty() {
            break;
        }
        log.line(&line, each)?;
    }
    log.ended()
}

/// The next line without its end, at most [`LONGEST`] bytes of it; whether there was an end.
fn next(from: &mut impl BufRead, line: &mut Vec<u8>) -> Result<bool, ReadError> {
    let mut part = from.by_ref().take(LONGEST as u64);
    part.read_until(b'\n', line)?;
    if line.last() == Some(&b'\n') {
        line.pop();
        return Ok(true);
    }
    if line.len() == LONGEST {
        // the rest of it is skipped
        loop {
            let more = from.fill_buf()?;
            let (end, used) = match memchr::memchr(b'\n', more) {
                Some(place) => (true, place + 1),
                None => (more.is_empty(), more.len()),
            };
            from.consume(used);
            if end {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// A log that is being read.
struct Log {
    /// As it was given or found.
    format: Option<Format>,
    read: Read,
}

impl Log {
    fn line(&mut self, line: &[u8], each: &mut dyn FnMut(&Entry)) -> Result<(), ReadError> {
        self.read.lines += 1;
        let text = String::from_utf8_lossy(line);
        let text = text.trim_end_matches('\r');
        if text.is_empty() {
            return Ok(());
        }
        self.format = self.format.or_else(|| Format::of(text));
        let Read {
            requests, timed, ..
        } = &mut self.read;
        let understood = line.len() < LONGEST
            && self.format.is_some_and(|format| {
                format.entries(text, &mut |entry| {
                    *requests += entry.times;
                    *timed += entry.times * u64::from(entry.seconds.is_some());
                    each(entry);
                })
            });
        if understood {
            return Ok(());
        }
        let (number, shown) = (self.read.lines, || text.chars().take(SHOWN).collect());
        match &mut self.read.unread {
            Some(unread) => unread.lines += 1,
            none => {
                *none = Some(Unread {
                    lines: 1,
                    first: number,
                    text: shown(),
                });
            }
        }
        if self.format.is_none() && number >= LOOKED_AT {
            return Err(self.unknown());
        }
        Ok(())
    }

    fn ended(self) -> Result<Read, ReadError> {
        match self.format {
            Some(format) => Ok(Read {
                format,
                ..self.read
            }),
            None if self.read.unread.is_none() => Err(ReadError::Empty),
            None => Err(self.unknown()),
        }
    }

    fn unknown(&self) -> ReadError {
        let unread = self.read.unread.as_ref();
        ReadError::Unknown {
            lines: self.read.lines,
            text: unread.map_or_else(String::new, |unread| unread.text.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    const LINE: &str = "10.0.0.1 - - [t] \"GET /a/7 HTTP/1.1\" 200 5 \"-\" \"x\" 0.100\n";

    fn counted(bytes: &[u8]) -> Result<(Read, u64), ReadError> {
        let mut count = 0;
        let read = read(bytes, None, &mut |_| count += 1)?;
        Ok((read, count))
    }

    #[test]
    fn lines_that_say_nothing_are_told_and_the_others_counted() {
        let text = format!("started\n{LINE}\n\r\n{LINE}nothing\n{}", LINE.trim_end());
        let (read, count) = counted(text.as_bytes()).unwrap();
        assert_eq!(
            (read.format, read.requests, read.timed, count),
            (Format::Combined, 3, 3, 3)
        );
        let unread = read.unread.unwrap();
        assert_eq!(
            (unread.lines, unread.first, &*unread.text),
            (2, 1, "started")
        );
    }

    #[test]
    fn compressed_ones_are_read_as_they_are() {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(LINE.repeat(1_000).as_bytes()).unwrap();
        assert_eq!(counted(&gzip.finish().unwrap()).unwrap().1, 1_000);
        let zstd = ruzstd::encoding::compress_to_vec(
            LINE.repeat(1_000).as_bytes(),
            ruzstd::encoding::CompressionLevel::Fastest,
        );
        assert_eq!(counted(&zstd).unwrap().1, 1_000);
    }

    #[test]
    fn a_line_without_an_end_is_bounded() {
        let mut bytes = vec![b'x'; 3 * LONGEST];
        bytes.push(b'\n');
        bytes.extend_from_slice(LINE.as_bytes());
        let (read, count) = counted(&bytes).unwrap();
        assert_eq!((count, read.lines), (1, 2));
        assert_eq!(read.unread.unwrap().text.len(), SHOWN);
    }

    #[test]
    fn what_is_no_log_is_told_as_such() {
        assert!(matches!(counted(b""), Err(ReadError::Empty)));
        assert!(matches!(counted(b"\n\n"), Err(ReadError::Empty)));
        let Err(ReadError::Unknown { lines, text }) = counted(&b"hello\n".repeat(5_000)) else {
            panic!("it is no log");
        };
        assert_eq!((lines, text.as_str()), (LOOKED_AT, "hello"));
        assert!(matches!(
            counted(&[0x1f, 0x8b, 0, 0, 1]),
            Err(ReadError::Io(_))
        ));
    }
}
