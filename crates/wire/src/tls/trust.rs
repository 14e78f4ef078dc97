//! Whose certificates are believed.

use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, DigitallySignedStruct, Error, SignatureScheme};

use super::fault::is_own_authority;

/// Believes those whom it knows, or anybody where it knows nobody.
#[derive(Debug)]
pub(super) struct Verifier {
    pub(super) provider: Arc<CryptoProvider>,
    pub(super) known: Option<Known>,
}

/// Authorities, and those certificates that the user has named themselves: one that is its own
/// authority, as `openssl req -x509` makes it, may not sign for itself by the book (RFC 5280).
#[derive(Debug)]
pub(super) struct Known {
    pub(super) authorities: Arc<WebPkiServerVerifier>,
    pub(super) named: Vec<CertificateDer<'static>>,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        chain: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        stapled: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let Some(Known { authorities, named }) = &self.known else {
            return Ok(ServerCertVerified::assertion());
        };
        match authorities.verify_server_cert(certificate, chain, name, stapled, now) {
            Err(Error::InvalidCertificate(CertificateError::Other(why)))
                if is_own_authority(&why) && named.contains(certificate) =>
            {
                let parsed = ParsedCertificate::try_from(certificate)?;
                rustls::client::verify_server_name(&parsed, name)?;
                Ok(ServerCertVerified::assertion())
            }
            verdict => verdict,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        match &self.known {
            None => Ok(HandshakeSignatureValid::assertion()),
            Some(known) => (known.authorities).verify_tls12_signature(message, certificate, signed),
        }
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        match &self.known {
            None => Ok(HandshakeSignatureValid::assertion()),
            Some(known) => (known.authorities).verify_tls13_signature(message, certificate, signed),
        }
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        let algorithms = self.provider.signature_verification_algorithms;
        algorithms.supported_schemes()
    }
}
