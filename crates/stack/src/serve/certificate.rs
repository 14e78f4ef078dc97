//! The certificate that a stack shows where it speaks TLS: made for the run, known to nobody else.

use std::path::Path;

use rcgen::CertifiedKey;
use wire::{TlsOptions, TlsSettings, TlsVersion, Trust};

use crate::compose::{CERTIFICATE, KEY};
use crate::error::{Result, StackError};
use crate::process::folder::{write, write_secret};

/// The name it is made for, which every client asks for.
const NAME: &str = "localhost";

/// Writes a certificate for `localhost` and 127.0.0.1, and its key, into a folder.
pub(crate) fn make(folder: &Path) -> Result<()> {
    let names = [NAME.to_owned(), "127.0.0.1".to_owned()];
    let CertifiedKey { cert, signing_key } = rcgen::generate_simple_self_signed(names)
        .map_err(std::io::Error::other)
        .map_err(StackError::system("making a certificate"))?;
    let (certificate, key) = (folder.join(CERTIFICATE), folder.join(KEY));
    write(&certificate, cert.pem().as_bytes())
        .map_err(StackError::file("writing", &certificate))?;
    write_secret(&key, signing_key.serialize_pem().as_bytes())
        .map_err(StackError::file("writing", &key))
}

/// How a client that knows this certificate, and no other, makes its handshake.
pub(crate) fn settings(folder: &Path) -> Result<TlsSettings> {
    let path = folder.join(CERTIFICATE);
    let known = std::fs::read(&path).map_err(StackError::file("reading", &path))?;
    let options = TlsOptions {
        trust: Trust::Known(Some(known)),
        identity: None,
        resumption: true,
        sni: true,
        ciphers: Vec::new(),
        oldest: TlsVersion::Tls12,
        newest: TlsVersion::Tls13,
    };
    TlsSettings::new(&options, NAME)
        .map_err(std::io::Error::other)
        .map_err(StackError::system("reading the stack's certificate"))
}
