use std::sync::Arc;

use rustls::client::{Resumption, UnbufferedClientConnection, WebPkiServerVerifier};
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, RootCertStore, SupportedProtocolVersion, version};
use serde::{Deserialize, Serialize};

use super::ciphers;
use super::trust::{Known, Verifier};

/// Sessions that a thread keeps for resumption: they are all of one server.
const SESSIONS: usize = 256;

/// What a client does in TLS, files read.
#[derive(Clone, Debug)]
pub struct TlsOptions {
    /// Whose certificates are believed.
    pub trust: Trust,
    /// Who the client says it is.
    pub identity: Option<Identity>,
    /// Whether a new connection takes up an earlier one's secrets, by ticket or session id.
    pub resumption: bool,
    /// Oldest version spoken.
    pub oldest: TlsVersion,
    /// Newest version spoken.
    pub newest: TlsVersion,
    /// Whether the server is told which name is asked for (RFC 6066, section 3); an IP address never is.
    pub sni: bool,
    /// The only cipher suites that are offered, by their names in OpenSSL or at IANA; all that rustls
    /// has, where this is empty.
    pub ciphers: Vec<String>,
}

/// Whose certificates are believed.
#[derive(Clone, Debug)]
pub enum Trust {
    /// Anybody's: nothing is looked at.
    Anybody,
    /// The system's authorities, and those in this PEM text, if there is one.
    Known(Option<Vec<u8>>),
}

/// A client's certificate.
#[derive(Clone, Debug)]
pub struct Identity {
    /// It and what leads to its authority, as PEM text.
    pub certificates: Vec<u8>,
    /// Its key, as PEM text, not encrypted.
    pub key: Vec<u8>,
}

/// A version of TLS.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize, Deserialize,
)]
pub enum TlsVersion {
    /// RFC 5246.
    #[serde(rename = "1.2")]
    Tls12,
    /// RFC 8446.
    #[serde(rename = "1.3")]
    Tls13,
}

/// Why there can be no such settings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TlsError {
    /// The authorities' PEM text holds no certificate that can be used.
    #[error("no authority's certificate: {0}")]
    Authorities(String),
    /// The client certificate's PEM text holds none.
    #[error("no client certificate: {0}")]
    Certificate(String),
    /// The key's PEM text holds none, or it is not the certificate's.
    #[error("no key of the client certificate: {0}")]
    Key(String),
    /// A name of no cipher suite that rustls has.
    #[error("unsupported cipher suite `{0}`; supported: {known}", known = ciphers::names())]
    Cipher(String),
    /// A name that no certificate can be made for.
    #[error("`{0}` is not a server's name")]
    Name(String),
    /// Anything else that rustls will not do.
    #[error("these settings make no TLS client: {0}")]
    Settings(String),
}

/// How a thread's connections are to be, ready for use; cheap to clone.
#[derive(Clone, Debug)]
pub struct TlsSettings {
    pub(super) config: Arc<ClientConfig>,
    pub(super) name: ServerName<'static>,
    resumption: bool,
}

impl TlsSettings {
    /// Settings for connections to the server of this name (a DNS name, or an IP address).
    ///
    /// # Errors
    /// When a PEM text does not hold what it should, or the name is none.
    pub fn new(options: &TlsOptions, name: &str) -> Result<Self, TlsError> {
        let bare = name.trim_start_matches('[').trim_end_matches(']');
        let name =
            ServerName::try_from(bare.to_owned()).map_err(|_| TlsError::Name(name.to_owned()))?;
        let provider = Arc::new(CryptoProvider {
            cipher_suites: ciphers::chosen(&options.ciphers)?,
            ..ring::default_provider()
        });
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_protocol_versions(&versions(options))
            .map_err(other)?;
        let known = match &options.trust {
            Trust::Anybody => None,
            Trust::Known(more) => Some(known(more.as_deref(), Arc::clone(&provider))?),
        };
        let verifier = Arc::new(Verifier { provider, known });
        let builder = builder
            .dangerous()
            .with_custom_certificate_verifier(verifier);
        let mut config = match &options.identity {
            None => builder.with_no_client_auth(),
            Some(identity) => {
                let key = |error: rustls::pki_types::pem::Error| TlsError::Key(error.to_string());
                let chain = certificates(&identity.certificates, TlsError::Certificate)?;
                let key = PrivateKeyDer::from_pem_slice(&identity.key).map_err(key)?;
                let client = builder.with_client_auth_cert(chain, key);
                client.map_err(|error| TlsError::Key(error.to_string()))?
            }
        };
        config.enable_sni = options.sni;
        let settings = Self {
            config: Arc::new(config),
            name,
            resumption: options.resumption,
        };
        // What it is not able to do is to be known now, and not with each connection.
        let trial =
            UnbufferedClientConnection::new(Arc::clone(&settings.config), settings.name.clone());
        trial.map_err(other)?;
        Ok(settings.apart())
    }

    /// The same settings with sessions of their own to resume: a thread that has its own waits for
    /// no other.
    #[must_use]
    pub fn apart(&self) -> Self {
        let mut config = (*self.config).clone();
        config.resumption = if self.resumption {
            Resumption::in_memory_sessions(SESSIONS)
        } else {
            Resumption::disabled()
        };
        Self {
            config: Arc::new(config),
            ..self.clone()
        }
    }
}

fn other(error: impl std::fmt::Display) -> TlsError {
    TlsError::Settings(error.to_string())
}

fn versions(options: &TlsOptions) -> Vec<&'static SupportedProtocolVersion> {
    let known = [
        (TlsVersion::Tls12, &version::TLS12),
        (TlsVersion::Tls13, &version::TLS13),
    ];
    known
        .into_iter()
        .filter(|(version, _)| (options.oldest..=options.newest).contains(version))
        .map(|(_, version)| version)
        .collect()
}

fn known(more: Option<&[u8]>, provider: Arc<CryptoProvider>) -> Result<Known, TlsError> {
    let mut roots = RootCertStore::empty();
    // A certificate of the system's that cannot be read is nobody's authority; the others are.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let named = more.map_or(Ok(Vec::new()), |pem| {
        certificates(pem, TlsError::Authorities)
    })?;
    for certificate in &named {
        roots
            .add(certificate.clone())
            .map_err(|error| TlsError::Authorities(error.to_string()))?;
    }
    if roots.is_empty() {
        let why = "this system has none, and none was given".to_owned();
        return Err(TlsError::Authorities(why));
    }
    let authorities = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider)
        .build()
        .map_err(other)?;
    Ok(Known { authorities, named })
}

fn certificates(
    pem: &[u8],
    wrong: fn(String) -> TlsError,
) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let read: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
    match read {
        Ok(read) if read.is_empty() => Err(wrong("the text holds no certificate".to_owned())),
        Ok(read) => Ok(read),
        Err(error) => Err(wrong(error.to_string())),
    }
}
