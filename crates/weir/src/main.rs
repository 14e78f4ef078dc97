//! weir: a performance laboratory for the serving stack of a web application.
//!
//! This crate only reads the command line, calls the others, and says how it ended.

// A closed pipe makes these panic: `output` writes.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod args;
mod commands;
mod error;
mod exit;
mod input;
mod output;
mod progress;
mod session;

use std::process::ExitCode;

use clap::Parser as _;

use args::{Cli, Command};
use session::Session;
use stack::GuardCommand;

fn main() -> ExitCode {
    let cli = Cli::parse();
    // The guardian has no user to talk to: it is another program that shares the executable.
    if let Command::Guard { args } = &cli.command {
        return ExitCode::from(stack::guardian::main(args));
    }
    let _guarded = stack::guard_commands(GuardCommand::default());
    let exit = match Session::new(cli.common)
        .and_then(|mut session| commands::run(cli.command, &mut session))
    {
        Ok(exit) => exit,
        Err(error) => {
            output::note(error.to_string());
            error.exit()
        }
    };
    ExitCode::from(exit)
}
