//! AJP 1.3 as a servlet container or an app server is asked ("AJPv13 extension proposal" and Tomcat's
//! "The AJP 1.3 protocol"): packets both ways, one request at a time, the connection kept if the
//! answer's end says so.

mod answer;
mod request;
#[cfg(test)]
mod tests;

use answer::{Answer, Variant};

use crate::frames::Frames;
use crate::packet::Packet;
use crate::{Ask, End, Event, Exchange, Malformed, On, Result, Session, Setup, Unsendable};

/// Magic and length.
const HEADER: usize = 4;

/// One AJP13 connection.
#[derive(Debug)]
pub struct Ajp {
    frames: Frames,
    answer: Answer,
    exchange: Exchange,
}

impl Session for Ajp {
    type Request = Packet;

    fn prepare(ask: &Ask<'_>) -> Result<Packet, Unsendable> {
        request::forward(ask)
    }

    fn length(request: &Packet) -> usize {
        request.length()
    }

    fn open(_: &Setup, _: &mut Vec<u8>) -> Self {
        Self {
            frames: Frames::new(HEADER, length_of_packet),
            answer: Answer::new(),
            exchange: 0,
        }
    }

    fn capacity(&self) -> usize {
        usize::from(self.answer.is_free())
    }

    fn send(&mut self, exchange: Exchange, request: &Packet, out: &mut Vec<u8>) {
        debug_assert_eq!(self.capacity(), 1);
        out.extend_from_slice(&request.before);
        self.answer.await_answer(request);
        self.exchange = exchange;
    }

    fn receive(&mut self, bytes: &[u8], out: &mut Vec<u8>, mut on: impl On) -> Result<()> {
        let Self {
            frames,
            answer,
            exchange,
        } = self;
        let mut on = |event: Event<'_>| on(*exchange, event);
        answer.touch(bytes);
        frames.receive(bytes, |packet| answer.take(&packet[HEADER..], out, &mut on))
    }

    fn close(&mut self, _: impl On) -> End {
        match self.answer.abandon() {
            Variant::Idle => End::Idle,
            Variant::Asked => End::BeforeAnswer,
            Variant::Begun | Variant::Interim | Variant::Body => End::Truncated,
        }
    }
}

fn length_of_packet(bytes: &[u8]) -> Result<Option<usize>> {
    if !b"AB".starts_with(&bytes[..bytes.len().min(2)]) {
        return Err(Malformed::Frame);
    }
    let length = |header: &[u8]| HEADER + usize::from(u16::from_be_bytes([header[2], header[3]]));
    Ok(bytes.get(..HEADER).map(length))
}
