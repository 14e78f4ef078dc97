//! TLS on the origin's end, by a certificate that was made for it.

use std::io::{self, ErrorKind, IoSlice, Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;

use rcgen::CertifiedKey;
use record::{Malformed, Talk};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{Error, HandshakeKind, ServerConfig, ServerConnection};

/// Names that the certificate is for.
const NAMES: [&str; 3] = ["127.0.0.1", "localhost", Talk::NAME];
/// Plain bytes that wait to be encrypted, at most.
const MOST_PLAIN: usize = 256 * 1024;

/// Who the origin is: a key of its own, and a certificate that it signed itself.
#[derive(Clone, Debug)]
pub struct Identity {
    config: Arc<ServerConfig>,
    certificate: String,
}

impl Identity {
    /// A new one. Sessions can be resumed, by tickets (TLS 1.3) and by their numbers (TLS 1.2).
    ///
    /// # Errors
    /// There is no randomness to be had.
    pub fn new() -> io::Result<Self> {
        let made = rcgen::generate_simple_self_signed(NAMES.map(str::to_owned));
        let CertifiedKey { cert, signing_key } = made.map_err(io::Error::other)?;
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(signing_key.serialize_der()));
        let config = ServerConfig::builder()
            .with_no_client_auth()
            .with_single_cert(vec![cert.der().clone()], key);
        Ok(Self {
            config: Arc::new(config.map_err(io::Error::other)?),
            certificate: cert.pem(),
        })
    }

    /// The certificate that a client has to trust, in PEM.
    pub fn certificate(&self) -> &str {
        &self.certificate
    }

    /// The layer for a connection.
    pub(crate) fn layer(&self) -> io::Result<Box<Secure>> {
        let made = ServerConnection::new(Arc::clone(&self.config));
        let mut connection = made.map_err(io::Error::other)?;
        connection.set_buffer_limit(Some(MOST_PLAIN));
        Ok(Box::new(Secure {
            connection,
            told: false,
        }))
    }
}

/// The layer between a connection's bytes and its requests.
#[derive(Debug)]
pub(crate) struct Secure {
    connection: ServerConnection,
    /// Whether somebody knows how the handshake went.
    told: bool,
}

impl Secure {
    /// What these bytes, which came on the connection, say.
    pub(crate) fn open(&mut self, mut bytes: &[u8], buffer: &mut Vec<u8>) -> Result<(), Malformed> {
        while !bytes.is_empty() {
            // bytes in memory are read without fail
            let read = self.connection.read_tls(&mut bytes).unwrap_or(0);
            if read == 0 {
                return Err(Malformed::NotTls);
            }
            let state = self.connection.process_new_packets();
            let here = state
                .map_err(|error| why(&error))?
                .plaintext_bytes_to_read();
            let mut plain = self.connection.reader().take(here as u64);
            let _ = plain.read_to_end(buffer);
        }
        Ok(())
    }

    /// Whether the handshake was a short one, once: when it is over.
    pub(crate) fn greeting(&mut self) -> Option<bool> {
        let kind = self.connection.handshake_kind()?;
        let over = !self.told && !self.connection.is_handshaking();
        over.then(|| {
            self.told = true;
            kind == HandshakeKind::Resumed
        })
    }

    /// Takes plain bytes, as many as there is room for; where there is none it makes some.
    pub(crate) fn write(&mut self, plain: &[IoSlice<'_>], socket: &TcpStream) -> io::Result<usize> {
        let taken = self.connection.writer().write_vectored(plain)?;
        if taken == 0 {
            self.flush(socket)?;
        }
        Ok(taken)
    }

    /// Says that nothing more comes.
    pub(crate) fn close(&mut self) {
        self.connection.send_close_notify();
    }

    /// Whether there is something to send.
    pub(crate) fn is_full(&self) -> bool {
        self.connection.wants_write()
    }

    /// Sends what there is to send, until the socket takes no more.
    pub(crate) fn flush(&mut self, mut socket: &TcpStream) -> io::Result<()> {
        while self.connection.wants_write() {
            if self.connection.write_tls(&mut socket)? == 0 {
                return Err(ErrorKind::WriteZero.into());
            }
        }
        Ok(())
    }
}

/// What a client that fails in its handshake does.
fn why(error: &Error) -> Malformed {
    match error {
        Error::InvalidMessage(_) => Malformed::NotTls,
        _ => Malformed::Handshake,
    }
}
