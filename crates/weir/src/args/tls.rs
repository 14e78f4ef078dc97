use std::path::PathBuf;

use clap::Args;
use record::TlsVersion;

use super::value::{Named, one_of};

const VERSIONS: Named<TlsVersion> = &[
    ("1.2", "RFC 5246", TlsVersion::Tls12),
    ("1.3", "RFC 8446", TlsVersion::Tls13),
];

/// How `https` is spoken.
#[derive(Debug, Args)]
#[command(next_help_heading = "TLS")]
pub(crate) struct TlsArgs {
    /// Accept any certificate
    #[arg(long, short = 'k')]
    pub(crate) insecure: bool,
    /// Trust the authorities in this PEM file, besides those of the system
    #[arg(long, value_name = "FILE", conflicts_with = "insecure")]
    pub(crate) cacert: Option<PathBuf>,
    /// Client certificate, as PEM
    #[arg(long, value_name = "FILE")]
    pub(crate) cert: Option<PathBuf>,
    /// Key of the client certificate, as PEM [default: in the same file]
    #[arg(long, value_name = "FILE", requires = "cert")]
    pub(crate) key: Option<PathBuf>,
    /// Server name to request, which the certificate must match [default: the URL's host]
    #[arg(long, value_name = "NAME")]
    pub(crate) sni: Option<String>,
    /// Do not send a server name (RFC 6066)
    #[arg(long, conflicts_with = "sni")]
    pub(crate) no_sni: bool,
    /// Cipher suites to offer, by their names in OpenSSL or at IANA, as in
    /// ECDHE-RSA-AES128-GCM-SHA256:TLS_AES_128_GCM_SHA256
    #[arg(long, value_name = "NAME[:NAME...]", value_delimiter = ':')]
    pub(crate) ciphers: Vec<String>,
    /// Make a full handshake for each connection, without tickets or session ids of earlier ones
    #[arg(long)]
    pub(crate) no_resumption: bool,
    /// TLS version [default: 1.3 or 1.2, as the server chooses]
    #[arg(long, value_name = "VERSION", value_parser = one_of(VERSIONS))]
    pub(crate) tls_version: Option<TlsVersion>,
}

impl TlsArgs {
    /// The first option that is given, which makes sense with `https` only.
    pub(crate) fn given(&self) -> Option<&'static str> {
        [
            (self.insecure, "--insecure"),
            (self.cacert.is_some(), "--cacert"),
            (self.cert.is_some(), "--cert"),
            (self.sni.is_some(), "--sni"),
            (self.no_sni, "--no-sni"),
            (!self.ciphers.is_empty(), "--ciphers"),
            (self.no_resumption, "--no-resumption"),
            (self.tls_version.is_some(), "--tls-version"),
        ]
        .into_iter()
        .find_map(|(given, name)| given.then_some(name))
    }

    pub(crate) fn plan(&self) -> record::Tls {
        record::Tls {
            insecure: self.insecure,
            authorities: self.cacert.clone(),
            server_name: self.sni.clone(),
            certificate: self.cert.clone(),
            key: self.key.clone(),
            no_resumption: self.no_resumption,
            oldest: self.tls_version,
            newest: self.tls_version,
            no_sni: self.no_sni,
            ciphers: self.ciphers.clone(),
        }
    }
}
