//! What `weir endpoints` understands.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;
use endpoints::{Format, Pattern, Sort, Unit};

use super::Side;
use super::value::seconds;

#[derive(Debug, Args)]
#[command(after_help = "\
Columns: `sum` is the time of all requests together, `2xx` to `5xx` count
responses by the first digit of their status, and `no response` counts
requests that got none, as HAProxy or weir's own load says. What a log does
not say is a dash.

Examples:
  weir endpoints access.log
  zcat access.log.*.gz | weir endpoints --route '/users/{name}' -
  weir endpoints --unit ms app.log
  weir endpoints --diff yesterday.log today.log
  weir endpoints --udp 127.0.0.1:8125 --seconds 1m
  weir endpoints --run last:two-workers
  weir endpoints --write-mix mix.toml access.log
  weir bench URL --mix mix.toml -c 10 -d 30s")]
pub(crate) struct EndpointsArgs {
    /// Logs, plain or compressed (gzip, zstd); `-` is standard input [default: what is piped in]
    #[arg(value_name = "LOG")]
    pub(crate) logs: Vec<PathBuf>,
    /// Instead of logs: listen for timers of statsd at this loopback address, as in 127.0.0.1:8125, until Ctrl-C
    #[arg(long, value_name = "ADDRESS", conflicts_with_all = ["logs", "diff", "run", "format"])]
    pub(crate) udp: Option<SocketAddr>,
    /// With --udp: how long to listen at most
    #[arg(long, visible_alias = "duration", visible_short_alias = 'd', value_name = "TIME", requires = "udp", conflicts_with_all = ["logs", "diff", "run", "format"], value_parser = seconds)]
    pub(crate) seconds: Option<f64>,
    /// Instead of logs: the requests of a load of weir's own, RUN, or RUN:VARIANT where it has several
    #[arg(long, value_name = "RUN", conflicts_with_all = ["logs", "diff", "format"])]
    pub(crate) run: Option<Side>,
    /// Compare with this earlier log, endpoint by endpoint
    #[arg(long, value_name = "LOG")]
    pub(crate) diff: Option<PathBuf>,
    /// Paths that are one route, as in `/users/{name}` or `/static/**`; repeatable [default: segments that look like values,
    /// and those with too many names]
    #[arg(long, value_name = "ROUTE")]
    pub(crate) route: Vec<Pattern>,
    /// Format of the lines: combined, ltsv, json, haproxy, statsd or otlp [default: that of the first line that has one]
    #[arg(long, alias = "log-format", value_name = "FORMAT", value_parser = format)]
    pub(crate) format: Option<Format>,
    /// Unit of the log's times where neither its format nor the line says it: s, ms, us or ns [default: what the program is
    /// known to write, else what fits the first lines, and a note says so]
    #[arg(long, value_name = "UNIT", value_parser = unit, conflicts_with_all = ["udp", "run"])]
    pub(crate) unit: Option<Unit>,
    /// What comes first: the largest sum, requests, mean, p50, p90, p95, p99, max, 2xx, 3xx, 4xx, 5xx or bytes, or endpoint for
    /// their names
    #[arg(long, value_name = "COLUMN", value_parser = sort, default_value = "sum")]
    pub(crate) sort: Sort,
    /// Endpoints that are shown
    #[arg(long, short = 'n', value_name = "N", default_value_t = 30)]
    pub(crate) top: usize,
    /// Write a mix of the endpoints that were read with GET, each as often as it was asked for, with a sample of what was asked
    /// for under each: what `--mix` of `weir bench` and `weir try` loads. A file that weir did not write is not replaced
    #[arg(long = "write-mix", visible_alias = "mix", value_name = "FILE")]
    pub(crate) mix: Option<PathBuf>,
}

fn format(text: &str) -> Result<Format, String> {
    Format::named(text).ok_or_else(|| one_of(text, Format::ALL.iter().map(|format| format.name())))
}

fn unit(text: &str) -> Result<Unit, String> {
    Unit::named(text).ok_or_else(|| one_of(text, Unit::ALL.iter().map(|unit| unit.name())))
}

fn sort(text: &str) -> Result<Sort, String> {
    let found = Sort::ALL.iter().find(|(_, name)| *name == text);
    let found = found.map(|(sort, _)| *sort);
    found.ok_or_else(|| one_of(text, Sort::ALL.iter().map(|(_, name)| *name)))
}

/// What to write in place of a word that is none of these.
fn one_of(text: &str, names: impl Iterator<Item = &'static str> + Clone) -> String {
    record::meant(text, names.clone(), || {
        format!("use one of {}", record::listed(names))
    })
}
