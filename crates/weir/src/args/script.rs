use std::path::PathBuf;

use clap::Args;

/// A script that says what to ask.
#[derive(Debug, Args)]
pub(crate) struct ScriptArgs {
    /// Ask what this Lua script says, as wrk runs it: setup, init, delay, request, response, done
    ///
    /// Answers with a status from 200 to 399 are right then, unless --status names another than 200.
    #[arg(long, short, value_name = "FILE", group = "asked")]
    pub(crate) script: Option<PathBuf>,
    /// What the script's init is given, after `--`
    #[arg(last = true, requires = "script", value_name = "ARGS")]
    pub(crate) args: Vec<String>,
}
