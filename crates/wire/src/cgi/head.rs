use httparse::{EMPTY_HEADER, Status};

use crate::message::Heads;
use crate::message::head::{Head, Http1Head, MOST_LINES, Notes};
use crate::{Malformed, Result};

/// Heads of CGI scripts: header lines, of which `Status` is one. Some servers send an HTTP status line
/// instead, and front ends take both.
#[derive(Debug)]
pub(crate) struct CgiHead;

impl Heads for CgiHead {
    fn parse(bytes: &[u8]) -> Result<Option<Head>> {
        const HTTP: &[u8] = b"HTTP/";
        if bytes.starts_with(HTTP) {
            let head = Http1Head::parse(bytes)?;
            return Ok(head.map(|head| Head {
                keep: false, // the connection is not HTTP's to keep
                ..head
            }));
        }
        if HTTP.starts_with(bytes) {
            return Ok(None);
        }
        lines(bytes)
    }
}

fn lines(bytes: &[u8]) -> Result<Option<Head>> {
    let mut lines = [EMPTY_HEADER; MOST_LINES];
    let (length, lines) = match httparse::parse_headers(bytes, &mut lines) {
        Ok(Status::Complete(parsed)) => parsed,
        Ok(Status::Partial) => return Ok(None),
        Err(httparse::Error::TooManyHeaders) => return Err(Malformed::TooLong),
        Err(_) => return Err(Malformed::Head),
    };
    if lines.is_empty() {
        return Err(Malformed::Head); // section 6.2: there is at least one line
    }
    let mut notes = Notes::default();
    let (mut status, mut location) = (None, false);
    for line in lines {
        notes.take(line)?;
        if line.name.eq_ignore_ascii_case("status") {
            status = Some(code(line.value)?);
        }
        location |= line.name.eq_ignore_ascii_case("location");
    }
    Ok(Some(Head {
        length,
        fields: 0,
        // Sections 6.2.1 and 6.2.4; with `Location` alone the answer is a redirect.
        status: status.unwrap_or(if location { 302 } else { 200 }),
        framing: notes.framing(),
        keep: false,
    }))
}

/// Three digits, then a reason or nothing.
fn code(value: &[u8]) -> Result<u16> {
    let word = value.split(|&byte| byte == b' ').next().unwrap_or_default();
    std::str::from_utf8(word)
        .ok()
        .filter(|word| word.len() == 3 && word.bytes().all(|byte| byte.is_ascii_digit()))
        .and_then(|word| word.parse().ok())
        .ok_or(Malformed::Status)
}
