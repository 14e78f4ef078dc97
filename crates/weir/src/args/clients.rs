//! How the clients of a load behave.

use std::net::IpAddr;

use clap::Args;
use record::Retry;

use super::value::seconds;

#[derive(Debug, Args)]
#[command(next_help_heading = "Clients")]
pub(crate) struct ClientArgs {
    /// Requests after which a connection is closed and opened anew
    #[arg(long, value_name = "N", conflicts_with = "no_keep_alive", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) per_connection: Option<u32>,
    /// Time limit for opening a connection, its TLS handshake included [default: that of the whole]
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    pub(crate) connect_timeout: Option<f64>,
    /// Time limit from a request to the first byte of its answer [default: that of the whole]
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    pub(crate) first_byte_timeout: Option<f64>,
    /// Connect from this address of this machine; of several, in turn
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) source: Vec<IpAddr>,
    /// Try a request that failed again, at most so many times
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) retries: u32,
    /// Try a request again that was not answered for so long, though the server may be at it
    #[arg(long, value_name = "TIME", value_parser = seconds, requires = "retries")]
    pub(crate) retry_after: Option<f64>,
    /// Pause before the first retry; each further one is twice as long
    #[arg(long, value_name = "TIME", value_parser = seconds, default_value = "0s", requires = "retries")]
    pub(crate) backoff: f64,
}

impl ClientArgs {
    pub(crate) fn retry(&self) -> Option<Retry> {
        (self.retries > 0).then_some(Retry {
            times: self.retries,
            after: self.retry_after,
            backoff: self.backoff,
        })
    }

    /// Something is said that changes the load.
    pub(crate) fn is_given(&self) -> bool {
        self.per_connection.is_some() || self.retries > 0
    }
}
