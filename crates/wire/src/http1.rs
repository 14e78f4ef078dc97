//! HTTP/1.1 and HTTP/1.0 answers to HTTP/1.1 requests (RFC 9112), one request at a time.

mod request;
#[cfg(test)]
mod tests;

pub use request::Request;

use crate::message::Message;
use crate::message::head::Http1Head;
use crate::{Ask, End, Event, Exchange, Malformed, Session, Unsendable};

/// One HTTP/1 connection.
#[derive(Debug)]
pub struct Http1 {
    answer: Message<Http1Head>,
    /// Requests sent so far.
    sent: u32,
}

impl Session for Http1 {
    type Request = Request;

    fn prepare(ask: &Ask<'_>) -> Result<Request, Unsendable> {
        Request::new(ask)
    }

    fn open(_: &mut Vec<u8>) -> Self {
        Self {
            answer: Message::new(),
            sent: 0,
        }
    }

    fn capacity(&self) -> usize {
        usize::from(self.answer.is_free())
    }

    fn send(&mut self, request: &Request, out: &mut Vec<u8>) -> Exchange {
        debug_assert_eq!(self.capacity(), 1);
        out.extend_from_slice(request.bytes());
        self.answer.await_answer(request.is_head());
        self.sent += 1;
        self.sent - 1
    }

    #[inline]
    fn receive(
        &mut self,
        bytes: &[u8],
        _: &mut Vec<u8>,
        mut on: impl FnMut(Exchange, Event<'_>),
    ) -> Result<(), Malformed> {
        let exchange = self.sent.wrapping_sub(1);
        self.answer.receive(bytes, |event| on(exchange, event))
    }

    fn close(&mut self, mut on: impl FnMut(Exchange, Event<'_>)) -> End {
        let exchange = self.sent.wrapping_sub(1);
        self.answer.close(|event| on(exchange, event))
    }
}
