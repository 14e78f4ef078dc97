//! HTTP/1.0 requests (RFC 1945): the same answers as HTTP/1.1's, and a connection that is kept only
//! when both sides say so.

use crate::http1::{Http1, Request};
use crate::{Ask, AtOnce, End, Event, Exchange, Malformed, Session, Setup, Unsendable};

/// One connection on which HTTP/1.0 is asked.
#[derive(Debug)]
pub struct Http10(Http1);

impl Session for Http10 {
    type Request = Request;
    const AT_ONCE: AtOnce = AtOnce::Pipelined;

    fn prepare(ask: &Ask<'_>) -> Result<Request, Unsendable> {
        Request::old(ask)
    }

    fn verbatim(bytes: &[u8]) -> Option<Request> {
        Http1::verbatim(bytes)
    }

    fn length(request: &Request) -> usize {
        Http1::length(request)
    }

    fn open(setup: &Setup, out: &mut Vec<u8>) -> Self {
        Self(Http1::open(setup, out))
    }

    fn capacity(&self) -> usize {
        self.0.capacity()
    }

    fn send(&mut self, exchange: Exchange, request: &Request, out: &mut Vec<u8>) {
        self.0.send(exchange, request, out);
    }

    fn receive(
        &mut self,
        bytes: &[u8],
        out: &mut Vec<u8>,
        on: impl FnMut(Exchange, Event<'_>),
    ) -> Result<(), Malformed> {
        self.0.receive(bytes, out, on)
    }

    fn close(&mut self, on: impl FnMut(Exchange, Event<'_>)) -> End {
        self.0.close(on)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{asking, whole};

    #[test]
    fn a_request_says_whether_its_connection_is_to_be_kept() {
        let text = |keep_alive| {
            let ask = Ask {
                keep_alive,
                ..asking("GET")
            };
            String::from_utf8(Http10::prepare(&ask).unwrap().bytes().to_vec()).unwrap()
        };
        let kept = text(true);
        assert!(kept.starts_with("GET /a?b=c HTTP/1.0\r\n"), "{kept}");
        assert!(kept.contains("\r\nConnection: keep-alive\r\n"), "{kept}");
        assert!(!text(false).contains("Connection"), "{}", text(false));
    }

    #[test]
    fn an_answer_keeps_its_connection_if_it_says_so() {
        let answer = |head: &str| {
            let bytes = format!("HTTP/1.0 200 OK\r\n{head}Content-Length: 2\r\n\r\nok");
            whole::<Http10>("GET", &[bytes.as_bytes()]).unwrap()
        };
        assert!(!answer("").keep);
        assert!(answer("Connection: keep-alive\r\n").keep);
    }
}
