//! weir: a performance laboratory for the serving stack of a web application.
//!
//! This crate only reads the command line, calls the others, and says how it ended.

// A closed pipe makes these panic: `output` writes.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod args;
mod commands;
mod error;
mod exit;
mod files;
mod input;
mod invocation;
mod mask;
mod other_tools;
mod output;
mod progress;
mod question;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::FromArgMatches as _;
use report::harmless::one_line;

use args::Cli;
use invocation::Invocation;
use stack::GuardCommand;

fn main() -> ExitCode {
    // The guardian has no user to talk to: it is another program that shares the executable, and no command.
    let mut typed = std::env::args_os().skip(1);
    if typed
        .next()
        .is_some_and(|first| first == GuardCommand::WORD)
    {
        let args: Vec<_> = typed
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        return ExitCode::from(stack::guardian::main(&args));
    }
    let arguments = args::apart(std::env::args_os());
    let read = |arguments: &[OsString]| {
        let matches = args::command().try_get_matches_from(arguments)?;
        Cli::from_arg_matches(&matches)
    };
    let cli = match read(&arguments) {
        Ok(cli) => cli,
        Err(answer) => {
            // it quotes what was typed: each argument in one line
            let clean = arguments.iter().map(|argument| argument.to_string_lossy());
            let clean = clean.map(|argument| one_line(&argument).into_owned().into());
            let answer = read(&clean.collect::<Vec<_>>()).err().unwrap_or(answer);
            return ExitCode::from(output::misread(answer));
        }
    };
    mask::also(&cli.common.mask);
    report::html::hide_with(mask::text);
    let _guarded = stack::guard_commands(GuardCommand::default());
    let exit = match Invocation::new(cli.common)
        .and_then(|mut invocation| commands::run(cli.command, &mut invocation))
    {
        Ok(exit) => exit,
        Err(error) => {
            output::note(error.to_string());
            error.exit()
        }
    };
    ExitCode::from(exit)
}
