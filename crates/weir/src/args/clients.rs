//! How the clients of a load behave.

use std::net::IpAddr;

use clap::Args;

use super::value::seconds;

#[derive(Debug, Args)]
#[command(next_help_heading = "Clients")]
pub(crate) struct ClientArgs {
    /// Requests after which a connection is closed and opened anew
    #[arg(long, value_name = "N")]
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
    /// Try a request that failed again, at most so many times [default: 0]
    #[arg(long, value_name = "N")]
    pub(crate) retries: Option<u32>,
    /// Try a request again that was not answered for so long, though the server may be at it
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    pub(crate) retry_after: Option<f64>,
    /// Pause before the first retry; each further one is twice as long [default: 0s]
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    pub(crate) backoff: Option<f64>,
}

impl ClientArgs {
    /// Something is said that changes the load.
    pub(crate) fn is_given(&self) -> bool {
        self.per_connection.is_some() || self.retries.is_some_and(|times| times > 0)
    }
}
