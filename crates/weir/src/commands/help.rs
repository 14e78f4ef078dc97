//! `weir help`: a command, `plan`, `app`, `mix`, `exit-codes`, or `schema`.

use crate::args::command;
use crate::commands::schema::schema;
use crate::error::{Error, Exit, Result};
use crate::output::{print, print_json};

/// A plan, an app and a mix that explain themselves: tests resolve and read them.
const TOPICS: [(&str, &str); 3] = [
    ("plan", include_str!("../../../../docs/plan.toml")),
    ("app", include_str!("../../../../docs/app.toml")),
    ("mix", include_str!("../../../../docs/mix.toml")),
];

pub(crate) fn run(topic: Option<&str>) -> Result<Exit> {
    let mut cli = command();
    cli.build(); // else a subcommand does not know that it is weir's
    let known = TOPICS.iter().find(|(name, _)| Some(*name) == topic);
    let text = match (topic, known) {
        (None, _) => cli.render_long_help().ansi().to_string(),
        (_, Some((_, text))) => (*text).to_owned(),
        (Some("exit-codes"), _) => exit_codes(),
        (Some("schema"), _) => {
            print_json(&schema())?;
            return Ok(Exit::Done);
        }
        (Some(name), _) => match cli.find_subcommand_mut(name) {
            Some(command) if !command.is_hide_set() => {
                command.render_long_help().ansi().to_string()
            }
            _ => {
                let hint = "type `weir help`, `weir help plan`, `weir help app`, `weir help mix`, `weir help exit-codes` or `weir help schema`";
                let message = format!("there is no help on `{name}`");
                return Err(Error::new(Exit::Usage, message).hint(hint.to_owned()));
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
