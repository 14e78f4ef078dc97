//! The command line as a user types it.

mod ab;
mod asking;
mod bench;
mod catalogue;
mod cgi;
mod claims;
mod client;
mod clients;
mod compare;
mod conditions;
mod crowd;
mod doctor;
#[cfg(test)]
mod documented;
mod endpoints;
mod explain;
mod forget;
mod load;
mod name;
mod number;
mod output;
mod points;
mod profile;
mod route;
mod run;
mod script;
mod spec;
mod spoken;
mod stack;
mod tls;
mod traffic;
mod r#try;
mod value;
mod writes;
mod wrk;

use std::path::PathBuf;

use clap::{Arg, Args, CommandFactory as _, Parser, Subcommand};

pub(crate) use ab::AbArgs;
pub(crate) use bench::BenchArgs;
pub(crate) use catalogue::{CatalogueArgs, CatalogueCommand, CheckArgs};
pub(crate) use claims::ClaimsArgs;
pub(crate) use client::ClientArgs;
pub(crate) use compare::CompareArgs;
pub(crate) use conditions::apart;
pub(crate) use doctor::DoctorArgs;
pub(crate) use endpoints::EndpointsArgs;
pub(crate) use explain::ExplainArgs;
pub(crate) use forget::{ForgetArgs, Runs};
pub(crate) use name::{RunName, Side};
pub(crate) use output::{Format, OutputArgs};
pub(crate) use points::SweepArg;
pub(crate) use profile::{ProfileArgs, RunOrPath};
pub(crate) use route::RouteArgs;
pub(crate) use run::{HowArgs, RunArgs, StartArgs};
pub(crate) use spec::{as_ab, as_options, as_pipelined, as_wrk};
pub(crate) use stack::StackArgs;
pub(crate) use traffic::{Methods, ReplayCheck};
pub(crate) use r#try::{BudgetArgs, TryArgs};
pub(crate) use value::Is;
pub(crate) use writes::WriteArgs;
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
    /// File that keeps results [default: weir.db in your data folder]
    #[arg(
        long,
        global = true,
        env = "WEIR_STORE",
        value_name = "FILE",
        hide_short_help = true
    )]
    pub(crate) store: Option<PathBuf>,
    /// Folder with your own catalogue entries; repeatable
    #[arg(long, global = true, value_name = "DIR", hide_short_help = true)]
    pub(crate) catalogue: Vec<PathBuf>,
    /// Print JSON instead of tables
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Width of tables in columns; table columns that do not fit are left out [default: $COLUMNS,
    /// the terminal's; unlimited in a pipe]
    #[arg(long, global = true, value_name = "COLUMNS", hide_short_help = true, value_parser = clap::value_parser!(u16).range(20..))]
    pub(crate) width: Option<u16>,
    /// For a machine that is never quiet: wait for nothing, and count trials that other programs disturbed
    #[arg(long, global = true, env = "WEIR_SHARED", value_parser = clap::builder::FalseyValueParser::new(), hide_short_help = true)]
    pub(crate) shared: bool,
    /// Show no progress
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// Mask the values of these query keys, as in token,room
    ///
    /// Masked anyway, in all output, reports and exports: values of `password`, `token`, `api_key`
    /// and similar keys, passwords in URLs, and values of `Authorization` and `Cookie`. The store,
    /// which only you can read, keeps the requests as they are.
    #[arg(
        long,
        global = true,
        value_name = "KEY",
        value_delimiter = ',',
        hide_short_help = true
    )]
    pub(crate) mask: Vec<String>,
}

