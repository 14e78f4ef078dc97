//! A log, line by line: compressed or not, a file or a pipe.

mod log;

use std::io::{BufRead, BufReader, Error, Read as _};

use input::{Unpacked, unpacked};
use thiserror::Error;

use crate::entry::Entry;
use crate::format::Format;
use crate::time::{Basis, Unit};
use log::Log;

/// Longest line that is read, in bytes; of a longer one nothing is counted.
const LONGEST: usize = 1 << 20;
/// Lines in which the first that is of a format is looked for.
const LOOKED_AT: u64 = 1_000;
/// Bytes that are read at a time.
const CHUNK: usize = 1 << 18;
/// Bytes of a line that are shown.
const SHOWN: usize = 200;

/// What was read of a log.
#[derive(Clone, Debug, PartialEq)]
pub struct Read {
    /// Its format.
    pub format: Format,
    /// Lines.
    pub lines: u64,
    /// Requests, those that sampled timers stand for included.
    pub requests: u64,
    /// Requests of which it says how long they took.
    pub timed: u64,
    /// In which units it has its times: of each key of them.
    pub units: Vec<Reading>,
    /// Times that no request can take; these requests are not among the timed.
    pub odd: Option<Odd>,
    /// Lines that were not understood.
    pub unread: Option<Unread>,
    /// Why there is no more of it, where it ends in the middle.
    pub cut: Option<String>,
}

/// In which unit times were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Where they stand: a key, or what they look like; empty where the format or the time itself says the unit.
    pub key: &'static str,
    /// The unit.
    pub unit: Unit,
    /// How it is known.
    pub basis: Basis,
    /// Whether it is the one that was asked for.
    pub is_given: bool,
    /// Requests with such a time.
    pub requests: u64,
}

/// Times that no request can take.
#[derive(Clone, Debug, PartialEq)]
pub struct Odd {
    /// How many requests have one.
    pub requests: u64,
    /// Those of them with more than a day.
    pub long: u64,
    /// The line of the first, from 1.
    pub line: u64,
    /// What stands there, in `unit`.
    pub value: f64,
    /// The unit in which it was read.
    pub unit: Unit,
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
    /// It ends in the middle, before a line of a known format.
    #[error("it {0}, before a line that weir reads")]
    Cut(String),
    /// There is nothing in it.
    #[error("it has no lines")]
    Empty,
}

/// How a log is read, where its lines do not tell.
#[derive(Clone, Copy, Debug, Default)]
pub struct How {
    /// Its format.
    pub format: Option<Format>,
    /// The unit of times that neither the format nor the line defines.
    pub unit: Option<Unit>,
}

/// Reads a log to its end, and hands over each request. Its compression (gzip, zstd) is seen from its begin, its format and
/// the unit of its times from its first lines, unless they are given. Of one that ends in the middle what is there is read.
///
/// # Errors
/// A log that cannot be read or has no line of a known format. What was handed over by then stays so.
pub fn read(
    from: impl std::io::Read,
    how: How,
    each: &mut dyn FnMut(&Entry),
) -> Result<Read, ReadError> {
    match unpacked(BufReader::with_capacity(CHUNK, from))? {
        Unpacked::Plain(plain) => lines(plain, false, how, each),
        Unpacked::Packed(packed) => lines(BufReader::with_capacity(CHUNK, packed), true, how, each),
    }
}

/// The same of what is not packed, whatever it begins with: what strangers send could unpack to more than there is room for.
///
/// # Errors
/// As [`read`].
pub fn read_plain(
    from: impl BufRead,
    how: How,
    each: &mut dyn FnMut(&Entry),
) -> Result<Read, ReadError> {
    lines(from, false, how, each)
}

fn lines(
    mut from: impl BufRead,
    is_packed: bool,
    how: How,
    each: &mut dyn FnMut(&Entry),
) -> Result<Read, ReadError> {
    let mut log = Log::new(how);
    let mut line = Vec::new();
    loop {
        line.clear();
        match next(&mut from, &mut line) {
            Ok(false) if line.is_empty() => break,
            Ok(_) => log.line(&line, each)?,
            // what is left of a line is none
            Err(error) if is_packed => {
                log.cut(&error);
                break;
            }
            Err(error) => return Err(error.into()),
        }
    }
    log.ended(each)
}

/// The next line without its end, at most [`LONGEST`] bytes of it; whether there was an end.
fn next(from: &mut impl BufRead, line: &mut Vec<u8>) -> Result<bool, Error> {
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

#[cfg(test)]
mod tests;
