use std::time::Duration;

use crate::request::Request;

/// What the origin answers, to every request the same.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Its status, from 200 to 599.
    pub status: u16,
    /// Its body, which 204 and 304 do not have.
    pub body: Vec<u8>,
    /// Time between a request and it.
    pub delay: Duration,
}

impl Default for Answer {
    /// 200 with a few bytes, at once.
    fn default() -> Self {
        Self {
            status: 200,
            body: b"ok\n".to_vec(),
            delay: Duration::ZERO,
        }
    }
}

impl Answer {
    /// Its bytes for a request: one write, so that nothing of it waits for an acknowledgement.
    pub(crate) fn bytes(&self, request: &Request) -> Vec<u8> {
        // RFC 9110, sections 15.3.5 and 15.4.5
        let bodiless = matches!(self.status, 204 | 304);
        let mut lines = format!("HTTP/1.1 {} {}\r\n", self.status, self.reason());
        if !bodiless {
            lines += "Content-Type: text/plain\r\n";
            lines += &format!("Content-Length: {}\r\n", self.body.len());
        }
        match (request.keep, request.http10) {
            (false, _) => lines += "Connection: close\r\n",
            (true, true) => lines += "Connection: keep-alive\r\n",
            (true, false) => {}
        }
        let mut bytes = (lines + "\r\n").into_bytes();
        if !bodiless && !request.head_only {
            bytes.extend_from_slice(&self.body);
        }
        bytes
    }

    fn reason(&self) -> &'static str {
        match self.status {
            200..300 => "OK",
            300..400 => "Elsewhere",
            400..500 => "Client Error",
            _ => "Server Error",
        }
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
            String::from_utf8(answer.bytes(request)).unwrap()
        };
        let kept = Request {
            keep: true,
            ..Request::default()
        };
        let whole = said(200, &kept);
        assert!(whole.starts_with("HTTP/1.1 200 OK\r\n") && whole.ends_with("\r\n\r\nok\n"));
        assert!(!whole.contains("Connection"));
        let head = Request {
            head_only: true,
            ..kept
        };
        assert!(said(200, &head).ends_with("Content-Length: 3\r\n\r\n"));
        assert!(!said(204, &kept).contains("Content"));
        assert!(said(500, &Request::default()).contains("Connection: close"));
    }
}
