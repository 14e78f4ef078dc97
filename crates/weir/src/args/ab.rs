//! The command line of ab 2.4.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args;
use record::{Tls, TlsVersion};

use super::value::header;

#[derive(Debug, Args)]
#[command(disable_help_flag = true, disable_version_flag = true)]
#[expect(clippy::struct_excessive_bools, reason = "they are ab's options")]
pub(crate) struct AbArgs {
    /// Where to, as in `http://HOST:PORT/PATH`
    #[arg(
        required_unless_present = "version",
        default_value = "",
        hide_default_value = true
    )]
    pub(crate) url: String,
    /// Number of requests to perform
    #[arg(short = 'n', default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) requests: u64,
    /// Number of requests to make at a time
    #[arg(short = 'c', default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=i64::from(record::limits::CONNECTIONS)))]
    pub(crate) concurrency: u32,
    /// Seconds to go on for, whatever -n says
    #[arg(short = 't', value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) timelimit: Option<u32>,
    /// Seconds to wait for each response
    #[arg(short = 's', default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) timeout: u32,
    /// Keep connections open
    #[arg(short = 'k')]
    pub(crate) keep_alive: bool,
    /// Use HEAD instead of GET
    #[arg(short = 'i')]
    pub(crate) head: bool,
    /// Add a header line
    #[arg(short = 'H', value_parser = header)]
    pub(crate) header: Vec<(String, String)>,
    /// Add a cookie, as in 'Apache=1234'
    #[arg(short = 'C')]
    pub(crate) cookie: Vec<String>,
    /// Basic authentication, NAME:PASSWORD
    #[arg(short = 'A')]
    pub(crate) auth: Option<String>,
    /// Basic proxy authentication, NAME:PASSWORD
    #[arg(short = 'P')]
    pub(crate) proxy_auth: Option<String>,
    /// Write the percentages served as CSV to this file
    #[arg(short = 'e')]
    pub(crate) csv: Option<PathBuf>,
    /// Show no table of percentages
    #[arg(short = 'd')]
    pub(crate) no_percentiles: bool,
    /// Show no medians and deviations
    #[arg(short = 'S')]
    pub(crate) no_deviations: bool,
    /// Accept answers of varying length
    #[arg(short = 'l')]
    pub(crate) lengths: bool,
    /// Go on after socket errors (weir does)
    #[arg(short = 'r')]
    pub(crate) resilient: bool,
    /// Print the version
    #[arg(short = 'V')]
    pub(crate) version: bool,
    /// Method
    #[arg(short = 'm')]
    pub(crate) method: Option<String>,
    /// POST this file
    #[arg(short = 'p', value_name = "FILE", conflicts_with_all = ["put", "head"])]
    pub(crate) post: Option<PathBuf>,
    /// PUT this file
    #[arg(short = 'u', value_name = "FILE", conflicts_with = "head")]
    pub(crate) put: Option<PathBuf>,
    /// Content type of what -p or -u send [default: text/plain]
    #[arg(short = 'T')]
    pub(crate) content_type: Option<String>,
    /// 2 and more: print the head of an answer; 3: its status too
    #[arg(short = 'v', default_value_t = 0)]
    pub(crate) verbosity: u32,
    /// Connect from this address of this machine
    #[arg(short = 'B', value_name = "ADDRESS")]
    pub(crate) address: Option<IpAddr>,
    #[command(flatten)]
    pub(crate) tls: AbTlsArgs,
    /// Show this help
    #[arg(short = 'h', long, action = clap::ArgAction::Help)]
    help: Option<bool>,
    #[command(flatten)]
    pub(crate) refused: Refused,
}

/// What ab understands and weir does not do: named, so that it is refused by name.
#[derive(Debug, Args)]
pub(crate) struct Refused {
    #[arg(short = 'w', hide = true)]
    html: bool,
    #[arg(short = 'x', hide = true)]
    table: Option<String>,
    #[arg(short = 'y', hide = true)]
    row: Option<String>,
    #[arg(short = 'z', hide = true)]
    cell: Option<String>,
    #[arg(short = 'X', hide = true)]
    proxy: Option<String>,
    #[arg(short = 'g', hide = true)]
    gnuplot: Option<String>,
    #[arg(short = 'b', hide = true)]
    window: Option<String>,
}

impl Refused {
    /// The first that was given, with why it is refused.
    pub(crate) fn first(&self) -> Option<(&'static str, &'static str)> {
        const HTML: &str =
            "results are not printed as HTML here; `weir bench --out DIR` writes a page";
        let all = [
            (self.html, "-w", HTML),
            (self.table.is_some(), "-x", HTML),
            (self.row.is_some(), "-y", HTML),
            (self.cell.is_some(), "-z", HTML),
            (self.proxy.is_some(), "-X", "proxies are not asked"),
            (
                self.gnuplot.is_some(),
                "-g",
                "single samples are not kept; `weir bench --hdr FILE` writes the distribution",
            ),
            (
                self.window.is_some(),
                "-b",
                "socket buffers are the kernel's",
            ),
        ];
        all.into_iter()
            .find(|(given, ..)| *given)
            .map(|(_, option, why)| (option, why))
    }
}

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
