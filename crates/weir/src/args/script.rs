use std::path::PathBuf;

use clap::Args;

/// A script that says what to ask.
#[derive(Debug, Args)]
pub(crate) struct ScriptArgs {
    /// Lua script that makes the requests, as in wrk: setup, init, delay, request, response, done
    ///
    /// A script that defines user(number) plays users instead, one on each connection: they log in, keep what responses
    /// say and sleep between requests (docs/scripts.md). Statuses from 200 to 399 are then expected, unless --status is given.
    #[arg(long, short, value_name = "FILE", group = "asked")]
    pub(crate) script: Option<PathBuf>,
    /// Arguments of the script's init, after `--`
    #[arg(last = true, requires = "script", conflicts_with_all = ["mix", "replay", "page"], value_name = "ARGS")]
    pub(crate) args: Vec<String>,
}
