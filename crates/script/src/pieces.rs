//! Cuts what a script returns into requests: it may hold several, to be pipelined.

use load::Request;

/// Most header lines of a request.
const MOST_LINES: usize = 128;

/// Why bytes are not requests, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Broken {
    pub(crate) what: String,
    /// Offset in the bytes.
    pub(crate) at: usize,
}

impl Broken {
    /// Line and column, from 1.
    pub(crate) fn place(&self, bytes: &[u8]) -> (usize, usize) {
        let before = &bytes[..self.at.min(bytes.len())];
        let line = before.split(|&byte| byte == b'\n').count();
        let last = before.rsplit(|&byte| byte == b'\n').next();
        let column = last.map_or(0, <[u8]>::len) + 1;
        (line, column)
    }
}

/// Where each request ends; at least one. Line breaks after the last belong to it.
pub(crate) fn ends(bytes: &[u8]) -> Result<Vec<usize>, Broken> {
    let mut ends = Vec::with_capacity(1);
    let mut at = 0;
    loop {
        at += one(&bytes[at..]).map_err(|broken| Broken {
            at: broken.at + at,
            ..broken
        })?;
        if bytes[at..].iter().all(|byte| matches!(byte, b'\r' | b'\n')) {
            ends.push(bytes.len());
            return Ok(ends);
        }
        ends.push(at);
    }
}

/// A request without the empty lines before it. A server passes over them (RFC 9112, section 2.2); whoever looks for the
/// method, which may say that the answer has no body, would find none.
pub(crate) fn begun(bytes: &[u8]) -> &[u8] {
    let first = bytes.iter().position(|byte| !matches!(byte, b'\r' | b'\n'));
    &bytes[first.unwrap_or(0)..]
}

/// Length of the first request.
fn one(bytes: &[u8]) -> Result<usize, Broken> {
    let mut lines = [httparse::EMPTY_HEADER; MOST_LINES];
    let mut head = httparse::Request::new(&mut lines);
    let broken = |what: String, at| Broken { what, at };
    let incomplete = || broken("incomplete request".to_owned(), bytes.len());
    let length = match head.parse(bytes) {
        Ok(httparse::Status::Complete(length)) => length,
        Ok(httparse::Status::Partial) => return Err(incomplete()),
        Err(error) => return Err(broken(error.to_string(), 0)),
    };
    let value = |name: &str| {
        let mut lines = head.headers.iter();
        let line = lines.find(|line| line.name.eq_ignore_ascii_case(name))?;
        let value = String::from_utf8_lossy(line.value);
        Some(value.trim().to_ascii_lowercase())
    };
    let end = if value("transfer-encoding").is_some_and(|coding| coding.ends_with("chunked")) {
        chunks(&bytes[length..]).map(|body| length + body)
    } else {
        let body = match value("content-length") {
            None => 0,
            Some(text) => text
                .parse::<usize>()
                .map_err(|_| broken(format!("invalid Content-Length `{text}`"), 0))?,
        };
        length.checked_add(body)
    };
    end.filter(|&end| end <= bytes.len()).ok_or_else(incomplete)
}

/// Length of a chunked body with its trailer (RFC 9112, section 7.1); `None` when it is not whole.
fn chunks(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        let Ok(httparse::Status::Complete((line, size))) = httparse::parse_chunk_size(&bytes[at..])
        else {
            return None;
        };
        at += line;
        if size == 0 {
            break;
        }
        at = at
            .checked_add(usize::try_from(size).ok()?)?
            .checked_add(2)?;
        bytes.get(..at)?;
    }
    let mut none = [httparse::EMPTY_HEADER; MOST_LINES];
    match httparse::parse_headers(&bytes[at..], &mut none) {
        Ok(httparse::Status::Complete((trailer, _))) => Some(at + trailer),
        _ => None,
    }
}

/// The same request in no protocol's words, if it can be said so: one request, of HTTP/1.1, in text.
pub(crate) fn described(bytes: &[u8], authority: &str) -> Option<Request> {
    let mut lines = [httparse::EMPTY_HEADER; MOST_LINES];
    let mut head = httparse::Request::new(&mut lines);
    let httparse::Status::Complete(length) = head.parse(bytes).ok()? else {
        return None;
    };
    let path = head.path.filter(|path| path.starts_with('/'))?;
    let mut headers = Vec::new();
    for line in head.headers.iter() {
        let value = str::from_utf8(line.value).ok()?;
        if !(line.name.eq_ignore_ascii_case("host") && value == authority) {
            headers.push((line.name.to_owned(), value.to_owned()));
        }
    }
    (head.version == Some(1) && ends(bytes).ok()?.len() == 1).then(|| Request {
        method: head.method.unwrap_or_default().to_owned(),
        path: path.to_owned(),
        headers,
        body: bytes[length..].to_vec(),
    })
}
