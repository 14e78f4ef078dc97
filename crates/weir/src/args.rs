//! The command line as a user types it.

mod ab;
mod ab_tls;
mod asking;
mod bench;
mod calibrate;
mod catalogue;
mod cgi;
mod claims;
mod clients;
mod conditions;
mod crowd;
mod load;
mod name;
mod output;
mod points;
mod route;
mod run;
mod script;
mod spec;
mod spoken;
mod stack;
mod time;
mod tls;
mod traffic;
mod r#try;
mod value;
mod wrk;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

pub(crate) use ab::AbArgs;
pub(crate) use bench::BenchArgs;
pub(crate) use calibrate::CalibrateArgs;
pub(crate) use catalogue::{CatalogueArgs, CatalogueCommand, CheckArgs};
pub(crate) use claims::ClaimsArgs;
pub(crate) use conditions::apart;
pub(crate) use name::{RunName, Side};
pub(crate) use output::{Format, OutputArgs};
pub(crate) use points::{Sweep, Swept};
pub(crate) use route::RouteArgs;
pub(crate) use run::{HowArgs, RunArgs, StartArgs};
pub(crate) use spec::{as_ab, as_options, as_wrk};
pub(crate) use stack::StackArgs;
pub(crate) use traffic::{Methods, ReplayCheck};
pub(crate) use r#try::{BudgetArgs, TryArgs};
pub(crate) use wrk::WrkArgs;

/// A performance laboratory for the serving stack of a web application.
#[derive(Debug, Parser)]
#[command(
    name = "weir",
    version,
    disable_help_subcommand = true,
    max_term_width = 100
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What every command understands.
#[derive(Debug, Args)]
pub(crate) struct Common {
    /// Where results are kept [default: weir.db in your data folder]
    #[arg(long, global = true, env = "WEIR_STORE", value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    /// A folder of catalogue entries of your own; may be given several times
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) catalogue: Vec<PathBuf>,
    /// Print JSON instead of tables
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Columns that a table may take; those that do not fit are left out [default: $COLUMNS, the
    /// terminal's, and in a pipe as many as there are]
    #[arg(long, global = true, value_name = "COLUMNS", value_parser = clap::value_parser!(u16).range(20..))]
    pub(crate) width: Option<u16>,
    /// Show no progress
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// Show the values of these query keys nowhere, as in token,room; those of `password`, `token`,
    /// `api_key` and their like are in no output, report or export, nor are passwords of URLs and
    /// values of `Authorization` and `Cookie` (the store keeps what an app was asked, for you alone)
    #[arg(long, global = true, value_name = "KEY", value_delimiter = ',')]
    pub(crate) mask: Vec<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve your own app in every way that fits, and say which is fastest
    Try(Box<TryArgs>),
    /// Run a plan: its stages, block by block, and its claims
    Run(RunArgs),
    /// Run the plans of a folder of claims, and print what became of each claim
    Claims(ClaimsArgs),
    /// Load a URL
    Bench(Box<BenchArgs>),
    /// Measure what this machine and the load engine can do at most, and keep it
    Calibrate(CalibrateArgs),
    /// Take the command line of wrk or wrk2, and print as it does
    Wrk(Box<WrkArgs>),
    /// Take the command line of ab, and print as it does
    Ab(Box<AbArgs>),
    /// Print a script that completes weir's command line in a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
    /// List the runs in the store
    List,
    /// Show a run's table, doubts and claims
    Show {
        /// Number of the run, or `last`
        run: RunName,
    },
    /// Compare two runs, or two stages
    Compare {
        /// RUN or RUN:STAGE, what is compared
        of: Side,
        /// RUN or RUN:STAGE, what it is compared with
        over: Side,
    },
    /// Write a run's HTML report and JSON export
    Report {
        /// Number of the run, or `last`
        run: RunName,
        /// Folder to write to [default: beside the store]
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    /// Say which app servers and front ends are installed, and how to install the others
    Doctor {
        /// The Python whose servers are looked for [default: as `weir run` chooses it]
        #[arg(long, value_name = "PATH")]
        python: Option<PathBuf>,
    },
    /// List, explain and check the app servers and front ends that weir knows
    Catalogue(CatalogueArgs),
    /// Print what a stage or an entry would run: argv, environment and files
    Stack(StackArgs),
    /// Keep one stage of a plan running in the foreground, to look at
    Up {
        /// The plan file
        plan: PathBuf,
        /// The stage's name
        stage: String,
        #[command(flatten)]
        start: StartArgs,
    },
    /// Explain a command, or `plan`: every key of a plan file, or `exit-codes`
    Help {
        /// A command, `plan` or `exit-codes`
        topic: Option<String>,
    },
    /// Watch over one program of a stack; weir starts this itself
    #[command(hide = true)]
    Guard {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::Cli;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    /// What follows the options has its own lines, which a terminal of 80 columns does not break.
    #[test]
    fn no_line_after_the_options_is_broken() {
        let cli = Cli::command();
        let mut looked_at = 0;
        for command in cli.get_subcommands() {
            let after = [command.get_after_help(), command.get_after_long_help()];
            for text in after.into_iter().flatten() {
                looked_at += 1;
                for line in text.to_string().lines() {
                    assert!(line.chars().count() <= 80, "{}: {line}", command.get_name());
                }
            }
        }
        assert!(looked_at >= 2, "{looked_at}");
    }
}
