//! How the clients of a load behave.

use std::net::IpAddr;

use clap::Args;

use super::number::count;
use super::value::seconds;

#[derive(Debug, Args)]
#[command(next_help_heading = "Clients")]
pub(crate) struct ClientArgs {
    /// Close a connection after this many requests
    #[arg(long, value_name = "N", value_parser = count::<u32>)]
    pub(crate) per_connection: Option<u32>,
    /// Send the head and the body of a request in two segments, as some clients do (HTTP/1 over TCP)
    #[arg(long)]
    pub(crate) split: bool,
    /// Timeout for connecting, TLS handshake included [default: --timeout]
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    pub(crate) connect_timeout: Option<f64>,
    /// Timeout from a request to the first byte of its response [default: --timeout]
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    pub(crate) first_byte_timeout: Option<f64>,
    /// Address of this machine to connect from; repeatable, used in turn
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) source: Vec<IpAddr>,
    /// Retry a failed request at most this many times [default: 0]
    #[arg(long, value_name = "N")]
    pub(crate) retries: Option<u32>,
    /// Retry after this time without a response; the server may still be processing the first
    /// attempt
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    pub(crate) retry_after: Option<f64>,
    /// Pause before the first retry, doubled for each further one [default: 0s]
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    pub(crate) backoff: Option<f64>,
}

impl ClientArgs {
    /// Something is said that changes the load.
    pub(crate) fn is_given(&self) -> bool {
        self.per_connection.is_some() || self.split || self.retries.is_some_and(|times| times > 0)
    }
}
