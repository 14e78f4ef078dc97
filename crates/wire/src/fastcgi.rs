//! FastCGI 1.0 as a responder is asked (specification of 29 April 1996): one request at a time, never
//! multiplexed, always under the number 1.

#[cfg(test)]
mod tests;

use crate::cgi::{Answer, origin, variables};
use crate::frames::Frames;
use crate::packet::Packet;
use crate::{Ask, End, Event, Exchange, Malformed, On, OnOne, Result, Session, Setup, Unsendable};

const HEADER: usize = 8;
const VERSION: u8 = 1;

const BEGIN_REQUEST: u8 = 1;
const END_REQUEST: u8 = 3;
const PARAMS: u8 = 4;
const STDIN: u8 = 5;
const STDOUT: u8 = 6;
const STDERR: u8 = 7;

/// One FastCGI connection.
#[derive(Debug)]
pub struct FastCgi {
    frames: Frames,
    reply: Reply,
    exchange: Exchange,
    /// The variables that say where this connection comes from, a record of their own.
    origin: Vec<u8>,
    /// Whether the connection survives the request being answered.
    keep: bool,
}

/// The application's reply to the request that is waiting.
#[derive(Debug)]
struct Reply {
    variant: Variant,
    answer: Answer,
    /// Whether its standard output has been closed.
    output_over: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Variant {
    /// No request is waiting.
    Idle,
    /// Nothing has come yet.
    Asked,
    /// It has begun.
    Begun,
}

impl Session for FastCgi {
    type Request = Packet;
    const VARIABLES: bool = true;

    fn prepare(ask: &Ask<'_>) -> Result<Packet, Unsendable> {
        let mut params = Vec::new();
        let variables = variables(ask)?;
        for (name, value) in &variables.fixed {
            param(name.as_bytes(), value, &mut params);
        }
        let mut bytes = Vec::new();
        let keep_conn = u8::from(ask.keep_alive);
        record(BEGIN_REQUEST, &[0, 1, keep_conn, 0, 0, 0, 0, 0], &mut bytes); // role 1: responder
        for piece in params.chunks(usize::from(u16::MAX)) {
            record(PARAMS, piece, &mut bytes);
        }
        let mut after = Vec::new();
        record(PARAMS, &[], &mut after);
        for piece in ask.body.chunks(usize::from(u16::MAX)) {
            record(STDIN, piece, &mut after);
        }
        record(STDIN, &[], &mut after);
        Ok(Packet {
            after,
            tells_origin: variables.tells_origin,
            ..Packet::new(ask, bytes)
        })
    }

    fn length(request: &Packet) -> usize {
        request.length()
    }

    fn open(setup: &Setup, _: &mut Vec<u8>) -> Self {
        let (mut params, mut told) = (Vec::new(), Vec::new());
        for (name, value) in origin(setup.local) {
            param(name.as_bytes(), value.as_bytes(), &mut params);
        }
        record(PARAMS, &params, &mut told);
        Self {
            origin: told,
            frames: Frames::new(HEADER, length_of_record),
            reply: Reply {
                variant: Variant::Idle,
                answer: Answer::new(),
                output_over: false,
            },
            exchange: 0,
            keep: true,
        }
    }

    fn capacity(&self) -> usize {
        usize::from(self.keep && self.reply.variant == Variant::Idle)
    }

    fn send(&mut self, exchange: Exchange, request: &Packet, out: &mut Vec<u8>) {
        debug_assert_eq!(self.capacity(), 1);
        out.extend_from_slice(&request.before);
        out.extend_from_slice(request.origin(&self.origin));
        out.extend_from_slice(&request.after);
        self.keep = request.keep;
        self.reply.variant = Variant::Asked;
        self.reply.output_over = false;
        self.reply.answer = Answer::new();
        self.reply.answer.await_answer(request.bodiless);
        self.exchange = exchange;
    }

    fn receive(&mut self, bytes: &[u8], _: &mut Vec<u8>, mut on: impl On) -> Result<()> {
        let Self {
            frames,
            reply,
            exchange,
            keep,
            origin: _,
        } = self;
        let mut on = |event: Event<'_>| on(*exchange, event);
        if reply.variant == Variant::Asked && !bytes.is_empty() {
            reply.variant = Variant::Begun;
            on(Event::FirstByte);
        }
        frames.receive(bytes, |record| reply.take(record, *keep, &mut on))
    }

    fn close(&mut self, _: impl On) -> End {
        self.keep = false;
        match std::mem::replace(&mut self.reply.variant, Variant::Idle) {
            Variant::Idle => End::Idle,
            Variant::Asked => End::BeforeAnswer,
            // Whatever has come, the record that ends the request has not.
            Variant::Begun => End::Truncated,
        }
    }
}

impl Reply {
    /// A whole record.
    fn take(&mut self, record: &[u8], keep: bool, on: &mut impl OnOne) -> Result<()> {
        if self.variant == Variant::Idle {
            return Err(Malformed::Unasked);
        }
        let (header, rest) = record.split_at(HEADER);
        if header[2..4] != [0, 1] {
            return Err(Malformed::Frame);
        }
        let content = &rest[..usize::from(u16::from_be_bytes([header[4], header[5]]))];
        match header[1] {
            STDOUT if content.is_empty() => self.output_over = true,
            STDOUT if self.output_over => return Err(Malformed::Frame),
            STDOUT => self.answer.take(content, |event| match event {
                Event::FirstByte | Event::Done { .. } => {} // those are the record's to say
                event => on(event),
            })?,
            STDERR if content.is_empty() => {}
            STDERR => on(Event::Stderr(content)),
            END_REQUEST => {
                self.end(content)?;
                on(Event::Done { keep });
            }
            _ => return Err(Malformed::Frame),
        }
        Ok(())
    }

    fn end(&mut self, content: &[u8]) -> Result<()> {
        let [_, _, _, _, status, _, _, _] = *content else {
            return Err(Malformed::Frame);
        };
        match status {
            0 => {}
            1 => return Err(Malformed::CannotMultiplex),
            2 => return Err(Malformed::Overloaded),
            3 => return Err(Malformed::UnknownRole),
            _ => return Err(Malformed::Frame),
        }
        self.variant = Variant::Idle;
        match self.answer.close(|_| ()) {
            End::Idle | End::Complete => Ok(()),
            End::BeforeAnswer => Err(Malformed::Empty),
            End::Truncated => Err(Malformed::Cut),
        }
    }
}

fn length_of_record(bytes: &[u8]) -> Result<Option<usize>> {
    if bytes.first().is_some_and(|&version| version != VERSION) {
        return Err(Malformed::Frame);
    }
    Ok(bytes.get(..HEADER).map(|header| {
        let content = usize::from(u16::from_be_bytes([header[4], header[5]]));
        HEADER + content + usize::from(header[6])
    }))
}

/// Content is at most 65535 bytes.
fn record(kind: u8, content: &[u8], out: &mut Vec<u8>) {
    let [high, low] = (content.len() as u16).to_be_bytes();
    out.extend([VERSION, kind, 0, 1, high, low, 0, 0]);
    out.extend(content);
}

fn param(name: &[u8], value: &[u8], out: &mut Vec<u8>) {
    length(name.len(), out);
    length(value.len(), out);
    out.extend(name);
    out.extend(value);
}

/// Section 3.4: one byte up to 127, else four with the highest bit set.
fn length(bytes: usize, out: &mut Vec<u8>) {
    if bytes < 128 {
        out.push(bytes as u8);
    } else {
        out.extend((bytes as u32 | 1 << 31).to_be_bytes());
    }
}
