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
mod subcommand;
mod tls;
mod traffic;
mod r#try;
mod value;
mod writes;
mod wrk;

use std::path::PathBuf;

use clap::{Arg, Args, CommandFactory as _, Parser};

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
pub(crate) use subcommand::Command;
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
