//! One file per command, and the table that finds it.

mod bench;
mod calibrate;
mod catalogue;
mod claims;
mod client;
mod compare;
mod compat;
mod doctor;
mod endpoints;
mod explain;
mod forget;
mod help;
mod known;
mod list;
mod profile;
mod report;
mod run;
mod schema;
mod shell;
mod show;
mod stack;
mod r#try;
mod up;
mod urls;
pub(crate) mod write;

use crate::args::Command;
use crate::error::{Exit, Result};
use crate::invocation::Invocation;

/// Does what the user asked for.
pub(crate) fn run(command: Command, invocation: &mut Invocation) -> Result<Exit> {
    urls::refused(&command)?;
    match command {
        Command::Try(args) => r#try::run(&args, invocation),
        Command::Run(args) => run::run(&args, invocation),
        Command::Claims(args) => claims::run(&args, invocation),
        Command::Bench(args) => bench::run(*args, invocation),
        Command::Client(args) => client::run(&args, invocation),
        Command::Calibrate { duration } => calibrate::run(duration, invocation),
        Command::Wrk(args) => compat::wrk::run(&args, invocation),
        Command::Ab(args) => compat::ab::run(&args, invocation),
        Command::Completions { shell } => shell::completions(shell),
        Command::Man => shell::man(),
        Command::List { newest } => list::run(newest, invocation),
        Command::Show { run, format } => show::run(run, format, invocation),
        Command::Profile(args) => profile::run(&args, invocation),
        Command::Endpoints(args) => endpoints::run(&args, invocation),
        Command::Explain(args) => explain::run(&args, invocation),
        Command::Compare(args) => compare::run(&args, invocation),
        Command::Report { run, out } => report::run(run, out.as_deref(), invocation),
        Command::Forget(args) => forget::run(&args, invocation),
        Command::Doctor(args) => doctor::run(&args, invocation),
        Command::Catalogue(args) => catalogue::run(args, invocation),
        Command::Stack(args) => stack::run(&args, invocation),
        Command::Up {
            plan,
            variant,
            start,
        } => up::run(&plan, &variant, &start, invocation),
        Command::Write { of, folder, port } => write::run(&of, &folder, port, invocation),
        Command::Help { topic } => help::run(&topic),
    }
}
