//! TLS (RFC 8446, RFC 5246) around any session: rustls decides, and no socket is in sight.
//!
//! It is rustls's unbuffered interface that is driven here: records are read from, and written to, the
//! buffers that the caller has anyway.

mod ciphers;
mod fault;
mod room;
mod settings;
#[cfg(test)]
mod tests;
mod trust;

use std::sync::Arc;

use rustls::client::UnbufferedClientConnection;
use rustls::unbuffered::ConnectionState;

pub use fault::TlsFault;
pub use settings::{Identity, TlsError, TlsOptions, TlsSettings, TlsVersion, Trust};

use room::append;

use crate::{Ask, AtOnce, End, Exchange, Malformed, On, Result, Session, Setup, Unsendable};

/// Most bytes that are taken in before they are decrypted: an idle connection keeps what it needed
/// most, and there may be thousands.
const BITE: usize = 32 * 1024;
/// Longest plaintext of a record (RFC 8446, section 5.1).
const RECORD: usize = 16 * 1024;
/// What a record adds to its plaintext, with room to spare: header, explicit nonce, tag, type.
const OVERHEAD: usize = 64;
/// How much is kept of an answer that is not of the inner protocol.
const EXCERPT: usize = 256;

/// One connection on which another protocol is spoken in secret.
///
/// It is ready when the handshake is over. A request that is sent before then waits for it here.
pub struct Tls<S> {
    /// The connection, or why it is none any more.
    layer: Result<UnbufferedClientConnection, rustls::Error>,
    inner: S,
    ready: bool,
    /// Whether the peer has said that nothing follows (`close_notify`).
    ended: bool,
    /// The start of a record that has not arrived whole.
    incoming: Vec<u8>,
    /// What the inner session wants to send; once it has failed, what it could not read.
    plain: Vec<u8>,
}

impl<S: Session> Session for Tls<S> {
    type Request = S::Request;
    const ALPN: &'static [&'static [u8]] = S::ALPN;
    const NEEDS_ALPN: bool = S::NEEDS_ALPN;
    const VARIABLES: bool = S::VARIABLES;
    const AT_ONCE: AtOnce = S::AT_ONCE;

    fn prepare(ask: &Ask<'_>) -> Result<Self::Request, Unsendable> {
        S::prepare(ask)
    }

    fn verbatim(bytes: &[u8]) -> Option<Self::Request> {
        S::verbatim(bytes)
    }

    fn length(request: &Self::Request) -> usize {
        S::length(request)
    }

    fn open(setup: &Setup, out: &mut Vec<u8>) -> Self {
        let mut plain = Vec::new();
        let inner = S::open(setup, &mut plain);
        let mut session = Self {
            layer: connection(setup, S::ALPN),
            inner,
            ready: false,
            ended: false,
            incoming: Vec::new(),
            plain,
        };
        // The hello needs no bytes from the peer; what is wrong, the first of them will tell.
        let _ = session.turn(out, &mut |_, _| {});
        session
    }

    fn is_ready(&self) -> bool {
        self.ready && self.inner.is_ready()
    }

    fn capacity(&self) -> usize {
        if self.layer.is_err() || self.ended {
            return 0;
        }
        self.inner.capacity()
    }

    fn send(&mut self, exchange: Exchange, request: &Self::Request, out: &mut Vec<u8>) {
        self.inner.send(exchange, request, &mut self.plain);
        self.flush(out);
    }

    fn cancel(&mut self, exchange: Exchange, out: &mut Vec<u8>) -> bool {
        let goes_on = self.inner.cancel(exchange, &mut self.plain);
        self.flush(out);
        goes_on
    }

    fn receive(&mut self, bytes: &[u8], out: &mut Vec<u8>, mut on: impl On) -> Result<()> {
        for bite in bytes.chunks(BITE) {
            if self.ended {
                self.incoming.clear();
                break; // what follows a close_notify is nothing (RFC 8446, section 6.1)
            }
            self.incoming.extend_from_slice(bite);
            self.turn(out, &mut on)?;
        }
        Ok(())
    }

    /// Without a `close_notify` anybody on the way may have ended the stream, so that it completes no
    /// answer (RFC 9112, section 9.8).
    fn close(&mut self, on: impl On) -> End {
        if self.ended {
            return self.inner.close(on);
        }
        match self.inner.close(|_, _| {}) {
            End::Complete => End::Truncated,
            end => end,
        }
    }

    fn clear<'a>(&'a self, bytes: &'a [u8]) -> &'a [u8] {
        match &self.layer {
            Ok(_) => &self.plain,
            Err(_) => bytes,
        }
    }

    fn detail(&self) -> Option<String> {
        let error = self.layer.as_ref().err();
        error
            .filter(|of| !TlsFault::says_all(of))
            .map(ToString::to_string)
    }
}

