use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use wire::TlsVersion;

/// What a load's connections do in TLS.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(default)]
pub struct Tls {
    /// Whether any certificate is taken.
    pub insecure: bool,
    /// A PEM file of authorities that are trusted besides the system's.
    pub authorities: Option<PathBuf>,
    /// The name that is asked for, and that the certificate must be made for; the target's host where
    /// there is none.
    pub server_name: Option<String>,
    /// A PEM file with the client's own certificate.
    pub certificate: Option<PathBuf>,
    /// A PEM file with its key; the certificate's file where there is none.
    pub key: Option<PathBuf>,
    /// Whether each connection makes a full handshake, and none takes up an earlier one's secrets.
    pub no_resumption: bool,
    /// Oldest version spoken.
    pub oldest: Option<TlsVersion>,
    /// Newest version spoken.
    pub newest: Option<TlsVersion>,
    /// Whether the server is not told which name is asked for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_sni: bool,
    /// The only cipher suites that are offered; all that there are, where this is empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ciphers: Vec<String>,
}
