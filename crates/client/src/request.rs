//! Requests in HTTP/1 as their bytes arrive, without a socket.

use httparse::{Header, Status};
use record::Malformed;
use wire::Chunked;

use crate::kept::Kept;

/// Longest head that is read, in bytes.
const LONGEST_HEAD: usize = 64 * 1024;
/// Most header lines of a head.
pub const MOST_HEADERS: usize = 128;

/// A request whose head was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a header that is there or not"
)]
pub struct Request {
    /// Whether its connection is kept after the response.
    pub keep: bool,
    /// Whether it is of HTTP/1.0.
    pub http10: bool,
    /// Whether it asks for no body (`HEAD`).
    pub head_only: bool,
    /// Whether it waits to be told before it sends its body (`Expect: 100-continue`).
    pub expects: bool,
    /// Whether its body comes in chunks.
    pub chunked: bool,
    /// Bytes of its body as it says; unknown of one in chunks.
    pub length: u64,
}

impl Request {
    /// Whether there is a body.
    pub fn has_body(&self) -> bool {
        self.chunked || self.length > 0
    }
}

/// What the next bytes brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// Not yet anything whole.
    Part,
    /// A head; its body has not come, or not all of it.
    Head {
        /// The request.
        request: Request,
        /// Whether nothing of its body came with it.
        alone: bool,
    },
    /// The request is whole.
    Whole(Request),
}

/// Reads one request after the other.
#[derive(Debug, Default)]
pub struct Reader {
    /// Bytes that arrived and were not read yet.
    input: Vec<u8>,
    body: Option<(Request, Body)>,
    /// Whether requests are kept to be passed on; they are passed over otherwise.
    keeps: bool,
    kept: Option<Kept>,
}

#[derive(Debug)]
enum Body {
    Sized(u64),
    Chunked(Chunked),
}

impl Reader {
    /// One that keeps each request, if it is to be passed on.
    pub(crate) fn keeping(keeps: bool) -> Self {
        Self {
            keeps,
            ..Self::default()
        }
    }

    /// The request that was read last, if it was kept.
    pub(crate) fn kept(&mut self) -> Option<Kept> {
        self.kept.take()
    }

    /// Takes in bytes, as they came.
    pub fn take(&mut self, bytes: &[u8]) {
        self.input.extend_from_slice(bytes);
    }

    /// Bytes that wait to be read: of a request that is not whole, or of those after it.
    pub fn waiting(&self) -> usize {
        self.input.len()
    }

    /// Whether a request has begun.
    pub fn has_begun(&self) -> bool {
        self.body.is_some() || !self.input.is_empty()
    }

    /// The start of what could not be read, at most so many bytes, in ASCII: what is not is escaped.
    pub fn sample(&self, most: usize) -> String {
        let bytes = &self.input[..self.input.len().min(most)];
        bytes.escape_ascii().to_string()
    }

    /// The next thing that is whole. A head is told once, and then its request.
    ///
    /// # Errors
    /// The bytes are no request; nothing after them is.
    pub fn read(&mut self) -> Result<Seen, Malformed> {
        if self.body.is_some() {
            return self.rest();
        }
        let Some((request, length)) = head(&self.input)? else {
            return Ok(Seen::Part);
        };
        self.kept = self.keeps.then(|| Kept::of(&self.input[..length]));
        self.input.drain(..length);
        let alone = self.input.is_empty();
        let body = if request.chunked {
            Body::Chunked(Chunked::default())
        } else {
            Body::Sized(request.length)
        };
        self.body = Some((request, body));
        Ok(match self.rest()? {
            Seen::Part => Seen::Head { request, alone },
            seen => seen,
        })
    }

    /// The rest of a body, which nobody needs unless it is kept.
    fn rest(&mut self) -> Result<Seen, Malformed> {
        let Some((request, body)) = &mut self.body else {
            return Ok(Seen::Part);
        };
        let mut keep = |piece: &[u8]| {
            if let Some(kept) = &mut self.kept {
                kept.add(piece);
            }
        };
        let (used, whole) = match body {
            Body::Sized(missing) => {
                let here = (self.input.len() as u64).min(*missing);
                *missing -= here;
                keep(&self.input[..here as usize]);
                (here as usize, *missing == 0)
            }
            Body::Chunked(chunked) => {
                let received = chunked.receive(&self.input, keep);
                received.map_err(|_| Malformed::Framing)?
            }
        };
        let request = *request;
        self.input.drain(..used);
        if whole {
            self.body = None;
            return Ok(Seen::Whole(request));
        }
        Ok(Seen::Part)
    }
}

/// The head at the start of these bytes, and its length; `None` when it is not whole.
fn head(bytes: &[u8]) -> Result<Option<(Request, usize)>, Malformed> {
    if bytes.first() == Some(&0x16) {
        return Err(Malformed::Tls);
    }
    if bytes.starts_with(b"PRI * HTTP/2") {
        return Err(Malformed::Http2);
    }
    let mut lines = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut parsed = httparse::Request::new(&mut lines);
    let long = bytes.len() > LONGEST_HEAD;
    let length = match parsed.parse(bytes) {
        Ok(Status::Complete(length)) if length <= LONGEST_HEAD => length,
        Ok(Status::Partial) if !long => return Ok(None),
        Ok(_) | Err(httparse::Error::TooManyHeaders) => return Err(Malformed::TooLong),
        Err(_) => return Err(Malformed::Head),
    };
    let http10 = parsed.version == Some(0);
    let says = |name, word| list(parsed.headers, name).any(|said| said.eq_ignore_ascii_case(word));
    let (length_of_body, chunked) = framing(parsed.headers)?;
    let request = Request {
        keep: !says("connection", "close") && (!http10 || says("connection", "keep-alive")),
        http10,
        head_only: parsed.method == Some("HEAD"),
        expects: says("expect", "100-continue"),
        chunked,
        length: length_of_body,
    };
    Ok(Some((request, length)))
}

/// How long the body is, and whether it comes in chunks. Where two headers disagree, nobody may guess.
fn framing(headers: &[Header<'_>]) -> Result<(u64, bool), Malformed> {
    let codings: Vec<_> = list(headers, "transfer-encoding").collect();
    let lengths: Vec<_> = list(headers, "content-length").collect();
    match (codings.as_slice(), lengths.as_slice()) {
        ([], []) => Ok((0, false)),
        ([coding], []) if coding.eq_ignore_ascii_case("chunked") => Ok((0, true)),
        ([], [first, more @ ..]) if more.iter().all(|other| other == first) => {
            let digits = first.bytes().all(|byte| byte.is_ascii_digit());
            let length = first.parse().ok().filter(|_| digits);
            Ok((length.ok_or(Malformed::Framing)?, false))
        }
        _ => Err(Malformed::Framing),
    }
}

/// The values of a header, each of a list by itself. One that is no text is an empty one.
fn list<'a>(headers: &'a [Header<'_>], name: &'a str) -> impl Iterator<Item = &'a str> {
    let of_name = headers
        .iter()
        .filter(move |line| line.name.eq_ignore_ascii_case(name));
    let texts = of_name.map(|line| std::str::from_utf8(line.value).unwrap_or_default());
    texts.flat_map(|text| text.split(',').map(str::trim))
}

#[cfg(test)]
#[path = "request_tests.rs"]
mod tests;
