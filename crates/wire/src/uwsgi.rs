//! The uwsgi protocol (uWSGI's documentation, "The uwsgi Protocol"): one packet of variables with
//! modifiers 0, an HTTP or CGI answer, the end of the connection.

use crate::cgi::{Once, variables};
use crate::packet::Packet;
use crate::{Ask, End, Event, Exchange, Malformed, Session, Unsendable};

/// One uwsgi connection, which carries one request.
#[derive(Debug)]
pub struct Uwsgi(Once);

impl Session for Uwsgi {
    type Request = Packet;

    fn prepare(ask: &Ask<'_>) -> Result<Packet, Unsendable> {
        let too_long =
            || Unsendable::new("request", ask.path, "more than 65535 bytes of variables");
        let length = |bytes: usize| u16::try_from(bytes).map_err(|_| too_long());
        let mut block = Vec::new();
        for (name, value) in variables(ask)? {
            for part in [name.as_bytes(), &value] {
                block.extend(length(part.len())?.to_le_bytes());
                block.extend(part);
            }
        }
        let mut bytes = vec![0]; // modifier 1: a request for a WSGI, Rack or PSGI application
        bytes.extend(length(block.len())?.to_le_bytes());
        bytes.push(0);
        bytes.extend(block);
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
