//! One file per command, and the table that finds it.

mod bench;
mod calibrate;
mod catalogue;
mod claims;
mod compare;
mod compat;
mod doctor;
mod help;
mod known;
mod list;
mod report;
mod run;
mod schema;
mod shell;
mod show;
mod stack;
mod r#try;
mod up;

use crate::args::Command;
use crate::error::{Exit, Result};
use crate::session::Session;

/// Does what the user asked for.
pub(crate) fn run(command: Command, session: &mut Session) -> Result<Exit> {
    match command {
        Command::Try(args) => r#try::run(&args, session),
        Command::Run(args) => run::run(&args, session),
        Command::Claims(args) => claims::run(&args, session),
        Command::Bench(args) => bench::run(*args, session),
        Command::Calibrate { duration } => calibrate::run(duration, session),
        Command::Wrk(args) => compat::wrk::run(&args, session),
        Command::Ab(args) => compat::ab::run(&args, session),
        Command::Completions { shell } => shell::completions(shell),
        Command::Man => shell::man(),
        Command::List => list::run(session),
        Command::Show { run } => show::run(run, session),
        Command::Compare { of, over } => compare::run(&of, &over, session),
        Command::Report { run, out } => report::run(run, out.as_deref(), session),
        Command::Doctor { python } => doctor::run(python.as_deref(), session),
        Command::Catalogue(args) => catalogue::run(args, session),
        Command::Stack(args) => stack::run(&args, session),
        Command::Up {
            plan,
            variant,
            start,
        } => up::run(&plan, &variant, &start, session),
        Command::Help { topic } => help::run(topic.as_deref()),
        Command::Guard { .. } => unreachable!("main hands the guardian its own arguments"),
    }
}
