//! What `weir endpoints` understands.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;
use endpoints::{Format, Pattern};

use super::Side;
use super::value::seconds;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  weir endpoints access.log
  zcat access.log.*.gz | weir endpoints --route '/users/{name}' -
  weir endpoints --diff yesterday.log today.log
  weir endpoints --udp 127.0.0.1:8125 --seconds 1m
  weir endpoints --run last:two-workers")]
pub(crate) struct EndpointsArgs {
    /// Logs, plain or compressed (gzip, zstd); `-` is standard input
    #[arg(value_name = "LOG", default_value = "-")]
    pub(crate) logs: Vec<PathBuf>,
    /// Listen for timers of statsd at this address of the machine itself instead, until Ctrl-C
    #[arg(long, value_name = "ADDRESS", conflicts_with_all = ["logs", "diff", "run", "format"])]
    pub(crate) udp: Option<SocketAddr>,
    /// How long to listen at most
    #[arg(long, value_name = "TIME", requires = "udp", value_parser = seconds)]
    pub(crate) seconds: Option<f64>,
    /// The requests of a load of weir's own instead: RUN, or RUN:VARIANT where it has several
    #[arg(long, value_name = "RUN", conflicts_with_all = ["logs", "diff", "format"])]
    pub(crate) run: Option<Side>,
    /// Compare with this earlier log, endpoint by endpoint
    #[arg(long, value_name = "LOG")]
    pub(crate) diff: Option<PathBuf>,
    /// Paths that are one route, as in `/users/{name}` or `/static/**`; repeatable [default: segments that look like values,
    /// and those with too many names]
    #[arg(long, value_name = "ROUTE")]
    pub(crate) route: Vec<Pattern>,
    /// Format of the lines: combined, ltsv, json, haproxy, statsd or otlp [default: that of the first line]
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    pub(crate) format: Option<Format>,
    /// Endpoints that are shown
    #[arg(long, short = 'n', value_name = "N", default_value_t = 30)]
    pub(crate) top: usize,
    /// Write a mix of the endpoints that were read with GET, each as often as it was asked for: what `--mix` of `weir bench` and
    /// `weir try` loads
    #[arg(long, value_name = "FILE")]
    pub(crate) mix: Option<PathBuf>,
}

fn format(text: &str) -> Result<Format, String> {
    Format::named(text).ok_or_else(|| {
        let names = Format::ALL.iter().map(|format| format.name());
        record::meant(text, names.clone(), || {
            format!("use one of {}", record::listed(names))
        })
    })
}
