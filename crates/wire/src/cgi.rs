//! What FastCGI, SCGI and uwsgi share: the variables that describe a request, and the answer of a CGI
//! script (RFC 3875, section 6).

mod head;
#[cfg(test)]
mod tests;
mod variables;

use std::marker::PhantomData;

pub(crate) use variables::{origin, variables};

use crate::message::Message;
use crate::packet::Packet;
use crate::{Ask, End, Exchange, Malformed, On, OnOne, Result, Session, Setup, Unsendable};
use head::CgiHead;

/// A script's answer, read from pieces of any size.
pub(crate) type Answer = Message<CgiHead>;

impl Answer {
    /// Takes all of these bytes. A body that must not be there (of a `HEAD`, a 304) is the script's slip. Front ends
    /// drop it, and so many a script makes it.
    pub(crate) fn take(&mut self, bytes: &[u8], on: impl OnOne) -> Result<()> {
        let used = self.receive(bytes, on)?;
        if used < bytes.len() && !self.bodiless {
            return Err(Malformed::Unasked);
        }
        Ok(())
    }
}

/// How a protocol of one request a connection writes it: all that tells SCGI from uwsgi.
pub trait Pack {
    /// What stands between the variables and the body.
    const AFTER: &[u8] = &[];

    /// Appends a variable.
    fn variable(name: &[u8], value: &[u8], out: &mut Vec<u8>);

    /// Ends a request's variables, those of its connection left out.
    ///
    /// # Errors
    /// A request that the protocol cannot carry.
    fn end(variables: &mut Vec<u8>, ask: &Ask<'_>) -> Result<(), Unsendable>;

    /// Appends what goes before so many bytes of variables.
    fn header(length: usize, out: &mut Vec<u8>);
}

/// A connection that carries one request and one script's answer, as SCGI's and uwsgi's do.
#[derive(Debug)]
pub struct Once<P> {
    answer: Answer,
    /// The variables that say where this connection comes from.
    origin: Vec<u8>,
    /// The request sent, once there is one.
    sent: Option<Exchange>,
    protocol: PhantomData<P>,
}

impl<P: Pack> Session for Once<P> {
    type Request = Packet;
    const VARIABLES: bool = true;

    fn prepare(ask: &Ask<'_>) -> Result<Packet, Unsendable> {
        let variables = variables(ask)?;
        let mut before = Vec::new();
        for (name, value) in &variables.fixed {
            P::variable(name.as_bytes(), value, &mut before);
        }
        P::end(&mut before, ask)?;
        Ok(Packet {
            after: [P::AFTER, ask.body].concat(),
            tells_origin: variables.tells_origin,
            ..Packet::new(ask, before)
        })
    }

    fn length(request: &Packet) -> usize {
        request.length()
    }

    fn open(setup: &Setup, _: &mut Vec<u8>) -> Self {
        let mut told = Vec::new();
        for (name, value) in origin(setup.local) {
            P::variable(name.as_bytes(), value.as_bytes(), &mut told);
        }
        Self {
            answer: Answer::new(),
            origin: told,
            sent: None,
            protocol: PhantomData,
        }
    }

    fn capacity(&self) -> usize {
        usize::from(self.sent.is_none())
    }

    fn send(&mut self, exchange: Exchange, request: &Packet, out: &mut Vec<u8>) {
        debug_assert_eq!(self.capacity(), 1);
        let origin = request.origin(&self.origin);
        P::header(request.before.len() + origin.len(), out);
        out.extend_from_slice(&request.before);
        out.extend_from_slice(origin);
        out.extend_from_slice(&request.after);
        self.answer.await_answer(request.bodiless);
        self.sent = Some(exchange);
    }

    fn receive(&mut self, bytes: &[u8], _: &mut Vec<u8>, mut on: impl On) -> Result<()> {
        let exchange = self.sent.unwrap_or_default();
        self.answer.take(bytes, |event| on(exchange, event))
    }

    fn close(&mut self, mut on: impl On) -> End {
        let exchange = self.sent.unwrap_or_default();
        self.answer.close(|event| on(exchange, event))
    }
}
