use std::path::PathBuf;

use clap::Args;
use record::{Tls, TlsVersion};

/// What ab says about TLS; of no effect without it, as there.
#[derive(Debug, Args)]
pub(crate) struct AbTlsArgs {
    /// https: speak this version only: TLS1.2, TLS1.3, or ALL
    #[arg(short = 'f', value_name = "PROTOCOL", value_parser = version)]
    versions: Option<Versions>,
    /// https: the client's certificate and its key, as PEM
    #[arg(short = 'E', value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// https: offer these cipher suites only
    #[arg(short = 'Z', value_name = "NAME[:NAME...]", value_delimiter = ':')]
    ciphers: Vec<String>,
    /// https: do not tell the server which name is asked for
    #[arg(short = 'I')]
    no_sni: bool,
}

/// One version, or all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Versions(Option<TlsVersion>);

impl AbTlsArgs {
    pub(crate) fn settings(&self, tls: Tls) -> Tls {
        let version = self.versions.and_then(|versions| versions.0);
        Tls {
            certificate: self.certificate.clone(),
            ciphers: self.ciphers.clone(),
            no_sni: self.no_sni,
            oldest: version,
            newest: version,
            ..tls
        }
    }
}

/// ab reads these in any letters.
fn version(text: &str) -> Result<Versions, String> {
    match text.to_ascii_uppercase().as_str() {
        "ALL" => Ok(Versions(None)),
        "TLS1.2" => Ok(Versions(Some(TlsVersion::Tls12))),
        "TLS1.3" => Ok(Versions(Some(TlsVersion::Tls13))),
        "SSL2" | "SSL3" | "TLS1" | "TLS1.1" => {
            Err("rustls, which makes the handshakes here, speaks TLS 1.2 and 1.3 only".to_owned())
        }
        _ => Err("give `TLS1.2`, `TLS1.3` or `ALL`".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        assert_eq!(version("all"), Ok(Versions(None)));
        assert_eq!(version("tls1.2"), Ok(Versions(Some(TlsVersion::Tls12))));
        assert_eq!(version("TLS1.3"), Ok(Versions(Some(TlsVersion::Tls13))));
        for wrong in ["SSL3", "TLS1", "TLS1.1", "TLS2", ""] {
            assert!(version(wrong).is_err(), "{wrong}");
        }
    }
}
