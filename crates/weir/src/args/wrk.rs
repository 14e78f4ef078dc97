//! The command line of wrk 4 and wrk2.

use std::path::PathBuf;

use clap::Args;

use super::number::some;
use super::value::{header, seconds};

#[derive(Debug, Args)]
pub(crate) struct WrkArgs {
    /// Where to
    #[arg(
        required_unless_present = "version",
        default_value = "",
        hide_default_value = true
    )]
    pub(crate) url: String,
    /// Connections to keep open
    #[arg(long, short, default_value = "10", value_parser = some::<u64>)]
    pub(crate) connections: u64,
    /// Duration of the test
    #[arg(long, short, default_value = "10s", value_parser = seconds)]
    pub(crate) duration: f64,
    /// Number of threads to use
    #[arg(long, short, default_value = "2", value_parser = some::<u64>)]
    pub(crate) threads: u64,
    /// Ask what a Lua script says
    #[arg(long, short, value_name = "FILE")]
    pub(crate) script: Option<PathBuf>,
    /// Add a header to each request
    #[arg(long, short = 'H', value_parser = header)]
    pub(crate) header: Vec<(String, String)>,
    /// Print the latency distribution
    #[arg(long, short = 'L', visible_alias = "u_latency")]
    pub(crate) latency: bool,
    /// Time after which an unanswered request counts as timed out
    #[arg(long, short = 'T', default_value = "2s", value_parser = seconds)]
    pub(crate) timeout: f64,
    /// wrk2: requests per second
    #[arg(long, short = 'R', value_parser = some::<u64>)]
    pub(crate) rate: Option<u64>,
    /// wrk2: print the uncorrected latency too; weir corrects nothing, so that there is one
    #[arg(short = 'U', hide = true)]
    pub(crate) uncorrected: bool,
    /// Print the version
    #[arg(long, short)]
    pub(crate) version: bool,
    /// For the script's init, after `--`
    #[arg(last = true, requires = "script", value_name = "ARGS")]
    pub(crate) args: Vec<String>,
}
