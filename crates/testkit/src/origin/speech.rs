/// What an origin speaks: the little that a client of one kind of request needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speech {
    /// HTTP/1.1 without bodies in requests.
    Http1,
    /// HTTP/2 with prior knowledge, without bodies in requests (RFC 9113).
    Http2,
    /// FastCGI as a responder.
    FastCgi,
}

/// Bytes at the end of each answer without which it is not whole.
pub(super) const HALF: usize = 2;

const BODY: &[u8] = b"hello";
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// One connection's state.
pub(super) struct Protocol {
    speech: Speech,
    /// HTTP/2: the client's preface is read.
    greeted: bool,
}

impl Speech {
    pub(super) fn begin(self) -> Protocol {
        Protocol {
            speech: self,
            greeted: false,
        }
    }
}

impl Protocol {
    /// Takes one whole request off `unread`: its number on this connection. What must be said
    /// beside answers goes to `replies`.
    pub(super) fn take(&mut self, unread: &mut Vec<u8>, replies: &mut Vec<u8>) -> Option<u32> {
        match self.speech {
            Speech::Http1 => {
                let end = unread.windows(4).position(|four| four == b"\r\n\r\n")?;
                unread.drain(..end + 4);
                Some(0)
            }
            Speech::Http2 => self.stream(unread, replies),
            Speech::FastCgi => loop {
                let head: [u8; 8] = unread.get(..8)?.try_into().ok()?;
                let [_, kind, id_high, id_low, high, low, padding, _] = head;
                let length = usize::from(u16::from_be_bytes([high, low]));
                let whole = 8 + length + usize::from(padding);
                (unread.len() >= whole).then(|| unread.drain(..whole))?;
                // FCGI_STDIN without content ends a request.
                if kind == 5 && length == 0 {
                    return Some(u32::from(u16::from_be_bytes([id_high, id_low])));
                }
            },
        }
    }

    fn stream(&mut self, unread: &mut Vec<u8>, replies: &mut Vec<u8>) -> Option<u32> {
        if !self.greeted {
            (unread.len() >= PREFACE.len()).then(|| unread.drain(..PREFACE.len()))?;
            self.greeted = true;
            replies.extend(frame(4, 0, 0, b"")); // SETTINGS
        }
        loop {
            let head: [u8; 9] = unread.get(..9)?.try_into().ok()?;
            let [a, b, c, kind, flags, stream @ ..] = head;
            let whole = 9 + u32::from_be_bytes([0, a, b, c]) as usize;
            (unread.len() >= whole).then(|| unread.drain(..whole))?;
            match kind {
                1 => return Some(u32::from_be_bytes(stream)), // HEADERS
                4 if flags & 1 == 0 => replies.extend(frame(4, 1, 0, b"")),
                _ => {}
            }
        }
    }

    /// The whole answer to a request.
    pub(super) fn answer(&self, asked: u32) -> Vec<u8> {
        match self.speech {
            Speech::Http1 => b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello".to_vec(),
            Speech::Http2 => {
                // `:status: 200` is entry 8 of the static table (RFC 7541, appendix A).
                let head = frame(1, 4, asked, &[0x88]);
                [head, frame(0, 1, asked, BODY)].concat()
            }
            Speech::FastCgi => {
                let id = asked as u16;
                let text = [b"Status: 200\r\n\r\n", BODY].concat();
                let (out, end) = (record(6, id, &text), record(3, id, &[0; 8]));
                [out, record(6, id, b""), end].concat()
            }
        }
    }
}

/// RFC 9113, section 4.1.
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = (payload.len() as u32).to_be_bytes();
    let stream = stream.to_be_bytes();
    [&length[1..], &[kind, flags], &stream, payload].concat()
}

/// The FastCGI specification, section 3.3.
fn record(kind: u8, id: u16, content: &[u8]) -> Vec<u8> {
    let ([a, b], [c, d]) = (id.to_be_bytes(), (content.len() as u16).to_be_bytes());
    [&[1, kind, a, b, c, d, 0, 0], content].concat()
}
