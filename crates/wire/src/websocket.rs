//! WebSocket (RFC 6455) as an echo: each exchange sends one message and waits for one. The first of a
//! connection asks for the upgrade (section 4.1), whose time is its own; its message follows when the
//! server has agreed. The answer's status is the upgrade's, and its body the message that came.

mod frame;
mod request;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use frame::{Incoming, Kind, Piece};
pub use request::{Request, accept};

use crate::message::head::{Head, Http1Head, MOST_LINES};
use crate::message::{Heads as _, LONGEST_HEAD};
use crate::{
    Ask, End, Event, Exchange, Failure, Malformed, On, OnOne, Result, Session, Setup, Unsendable,
};

/// The status that agrees to an upgrade: Switching Protocols.
const AGREED: u16 = 101;
/// A close that names no reason (section 7.4.1).
const NO_REASON: u16 = 1005;

/// One WebSocket connection.
#[derive(Debug)]
pub struct WebSocket {
    variant: Variant,
    exchange: Exchange,
    /// Whether the connection is to survive the message being waited for.
    keep: bool,
    /// The upgrade that is being asked for.
    upgrade: Option<Upgrade>,
    /// Its answer: what has come of it, then its header lines.
    head: Vec<u8>,
    incoming: Incoming,
    /// What its frames are masked with.
    key: [u8; 4],
}

#[derive(Debug)]
struct Upgrade {
    accept: String,
    /// The message that waits for it.
    message: Arc<[u8]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Variant {
    /// No upgrade has been asked for.
    Fresh,
    /// Nothing of its answer has come.
    Asked,
    /// Its answer has begun.
    Upgrading,
    /// Nothing is awaited.
    Idle,
    /// A message is.
    Waiting,
    /// It has begun.
    Reading,
    /// One side has closed the WebSocket, or the server refused it.
    Closed,
}

impl Session for WebSocket {
    type Request = Request;
    const ALPN: &'static [&'static [u8]] = &[b"http/1.1"];

    fn prepare(ask: &Ask<'_>) -> Result<Request, Unsendable> {
        Request::new(ask)
    }

    fn length(request: &Request) -> usize {
        request.upgrade.len() + request.message.len()
    }

    fn open(_: &Setup, _: &mut Vec<u8>) -> Self {
        Self {
            variant: Variant::Fresh,
            exchange: 0,
            keep: true,
            upgrade: None,
            head: Vec::new(),
            incoming: Incoming::default(),
            key: [0; 4],
        }
    }

    fn capacity(&self) -> usize {
        usize::from(self.keep && matches!(self.variant, Variant::Fresh | Variant::Idle))
    }

    fn send(&mut self, exchange: Exchange, request: &Request, out: &mut Vec<u8>) {
        debug_assert_eq!(self.capacity(), 1);
        self.exchange = exchange;
        self.keep = request.keep;
        self.key = request.key;
        if self.variant == Variant::Idle {
            self.variant = Variant::Waiting;
            out.extend_from_slice(&request.message);
            return;
        }
        self.variant = Variant::Asked;
        out.extend_from_slice(&request.upgrade);
        self.upgrade = Some(Upgrade {
            accept: request.accept.clone(),
            message: Arc::clone(&request.message),
        });
    }

    fn receive(&mut self, mut bytes: &[u8], out: &mut Vec<u8>, mut on: impl On) -> Result<()> {
        let exchange = self.exchange;
        let mut on = |event: Event<'_>| on(exchange, event);
        while !bytes.is_empty() {
            bytes = match self.variant {
                Variant::Closed => return Ok(()), // what follows a close is nothing (section 1.4)
                Variant::Fresh => return Err(Malformed::Unasked),
                Variant::Asked | Variant::Upgrading => self.upgraded(bytes, out, &mut on)?,
                Variant::Idle | Variant::Waiting | Variant::Reading => {
                    let mut incoming = std::mem::take(&mut self.incoming);
                    incoming.receive(bytes, |piece| self.hear(&piece, out, &mut on))?;
                    self.incoming = incoming;
                    &[]
                }
            };
        }
        Ok(())
    }

    fn close(&mut self, _: impl On) -> End {
        match std::mem::replace(&mut self.variant, Variant::Closed) {
            Variant::Fresh | Variant::Idle | Variant::Closed => End::Idle,
            Variant::Asked | Variant::Waiting => End::BeforeAnswer,
            Variant::Upgrading | Variant::Reading => End::Truncated,
        }
    }
}