/// The whole command line. `-h` of `weir bench` and `weir try` shows the options that people use, `--help` all.
pub(crate) fn command() -> clap::Command {
    Cli::command()
        .mut_subcommand("bench", |command| shortened(command, &bench::SHORT))
        .mut_subcommand("try", |command| shortened(command, &r#try::SHORT))
}

/// A command whose `-h` shows these options alone.
fn shortened(command: clap::Command, shown: &[&str]) -> clap::Command {
    command.mut_args(|of: Arg| {
        let is_shown = of.is_positional() || shown.contains(&of.get_id().as_str());
        of.hide_short_help(!is_shown)
    })
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve your app under every sensible server setup, and say which is fastest
    Try(Box<TryArgs>),
    /// Run a plan: its variants, block by block, and its claims
    Run(RunArgs),
    /// Run a folder of plans, and print the verdict on each claim
    Claims(ClaimsArgs),
    /// Load a URL: find its capacity, or how it responds to a load of your choice
    Bench(Box<BenchArgs>),
    /// Run a program that makes HTTP requests, and say how it talks
    Client(ClientArgs),
    /// Measure the limits of this machine and of the load engine, and store them
    Calibrate {
        /// Total duration, as in 10s; half for the ceiling, the rest for the floor of latency and to compare the event loops
        #[arg(long, short, default_value = "10s", value_parser = value::seconds)]
        duration: f64,
    },
    /// Accept the command line of wrk or wrk2, and print as it does
    Wrk(Box<WrkArgs>),
    /// Accept the command line of ab, and print as it does
    Ab(Box<AbArgs>),
    /// Print a shell completion script
    ///
    /// As in `weir completions bash > ~/.local/share/bash-completion/completions/weir`.
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    ///
    /// To read it: `weir man | man -l -`.
    Man,
    /// List the runs in the store
    ///
    /// `weir forget RUN` removes one.
    List {
        /// The newest N of them [default: all]
        #[arg(long, short = 'n', value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        newest: Option<u32>,
    },
    /// Show a run's table, doubts and claims
    Show {
        /// Number of the run, `last`, or `last-1` for the one before
        #[arg(default_value = "last")]
        run: RunName,
        /// Output format, as of `weir bench` [default: text; --json is short for json]
        #[arg(long, value_enum, value_name = "FORMAT")]
        format: Option<Format>,
    },
    /// Say why the variants of a run are as fast as they are, and what to try next
    Explain(ExplainArgs),
    /// Say whose code takes the CPU time of a program: of a run, of a variant of a plan, or of a running process
    Profile(ProfileArgs),
    /// Say what each endpoint of a service costs, from its logs
    Endpoints(EndpointsArgs),
    /// Compare two runs, or two variants
    Compare(CompareArgs),
    /// Write a run's HTML report and JSON export
    Report {
        /// Number of the run, `last`, or `last-1` for the one before
        #[arg(default_value = "last")]
        run: RunName,
        /// Folder to write to [default: beside the store]
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    /// Remove runs from the store, and their reports beside it
    ///
    /// The store's file does not become smaller: what is measured next takes the room.
    Forget(ForgetArgs),
    /// List installed app servers and front ends, how to install the others, and how quiet the machine is
    Doctor(doctor::DoctorArgs),
    /// List, explain and check the app servers and front ends that weir knows
    Catalogue(CatalogueArgs),
    /// Print what a variant or an entry runs: argv, environment and files
    Stack(StackArgs),
    /// Keep one variant of a plan running in the foreground
    Up {
        /// The plan file
        plan: PathBuf,
        /// The variant's name
        variant: String,
        #[command(flatten)]
        start: StartArgs,
    },
    /// Write a variant's configuration, a script and a systemd unit that start it, and a plan that repeats its trial
    Write {
        /// RUN or RUN:VARIANT [default variant: the one that the run says to deploy]
        of: Side,
        /// New folder to write to
        #[arg(value_name = "DIR")]
        folder: PathBuf,
        /// Port at which it will listen, unless PORT says another; programs behind it take the next ones
        #[arg(long, default_value_t = crate::commands::write::PORT)]
        port: u16,
    },
    /// Explain a command, a file that you write (`plan`, `app`, `mix`), `exit-codes`, or `schema` (of all JSON)
    Help {
        /// A command (`try`, `catalogue explain`), `plan`, `app`, `mix`, `exit-codes` or `schema`
        #[arg(value_name = "TOPIC")]
        topic: Vec<String>,
    },
}

#[cfg(test)]
mod tests {
    use clap::FromArgMatches as _;

    use super::{Cli, Command, RunName, command};

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn a_run_that_is_not_named_is_the_last_one() {
        for typed in ["show", "explain", "report"] {
            let read = command().try_get_matches_from(["weir", typed]).unwrap();
            let run = match Cli::from_arg_matches(&read).unwrap().command {
                Command::Show { run, .. } | Command::Report { run, .. } => run,
                Command::Explain(args) => args.of.run,
                other => panic!("{other:?}"),
            };
            assert_eq!(run, RunName::Last(0), "{typed}");
        }
    }

    /// The short help of a command, which has these options and begins with this example, and its long one.
    fn helps(name: &str, options: &[&str], example: &str) -> (String, String) {
        let mut cli = command().term_width(80);
        cli.build();
        let command = cli.find_subcommand_mut(name).unwrap();
        let short = command.render_help().to_string();
        for option in options {
            let option = format!("--{}", option.replace('_', "-"));
            assert!(short.contains(&option), "{option}: {short}");
        }
        let (example, options) = (short.find(example), short.find("--rate"));
        assert!(example.unwrap() < options.unwrap(), "examples come first");
        (short, command.render_long_help().to_string())
    }

    #[test]
    fn the_short_help_of_bench_fits_a_screen() {
        let (short, long) = helps("bench", &super::bench::SHORT, "weir bench http");
        assert!(short.lines().count() <= 45, "{short}");
        assert!(long.contains("--max-outstanding"));
    }

    #[test]
    fn the_short_help_of_try_has_what_most_need() {
        let (short, long) = helps("try", &super::r#try::SHORT, "weir try shop:app");
        assert!(short.lines().count() <= 55, "{short}");
        for of_few in ["--load-cpus", "config.ru"] {
            assert!(long.contains(of_few) && !short.contains(of_few), "{of_few}");
        }
    }

    /// What follows the options has its own lines, which a terminal of 80 columns does not break.
    #[test]
    fn no_line_after_the_options_is_broken() {
        let cli = command();
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
