//! SCGI (Neil Schemenauer's specification of 2008): variables as a netstring, a CGI answer, the end of
//! the connection.

use crate::cgi::{Once, variables};
use crate::packet::Packet;
use crate::{Ask, End, Event, Exchange, Malformed, Session, Unsendable};

/// One SCGI connection, which carries one request.
#[derive(Debug)]
pub struct Scgi(Once);

impl Session for Scgi {
    type Request = Packet;

    fn prepare(ask: &Ask<'_>) -> Result<Packet, Unsendable> {
        let mut text = Vec::new();
        let marker = ("SCGI".to_owned(), b"1".to_vec());
        // `CONTENT_LENGTH` must come first, and is the first of the variables.
        for (name, value) in variables(ask)?.into_iter().chain([marker]) {
            text.extend(name.bytes());
            text.push(0);
            text.extend(value);
            text.push(0);
        }
        let mut bytes = format!("{}:", text.len()).into_bytes();
        bytes.extend(text);
        bytes.push(b',');
        Ok(Packet::new(ask, bytes))
    }

    fn open(_: &mut Vec<u8>) -> Self {
        Self(Once::open())
    }

    fn capacity(&self) -> usize {
        self.0.capacity()
    }

    fn send(&mut self, request: &Packet, out: &mut Vec<u8>) -> Exchange {
        self.0.send(request, out)
    }

    fn receive(
        &mut self,
        bytes: &[u8],
        _: &mut Vec<u8>,
        on: impl FnMut(Exchange, Event<'_>),
    ) -> Result<(), Malformed> {
        self.0.receive(bytes, on)
    }

    fn close(&mut self, on: impl FnMut(Exchange, Event<'_>)) -> End {
        self.0.close(on)
    }
}