impl WebSocket {
    /// Takes bytes of the upgrade's answer; returns those that follow it.
    fn upgraded<'a>(
        &mut self,
        bytes: &'a [u8],
        out: &mut Vec<u8>,
        on: &mut impl OnOne,
    ) -> Result<&'a [u8]> {
        self.variant = Variant::Upgrading;
        let before = self.head.len();
        self.head.extend_from_slice(bytes);
        let Some(head) = Http1Head::parse(&self.head)? else {
            return if self.head.len() > LONGEST_HEAD {
                Err(Malformed::TooLong)
            } else {
                Ok(&[])
            };
        };
        let rest = &bytes[head.length - before..];
        self.head.truncate(head.length);
        match head.status {
            AGREED => self.agreed(&head, out)?,
            100..200 => self.head.clear(), // interim: the answer is still to come
            _ => self.refused(&head, on),
        }
        Ok(rest)
    }

    /// The server has agreed, if it has: the message goes.
    fn agreed(&mut self, head: &Head, out: &mut Vec<u8>) -> Result<()> {
        self.head.drain(..head.fields);
        let upgrade = self.upgrade.take().ok_or(Malformed::Upgrade)?;
        if !agrees(&self.head, &upgrade.accept)? {
            return Err(Malformed::Upgrade);
        }
        out.extend_from_slice(&upgrade.message);
        self.variant = Variant::Waiting;
        Ok(())
    }

    /// The server answers as a web server does, and what follows is not looked at.
    fn refused(&mut self, head: &Head, on: &mut impl OnOne) {
        self.variant = Variant::Closed;
        on(Event::FirstByte);
        on(Event::Head {
            status: head.status,
            fields: &self.head[head.fields..],
        });
        on(Event::Done { keep: false });
    }

    fn hear(&mut self, piece: &Piece<'_>, out: &mut Vec<u8>, on: &mut impl OnOne) -> Result<()> {
        match *piece {
            Piece::Begin if self.variant == Variant::Waiting => {
                self.variant = Variant::Reading;
                on(Event::FirstByte);
                on(Event::Head {
                    status: AGREED,
                    fields: &self.head,
                });
            }
            Piece::Begin => return Err(Malformed::Unasked),
            Piece::Payload(payload) => on(Event::Body(payload)),
            Piece::End => {
                self.variant = Variant::Idle;
                on(Event::Done { keep: self.keep });
            }
            Piece::Control(Kind::Ping, payload) => {
                frame::masked(Kind::Pong, payload, self.key, out);
            }
            Piece::Control(Kind::Close, payload) => self.closed(payload, out, on)?,
            Piece::Control(..) => {} // a pong that nobody asked for is allowed (section 5.5.3)
        }
        Ok(())
    }

    /// The server closes the WebSocket, and is told the same.
    fn closed(&mut self, payload: &[u8], out: &mut Vec<u8>, on: &mut impl OnOne) -> Result<()> {
        let code = match *payload {
            [] => NO_REASON,
            [_] => return Err(Malformed::Frame),
            [high, low, ..] => u16::from_be_bytes([high, low]),
        };
        frame::masked(Kind::Close, &payload[..payload.len().min(2)], self.key, out);
        let waited = matches!(self.variant, Variant::Waiting | Variant::Reading);
        self.variant = Variant::Closed;
        if waited {
            on(Event::Failed(Failure::Reset(code.into())));
        }
        Ok(())
    }
}

/// Whether these header lines agree to the upgrade (section 4.1), and to nothing that was not asked for.
fn agrees(fields: &[u8], accept: &str) -> Result<bool> {
    let mut lines = [httparse::EMPTY_HEADER; MOST_LINES];
    let Ok(httparse::Status::Complete((_, lines))) = httparse::parse_headers(fields, &mut lines)
    else {
        return Err(Malformed::Head);
    };
    let values = |name: &'static str| {
        let lines = lines.iter();
        lines
            .filter(move |line| line.name.eq_ignore_ascii_case(name))
            .map(|line| line.value.trim_ascii())
    };
    let upgrade = values("upgrade").any(|value| value.eq_ignore_ascii_case(b"websocket"));
    let mut tokens = values("connection").flat_map(|value| value.split(|&byte| byte == b','));
    let connection = tokens.any(|token| token.trim_ascii().eq_ignore_ascii_case(b"upgrade"));
    let mut accepts = values("sec-websocket-accept");
    let accepted = accepts.next() == Some(accept.as_bytes()) && accepts.next().is_none();
    let extended = values("sec-websocket-extensions").any(|value| !value.is_empty());
    Ok(upgrade && connection && accepted && !extended)
}
