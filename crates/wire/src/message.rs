//! An answer made of a head of lines and a body, fed in pieces of any size: HTTP/1's own, and those
//! of the protocols that carry CGI answers.

pub(crate) mod chunked;
pub(crate) mod head;

use std::marker::PhantomData;

use chunked::Chunked;
use head::{Framing, Head};

use crate::{End, Event, Malformed, OnOne, Result};

/// Longest head that is read, in bytes; servers' own limits lie far below.
pub(crate) const LONGEST_HEAD: usize = 64 * 1024;

/// How a head is read.
pub(crate) trait Heads {
    /// The head at the start of `bytes`; `None` when it is not whole.
    fn parse(bytes: &[u8]) -> Result<Option<Head>>;
}

/// The answer being read on a connection, and after it the next.
#[derive(Debug)]
pub(crate) struct Message<H> {
    expect: Expect,
    /// Whether the answer has no body whatever its head says.
    pub(crate) bodiless: bool,
    /// Whether the connection survives the answers read so far.
    pub(crate) keep: bool,
    /// The start of a head that has not arrived whole.
    partial: Vec<u8>,
    heads: PhantomData<H>,
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

impl<H: Heads> Message<H> {
    /// Before the first request.
    pub(crate) fn new() -> Self {
        Self {
            expect: Expect::Nothing,
            bodiless: false,
            keep: true,
            partial: Vec::new(),
            heads: PhantomData,
        }
    }

    /// Whether no answer is awaited and another request may be sent.
    pub(crate) fn is_free(&self) -> bool {
        self.keep && matches!(self.expect, Expect::Nothing)
    }

    /// A request was sent; `bodiless` when it was a `HEAD`.
    pub(crate) fn await_answer(&mut self, bodiless: bool) {
        self.bodiless = bodiless;
        self.expect = Expect::Answer;
    }

    /// Takes bytes that arrived and says what they mean; how many belong to this answer, which are
    /// all of them unless it is whole.
    pub(crate) fn receive(&mut self, all: &[u8], mut on: impl OnOne) -> Result<usize> {
        let mut bytes = all;
        while !bytes.is_empty() {
            let used = match &mut self.expect {
                Expect::Nothing => break,
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
        Ok(all.len() - bytes.len())
    }

    /// The stream has ended, which may complete the answer.
    pub(crate) fn close(&mut self, mut on: impl OnOne) -> End {
        self.keep = false;
        match std::mem::replace(&mut self.expect, Expect::Nothing) {
            Expect::Nothing => End::Idle,
            Expect::Answer => End::BeforeAnswer,
            Expect::UntilClose => {
                on(Event::Done { keep: false });
                End::Complete
            }
            Expect::Head | Expect::Sized(_) | Expect::Chunked(_) => End::Truncated,
        }
    }

    /// Reads a head from `bytes`, or keeps them until the rest comes; returns how many it used.
    fn head(&mut self, bytes: &[u8], on: &mut impl OnOne) -> Result<usize> {
        if self.partial.is_empty() {
            if let Some(head) = H::parse(bytes)? {
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
        let Some(head) = H::parse(&partial)? else {
            self.partial = partial;
            return Ok(bytes.len());
        };
        self.begin(&head, &partial[head.fields..head.length], on)?;
        self.partial = partial;
        self.partial.clear(); // its allocation serves the next head
        Ok(head.length - before)
    }

    fn keep_partial(&mut self, bytes: &[u8]) -> Result<()> {
        // What follows the head may be in the same read, hence the room for one read more.
        if self.partial.len() > LONGEST_HEAD {
            return Err(Malformed::TooLong);
        }
        self.partial.extend_from_slice(bytes);
        Ok(())
    }

    /// A head is whole: what follows it?
    fn begin(&mut self, head: &Head, fields: &[u8], on: &mut impl OnOne) -> Result<()> {
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
        self.bodiless |= matches!(head.status, 204 | 304);
        self.expect = match head.framing {
            _ if self.bodiless => Expect::Sized(0),
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

    fn done(&mut self, on: &mut impl OnOne) {
        self.expect = Expect::Nothing;
        on(Event::Done { keep: self.keep });
    }
}
