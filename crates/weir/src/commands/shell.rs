//! `weir completions` and `weir man`: what a shell and a manual reader need, from the same
//! definition of the command line.

use std::io::Write as _;

use crate::args::command;
use crate::error::{Error, Exit, Result};

pub(crate) fn completions(shell: clap_complete::Shell) -> Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command(), "weir", &mut script);
    write(&script)
}

/// The page of weir, and after it one section for each command.
pub(crate) fn man() -> Result<Exit> {
    let mut cli = command();
    cli.build();
    let mut page = Vec::new();
    let mut render = |command: &clap::Command| {
        let command = command
            .clone()
            .display_name(command.get_bin_name().unwrap_or("weir").to_owned());
        clap_mangen::Man::new(command).render(&mut page)
    };
    let shown = cli
        .get_subcommands()
        .filter(|command| !command.is_hide_set());
    let mut all = [&cli].into_iter().chain(shown);
    all.try_for_each(&mut render)
        .map_err(|error| failed(&error))?;
    write(&page)
}

fn write(text: &[u8]) -> Result<Exit> {
    let written = std::io::stdout().write_all(text);
    written.map_err(|error| failed(&error))?;
    Ok(Exit::Done)
}

fn failed(error: &std::io::Error) -> Error {
    Error::new(Exit::Internal, format!("cannot print: {error}"))
}
