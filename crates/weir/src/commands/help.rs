//! `weir help`: a command, `plan`, `app`, `mix`, `exit-codes`, or `schema`.

use crate::args::command;
use crate::commands::schema::schema;
use crate::error::{Error, Exit, Result};
use crate::output::{print, print_json};

/// The plan that explains itself; a test resolves it.
const PLAN: &str = include_str!("../../../../docs/plan.toml");

/// The app that explains itself; a test reads it.
const APP: &str = include_str!("../../../../docs/app.toml");

/// The mix that explains itself; a test of the crate that reads mixes reads it.
const MIX: &str = include_str!("../../../../docs/mix.toml");

pub(crate) fn run(topic: Option<&str>) -> Result<Exit> {
    let mut cli = command();
    cli.build(); // else a subcommand does not know that it is weir's
    let text = match topic {
        None => cli.render_long_help().ansi().to_string(),
        Some("plan") => PLAN.to_owned(),
        Some("app") => APP.to_owned(),
        Some("mix") => MIX.to_owned(),
        Some("exit-codes") => exit_codes(),
        Some("schema") => {
            print_json(&schema())?;
            return Ok(Exit::Done);
        }
        Some(name) => match cli
            .find_subcommand_mut(name)
            .filter(|command| !command.is_hide_set())
        {
            Some(command) => command.render_long_help().ansi().to_string(),
            None => {
                return Err(
                    Error::new(Exit::Usage, format!("there is no help on `{name}`")).hint(
                        "type `weir help`, `weir help plan`, `weir help app`, `weir help mix`, `weir help exit-codes` or `weir help schema`".to_owned(),
                    ),
                );
            }
        },
    };
    print(&format!("{}\n", text.trim_end()))?;
    Ok(Exit::Done)
}

/// The vocabulary of exit codes as a table in Markdown, as `docs/exit-codes.md` has it.
fn exit_codes() -> String {
    let rows = Exit::ALL.map(|(exit, meaning)| format!("| {} | {meaning} |\n", exit.code()));
    format!("| code | meaning |\n|---|---|\n{}", rows.concat())
}
