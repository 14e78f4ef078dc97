use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use crate::forward::{Refusal, Upstream};
use crate::request::Request;

/// What the origin answers, to every request the same, unless it passes them on.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Its status, from 200 to 599.
    pub status: u16,
    /// Its body, which 204 and 304 do not have: one for all connections.
    pub body: Arc<[u8]>,
    /// Time between a request and it.
    pub delay: Duration,
    /// The server whose responses take its place, after the delay.
    pub to: Option<Upstream>,
}

impl Default for Answer {
    /// 200 with a few bytes, at once.
    fn default() -> Self {
        Self {
            status: 200,
            body: Arc::from(&b"ok\n"[..]),
            delay: Duration::ZERO,
            to: None,
        }
    }
}

impl From<Refusal> for Answer {
    fn from(refusal: Refusal) -> Self {
        Self {
            status: refusal.status,
            body: format!("weir: {}\n", refusal.why).into_bytes().into(),
            ..Self::default()
        }
    }
}

impl Answer {
    /// Its head and its body for a request.
    pub(crate) fn to(&self, request: &Request) -> (Vec<u8>, Option<Arc<[u8]>>) {
        // RFC 9110, sections 15.3.5 and 15.4.5
        let bodiless = matches!(self.status, 204 | 304);
        let mut head = format!("HTTP/1.1 {} {}\r\n", self.status, reason(self.status));
        if !bodiless {
            let length = self.body.len();
            // a String takes everything
            let _ = write!(
                head,
                "Content-Type: text/plain\r\nContent-Length: {length}\r\n"
            );
        }
        head += connection(request);
        head += "\r\n";
        let body = !bodiless && !request.head_only;
        (head.into_bytes(), body.then(|| Arc::clone(&self.body)))
    }
}

/// What a status means, roughly.
pub(crate) fn reason(status: u16) -> &'static str {
    match status {
        200..300 => "OK",
        300..400 => "Elsewhere",
        400..500 => "Client Error",
        _ => "Server Error",
    }
}

/// The header line that says what becomes of a request's connection; none where that goes without saying.
pub(crate) fn connection(request: &Request) -> &'static str {
    match (request.keep, request.http10) {
        (false, _) => "Connection: close\r\n",
        (true, true) => "Connection: keep-alive\r\n",
        (true, false) => "",
    }
}

/// What a request that cannot be read is answered, before its connection is closed.
pub(crate) const REFUSAL: &[u8] =
    b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

/// What a client is told that asks before it sends a body (RFC 9110, section 10.1.1).
pub(crate) const CONTINUE: &[u8] = b"HTTP/1.1 100 Continue\r\n\r\n";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_response_has_the_body_that_its_request_allows() {
        let said = |status, request: &Request| {
            let answer = Answer {
                status,
                ..Answer::default()
            };
            let (head, body) = answer.to(request);
            let head = String::from_utf8(head).unwrap();
            assert!(head.ends_with("\r\n\r\n"), "{head}");
            (head, body.is_some())
        };
        let kept = Request {
            keep: true,
            ..Request::default()
        };
        let (head, body) = said(200, &kept);
        assert!(head.starts_with("HTTP/1.1 200 OK\r\n") && body);
        assert!(head.contains("Content-Length: 3\r\n") && !head.contains("Connection"));
        let asks_for_head = Request {
            head_only: true,
            ..kept
        };
        assert_eq!(said(200, &asks_for_head), (head, false));
        let (head, body) = said(204, &kept);
        assert!(!head.contains("Content") && !body);
        assert!(
            said(500, &Request::default())
                .0
                .contains("Connection: close")
        );
    }
}
