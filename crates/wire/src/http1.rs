//! HTTP/1.1 and HTTP/1.0 answers to HTTP/1.1 requests (RFC 9112), one request at a time.

mod chunked;
mod head;
mod request;
#[cfg(test)]
mod tests;

use chunked::Chunked;
use head::{Framing, Head};
pub use request::Request;

use crate::{Ask, End, Event, Exchange, Malformed, Session, Unsendable};

/// Longest head that is read, in bytes; servers' own limits lie far below.
const LONGEST_HEAD: usize = 64 * 1024;

/// One HTTP/1 connection.
#[derive(Debug)]
pub struct Http1 {
    expect: Expect,
    /// Requests sent so far.
    sent: u32,
    /// Whether the waiting request was a `HEAD`.
    bodiless: bool,
    /// Whether the connection survives the answer being read.
    keep: bool,
    /// The start of a head that has not arrived whole.
    partial: Vec<u8>,
}

/// What the next byte belongs to.
#[derive(Debug)]
enum Expect {
    /// Nothing: no request is waiting.
    Nothing,
    /// The first byte of an answer.
    Answer,
    /// The rest of a head.
    Head,
    /// A body of which so many bytes are missing.
    Sized(u64),
    Chunked(Chunked),
    UntilClose,
}

impl Session for Http1 {
    type Request = Request;

    fn prepare(ask: &Ask<'_>) -> Result<Request, Unsendable> {
        Request::new(ask)
    }

    fn open(_: &mut Vec<u8>) -> Self {
        Self {
            expect: Expect::Nothing,
            sent: 0,
            bodiless: false,
            keep: true,
            partial: Vec::new(),
        }
    }

    fn capacity(&self) -> usize {
        usize::from(self.keep && matches!(self.expect, Expect::Nothing))
    }

    fn send(&mut self, request: &Request, out: &mut Vec<u8>) -> Exchange {
        debug_assert_eq!(self.capacity(), 1);
        out.extend_from_slice(request.bytes());
        self.bodiless = request.is_head();
        self.expect = Expect::Answer;
        self.sent += 1;
        self.sent - 1
    }

    fn receive(
        &mut self,
        mut bytes: &[u8],
        _: &mut Vec<u8>,
        mut on: impl FnMut(Exchange, Event<'_>),
    ) -> Result<(), Malformed> {
        let exchange = self.sent.wrapping_sub(1);
        let mut on = |event: Event<'_>| on(exchange, event);
        while !bytes.is_empty() {
            let used = match &mut self.expect {
                Expect::Nothing => return Err(Malformed::Unasked),
                Expect::Answer => {
                    on(Event::FirstByte);
                    self.expect = Expect::Head;
                    self.head(bytes, &mut on)?
                }
                Expect::Head => self.head(bytes, &mut on)?,
                Expect::Sized(missing) => {
                    let piece = bytes
                        .len()
                        .min(usize::try_from(*missing).unwrap_or(usize::MAX));
                    *missing -= piece as u64;
                    let whole = *missing == 0;
                    on(Event::Body(&bytes[..piece]));
                    if whole {
                        self.done(&mut on);
                    }
                    piece
                }
                Expect::Chunked(chunked) => {
                    let (used, whole) = chunked.receive(bytes, |piece| on(Event::Body(piece)))?;
                    if whole {
                        self.done(&mut on);
                    }
                    used
                }
                Expect::UntilClose => {
                    on(Event::Body(bytes));
                    bytes.len()
                }
            };
            bytes = &bytes[used..];
        }
        Ok(())
    }

    fn close(&mut self, mut on: impl FnMut(Exchange, Event<'_>)) -> End {
        self.keep = false;
        match std::mem::replace(&mut self.expect, Expect::Nothing) {
            Expect::Nothing => End::Idle,
            Expect::Answer => End::BeforeAnswer,
            Expect::UntilClose => {
                on(self.sent - 1, Event::Done { keep: false });
                End::Complete
            }
            Expect::Head | Expect::Sized(_) | Expect::Chunked(_) => End::Truncated,
        }
    }
}

impl Http1 {
    /// Reads a head from `bytes`, or keeps them until the rest comes; returns how many it used.
    fn head(&mut self, bytes: &[u8], on: &mut impl FnMut(Event<'_>)) -> Result<usize, Malformed> {
        if self.partial.is_empty() {
            if let Some(head) = Head::parse(bytes)? {
                self.begin(&head, &bytes[head.fields..head.length], on)?;
                return Ok(head.length);
            }
            self.keep_partial(bytes)?;
            return Ok(bytes.len());
        }
        let before = self.partial.len();
        self.keep_partial(bytes)?;
        // A slow peer's head must not be parsed anew for each byte: only a line end can complete
        // it. The first bytes are looked at all the same, to know garbage when it comes.
        if before >= 16 && memchr::memchr(b'\n', bytes).is_none() {
            return Ok(bytes.len());
        }
        let partial = std::mem::take(&mut self.partial);
        let Some(head) = Head::parse(&partial)? else {
            self.partial = partial;
            return Ok(bytes.len());
        };
        self.begin(&head, &partial[head.fields..head.length], on)?;
        self.partial = partial;
        self.partial.clear(); // its allocation serves the next head
        Ok(head.length - before)
    }

    fn keep_partial(&mut self, bytes: &[u8]) -> Result<(), Malformed> {
        // What follows the head may be in the same read, hence the room for one read more.
        if self.partial.len() > LONGEST_HEAD {
            return Err(Malformed::TooLong);
        }
        self.partial.extend_from_slice(bytes);
        Ok(())
    }

    /// A head is whole: what follows it?
    fn begin(
        &mut self,
        head: &Head,
        fields: &[u8],
        on: &mut impl FnMut(Event<'_>),
    ) -> Result<(), Malformed> {
        if head.length > LONGEST_HEAD {
            return Err(Malformed::TooLong);
        }
        match head.status {
            101 | 0..100 => return Err(Malformed::Status), // nobody asked for an upgrade
            100..200 => return Ok(()),                     // interim: the answer is still to come
            _ => {}
        }
        self.keep = head.keep;
        on(Event::Head {
            status: head.status,
            fields,
        });
        let bodiless = self.bodiless || matches!(head.status, 204 | 304);
        self.expect = match head.framing {
            _ if bodiless => Expect::Sized(0),
            Framing::Sized(length) => Expect::Sized(length),
            Framing::Chunked => Expect::Chunked(Chunked::default()),
            Framing::UntilClose => {
                self.keep = false;
                Expect::UntilClose
            }
        };
        if matches!(self.expect, Expect::Sized(0)) {
            self.done(on);
        }
        Ok(())
    }

    fn done(&mut self, on: &mut impl FnMut(Event<'_>)) {
        self.expect = Expect::Nothing;
        on(Event::Done { keep: self.keep });
    }
}
