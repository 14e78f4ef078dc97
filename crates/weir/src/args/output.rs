//! What `weir bench` makes of a result.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use judge::Threshold;
use record::condition::ExpectError;

use super::RunName;

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Output format [default: text; --json is short for json]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,
    /// Write the response times to this file, in the interval log format of `HdrHistogram`
    #[arg(long, value_name = "FILE")]
    pub(crate) hdr: Option<PathBuf>,
    /// Write a JSON object a second to this file while the load runs: throughput, errors, p50, p99, connections
    ///
    /// `weir help schema` describes it as `live`. A named pipe will do, and so will /dev/stderr with --quiet.
    #[arg(long, value_name = "FILE")]
    pub(crate) live: Option<PathBuf>,
    /// Write run.json, intervals.ndjson, times.hdr and report.html to this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Explain how each figure was computed, and which checks the load passed
    #[arg(long)]
    pub(crate) explain: bool,
    /// Compare with an earlier load: the number of its run, or `last` for the last load of this URL
    ///
    /// `last-1` is the load of this URL before that. Every load of `weir bench` is kept in the store (`weir list`). One
    /// load is compared with one: not a survey, a sweep, or a search for a `--goal`.
    #[arg(long, value_name = "RUN", conflicts_with = "sweep")]
    pub(crate) against: Option<RunName>,
    /// Exit with code 3 if this condition is met, as in 'p99 > 50ms' 'errors > 0.1%'; repeatable
    ///
    /// Measures: p50, p90, p95, p99, p99.9, p99.99, mean and max of the response time (us, ms, s),
    /// errors, timeouts and dropped (a count, or % of the due requests), throughput (req/s),
    /// achieved (% of the offered rate). Operators: <, <=, >, >=. A condition that too few
    /// responses leave undecided counts as met. It is decided on each load: of a survey on those at a rate, with
    /// --goal on those at the rate that holds.
    #[arg(long, value_name = "CONDITION", value_parser = thresholds)]
    pub(crate) fail_if: Vec<Thresholds>,
}

impl OutputArgs {
    /// Every threshold, in the order given.
    pub(crate) fn thresholds(&self) -> impl Iterator<Item = &Threshold> {
        self.fail_if.iter().flat_map(|several| &several.0)
    }
}

/// What stands in one argument.
#[derive(Clone, Debug)]
pub(crate) struct Thresholds(pub(super) Vec<Threshold>);

/// How a result is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A table to read
    Text,
    /// One document with everything
    Json,
    /// A line for each second of the windows, then the document; all when the loads are over (while they run: --live)
    Ndjson,
    /// A header and a row for each load
    Csv,
    /// A table for a page
    Markdown,
}

pub(super) fn thresholds(text: &str) -> Result<Thresholds, String> {
    let read = judge::thresholds(text);
    read.map(Thresholds).map_err(|error| told(&error))
}

pub(super) fn goals(text: &str) -> Result<Thresholds, String> {
    let read = judge::goals(text);
    read.map(Thresholds).map_err(|error| told(&error))
}

fn told(error: &ExpectError) -> String {
    let hint = error.hint().unwrap_or_default();
    format!("{error}\nhint: {hint}")
}