impl<S: Session> Tls<S> {
    fn flush(&mut self, out: &mut Vec<u8>) {
        if self.ready && !self.plain.is_empty() {
            // What went wrong stays in `layer`, and the next bytes that arrive will tell it.
            let _ = self.turn(out, &mut |_, _| {});
        }
    }

    /// Lets rustls go on until it needs more bytes, and says what went wrong for good.
    fn turn(&mut self, out: &mut Vec<u8>, on: &mut impl On) -> Result<()> {
        let mut used = 0;
        let outcome = self.steps(&mut used, out, on);
        self.incoming.drain(..used);
        let Err(why) = outcome else {
            return Ok(());
        };
        match why {
            Stopped::Inner(why) => Err(why),
            Stopped::NotNegotiated => {
                self.layer = Err(rustls::Error::NoApplicationProtocol);
                Err(Malformed::Tls(TlsFault::NotNegotiated(S::ALPN[0])))
            }
            Stopped::Tls(error) => {
                let fault = TlsFault::of(&error, !self.ready);
                if let Ok(tls) = &mut self.layer {
                    alert(tls, &mut self.incoming, out);
                }
                self.layer = Err(error);
                Err(Malformed::Tls(fault))
            }
        }
    }

    fn steps(
        &mut self,
        used: &mut usize,
        out: &mut Vec<u8>,
        on: &mut impl On,
    ) -> Result<(), Stopped> {
        let tls = self.layer.as_mut().map_err(|error| error.clone())?;
        loop {
            let mut status = tls.process_tls_records(&mut self.incoming[*used..]);
            let mut opened = false;
            match status.state.inspect_err(|_| *used += status.discard)? {
                ConnectionState::ReadTraffic(mut traffic) => {
                    while let Some(record) = traffic.next_record() {
                        let record = record?;
                        status.discard += record.discard;
                        let outcome = self
                            .inner
                            .receive(record.payload, &mut self.plain, &mut *on);
                        outcome.map_err(|why| {
                            let excerpt = record.payload.len().min(EXCERPT);
                            self.plain = record.payload[..excerpt].to_vec();
                            Stopped::Inner(why)
                        })?;
                    }
                }
                ConnectionState::EncodeTlsData(mut data) => {
                    append(out, 0, |room| data.encode(room))?;
                }
                ConnectionState::TransmitTlsData(transmit) => transmit.done(),
                ConnectionState::PeerClosed => self.ended = true,
                ConnectionState::WriteTraffic(mut traffic) => {
                    opened = !self.ready;
                    if self.ready {
                        let plain = &self.plain;
                        if !plain.is_empty() {
                            let records = plain.len().div_ceil(RECORD);
                            let room = plain.len() + records * OVERHEAD;
                            append(out, room, |room| traffic.encrypt(plain, room))?;
                            self.plain.clear();
                        }
                        *used += status.discard;
                        return Ok(());
                    }
                }
                _ => {
                    *used += status.discard;
                    return Ok(());
                }
            }
            *used += status.discard;
            if opened {
                if S::NEEDS_ALPN && !S::ALPN.iter().any(|&id| tls.alpn_protocol() == Some(id)) {
                    return Err(Stopped::NotNegotiated);
                }
                self.ready = true;
            }
        }
    }
}

/// Why rustls cannot go on.
enum Stopped {
    Tls(rustls::Error),
    NotNegotiated,
    Inner(Malformed),
}

impl From<rustls::Error> for Stopped {
    fn from(error: rustls::Error) -> Self {
        Self::Tls(error)
    }
}

fn connection(setup: &Setup, alpn: &[&[u8]]) -> Result<UnbufferedClientConnection, rustls::Error> {
    let settings = setup.tls.as_ref();
    let settings = settings.ok_or_else(|| rustls::Error::General("no settings".to_owned()))?;
    let alpn = alpn.iter().map(|id| id.to_vec()).collect();
    let config = Arc::clone(&settings.config);
    UnbufferedClientConnection::new_with_alpn(config, settings.name.clone(), alpn)
}

/// The peer is to hear why nothing follows. rustls must be asked once only, and with all that it has not
/// used of `incoming`: it looks for messages there when it owes nothing, and panics when those that
/// it remembers are gone, or when it would have to send a second alert.
fn alert(tls: &mut UnbufferedClientConnection, incoming: &mut [u8], out: &mut Vec<u8>) {
    if let Ok(ConnectionState::EncodeTlsData(mut data)) = tls.process_tls_records(incoming).state {
        // What cannot be told is told by the end of the connection.
        let _ = append(out, 0, |room| data.encode(room));
    }
}
