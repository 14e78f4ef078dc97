//! HTTP/1.1 and HTTP/1.0 answers to requests of either (RFC 9112, RFC 1945), one after the other or pipelined
//! (RFC 9112, section 9.3.2).

mod request;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;

pub use request::Request;

use crate::message::Message;
use crate::message::head::Http1Head;
use crate::{Ask, AtOnce, End, Exchange, Malformed, On, Result, Session, Setup, Unsendable};

/// One HTTP/1 connection.
pub type Http1 = Connection<false>;
/// One connection on which HTTP/1.0 is asked: it is kept only when both sides say so.
pub type Http10 = Connection<true>;

/// A connection whose requests are of HTTP/1.0 where they are `OLD`, else of HTTP/1.1.
#[derive(Debug)]
pub struct Connection<const OLD: bool> {
    answer: Message<Http1Head>,
    /// Whose answer is being read, or was.
    exchange: Exchange,
    /// Those sent after it, in order, and whether their answers have no body whatever they say.
    behind: VecDeque<(Exchange, bool)>,
    /// Most requests under way at once.
    depth: usize,
}

impl<const OLD: bool> Session for Connection<OLD> {
    type Request = Request;
    const ALPN: &'static [&'static [u8]] = if OLD { &[] } else { &[b"http/1.1"] };
    const AT_ONCE: AtOnce = AtOnce::Pipelined;

    fn prepare(ask: &Ask<'_>) -> Result<Request, Unsendable> {
        Request::new(ask, OLD)
    }

    fn verbatim(bytes: &[u8]) -> Option<Request> {
        Some(Request::verbatim(bytes.to_vec()))
    }

    fn length(request: &Request) -> usize {
        request.bytes().len()
    }

    fn open(setup: &Setup, _: &mut Vec<u8>) -> Self {
        Self {
            answer: Message::new(),
            exchange: 0,
            behind: VecDeque::new(),
            depth: setup.depth as usize,
        }
    }

    fn capacity(&self) -> usize {
        if !self.answer.keep {
            return 0;
        }
        let reading = usize::from(!self.answer.is_free());
        self.depth.saturating_sub(reading + self.behind.len())
    }

    fn send(&mut self, exchange: Exchange, request: &Request, out: &mut Vec<u8>) {
        debug_assert!(self.capacity() > 0);
        out.extend_from_slice(request.bytes());
        if self.answer.is_free() {
            self.exchange = exchange;
            self.answer.await_answer(request.bodiless);
        } else {
            self.behind.push_back((exchange, request.bodiless));
        }
    }

    #[inline]
    fn receive(&mut self, mut bytes: &[u8], _: &mut Vec<u8>, mut on: impl On) -> Result<()> {
        loop {
            let exchange = self.exchange;
            let used = self.answer.receive(bytes, |event| on(exchange, event))?;
            bytes = &bytes[used..];
            if self.answer.is_free()
                && let Some((next, bodiless)) = self.behind.pop_front()
            {
                self.exchange = next;
                self.answer.await_answer(bodiless);
                continue;
            }
            // What follows the last answer was not asked for.
            return if bytes.is_empty() {
                Ok(())
            } else {
                Err(Malformed::Unasked)
            };
        }
    }

    fn close(&mut self, mut on: impl On) -> End {
        let exchange = self.exchange;
        self.answer.close(|event| on(exchange, event))
    }
}
