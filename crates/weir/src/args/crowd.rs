//! Who is there beside the connections that are measured.

use clap::Args;
use record::Crowd;

use super::number::{bytes_per_second, count, resets};

#[derive(Debug, Args)]
#[command(next_help_heading = "Background connections")]
pub(crate) struct CrowdArgs {
    /// Idle connections: one request each, then open and silent
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = count::<u32>)]
    pub(crate) idle: u32,
    /// Connections that read responses slowly
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = count::<u32>)]
    pub(crate) slow_readers: u32,
    /// Connections that send requests slowly
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = count::<u32>)]
    pub(crate) slow_writers: u32,
    /// Speed of each slow connection, as in 10B/s or 20KB/s
    #[arg(long, default_value = "1KB/s", value_name = "RATE", value_parser = bytes_per_second)]
    pub(crate) slow_rate: f64,
    /// Connections per second that send all or half of a request and are reset, as in 50/s
    #[arg(long, default_value = "0/s", value_name = "N/s", value_parser = resets)]
    pub(crate) resets: f64,
}

impl CrowdArgs {
    pub(crate) fn crowd(&self) -> Crowd {
        Crowd {
            idle: self.idle,
            slow_readers: self.slow_readers,
            slow_writers: self.slow_writers,
            slow_rate: self.slow_rate,
            resets: self.resets,
        }
    }
}
