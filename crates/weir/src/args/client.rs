//! What `weir client` understands.

use clap::Args;

use super::value::{seconds, some_time};

/// Largest body of the origin's response, in bytes.
const LARGEST_BODY: u64 = 16 << 20;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  weir client -- curl -s -d a=b {url}
  weir client -d 10s -- wrk -d 60 {url}
  weir client --delay 20ms --body-bytes 1000 -- python3 crawl.py
  weir client --against 'python3 old.py' -- python3 new.py
  weir client --to http://127.0.0.1:8000/ -- python3 orders.py
The command finds the origin's URL in WEIR_URL, and in its arguments in place of
{url}. Its standard input is empty, and the last of what it prints is shown
if it fails. The origin speaks HTTP/1.1 on 127.0.0.1. With --tls its
certificate is in the file that WEIR_CA names, and SSL_CERT_FILE,
REQUESTS_CA_BUNDLE, CURL_CA_BUNDLE and NODE_EXTRA_CA_CERTS.")]
pub(crate) struct ClientArgs {
    /// The command, with its arguments
    #[arg(required = true, last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
    /// Time that the command has, as in 30s; then it is ended
    #[arg(long, short, default_value = "30s", value_name = "TIME", value_parser = some_time)]
    pub(crate) duration: f64,
    /// Another command, quoted as one argument: run both in turn, and compare them
    #[arg(long, value_name = "COMMAND")]
    pub(crate) against: Option<String>,
    /// How often each of two commands is run
    #[arg(long, value_name = "N", default_value_t = 6, requires = "against", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) pairs: u32,
    /// Speak TLS, by a certificate that is made for this: counts handshakes, and sessions that are resumed
    #[arg(long)]
    pub(crate) tls: bool,
    /// Give the origin a name, and count how often it is looked up: in a network of the command's own, for which weir has to
    /// be root
    #[arg(long)]
    pub(crate) dns: bool,
    /// Pass requests on to this server, one that speaks HTTP/1.1, and give the command its responses
    #[arg(long, value_name = "URL", conflicts_with_all = ["dns", "status", "body", "body_bytes"])]
    pub(crate) to: Option<String>,
    /// Time between a request and its response, as in 20ms; with --to until it is passed on
    #[arg(long, default_value = "0s", value_name = "TIME", value_parser = seconds)]
    pub(crate) delay: f64,
    /// Status of the response
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u16).range(200..=599))]
    pub(crate) status: u16,
    /// Body of the response [default: `ok`]
    #[arg(long, value_name = "TEXT", conflicts_with = "body_bytes")]
    pub(crate) body: Option<String>,
    /// Length of the response's body in bytes, whatever is in it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=LARGEST_BODY))]
    pub(crate) body_bytes: Option<u64>,
}
