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

pub(crate) fn run(topic: &[String]) -> Result<Exit> {
    let topic: Vec<&str> = topic.iter().map(String::as_str).collect();
    let known = TOPICS.iter().find(|(name, _)| topic == [*name]);
    let text = match (&topic[..], known) {
        (_, Some((_, text))) => (*text).to_owned(),
        (["exit-codes"], _) => exit_codes(),
        (["schema"], _) => {
            print_json(&schema())?;
            return Ok(Exit::Done);
        }
        (names, _) => of_command(names)?,
    };
    print(&format!("{}\n", text.trim_end()))?;
    Ok(Exit::Done)
}

/// What `--help` says of a command, whose name may have several words; of weir itself, when there is none.
fn of_command(names: &[&str]) -> Result<String> {
    let mut cli = command();
    cli.build(); // else a subcommand does not know that it is weir's
    let mut words = names.iter();
    let Some(of) = words.try_fold(&mut cli, |of, name| of.find_subcommand_mut(name)) else {
        let hint = "type `weir help`, `weir help plan`, `weir help app`, `weir help mix`, `weir help exit-codes` or `weir help schema`";
        let message = format!("there is no help on `{}`", names.join(" "));
        return Err(Error::new(Exit::Usage, message).hint(hint.to_owned()));
    };
    Ok(of.render_long_help().ansi().to_string())
}

/// The vocabulary of exit codes as a table in Markdown, as `docs/exit-codes.md` has it.
fn exit_codes() -> String {
    let rows = Exit::ALL.map(|(exit, meaning)| format!("| {} | {meaning} |\n", exit.code()));
    format!("| code | meaning |\n|---|---|\n{}", rows.concat())
}
