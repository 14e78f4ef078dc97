//! The shell script that starts a deployed stack.

use std::fmt::Write as _;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use record::Target;
use report::words;
use stack::{Composition, Deployed, Program};

/// What a shell runs before all else: programs beside each other, until one of them ends or the user has had enough.
const BEGINS: &str = include_str!("script.sh");

/// And in the end. A signal cuts a pause short.
const ENDS: &str =
    "\nwhile :; do\n    look\n    sleep 1 &\n    pause=$!\n    wait \"$pause\" || :\ndone\n";

/// The script of a stack; `about` says what it is, and `heeds` what its user must know of it.
pub(super) fn of(
    deployed: &Deployed,
    composition: &Composition,
    about: &[String],
    heeds: &[String],
) -> String {
    let mut text = "#!/bin/sh\n".to_owned();
    let comment = |text: &mut String, line: &str| {
        let _ = writeln!(text, "# {}", one_line(line));
    };
    for line in about {
        comment(&mut text, line);
    }
    let place = match &deployed.address {
        Target::Tcp(address) => address.to_string(),
        Target::Unix(socket) => socket.display().to_string(),
    };
    let ends =
        "It ends when one of its programs does, with the same status, and then ends the others.";
    comment(&mut text, &format!("Clients connect to {place}. {ends}"));
    for line in heeds {
        comment(&mut text, line);
    }
    text.push_str("set -eu\n");
    asks(&mut text, &composition.app.needs);
    let _ = writeln!(text, "\n{BEGINS}");
    text.truncate(text.trim_end().len());
    text.push('\n');
    let app = composition
        .app_server()
        .map(|part| part.entry.name.as_str());
    for program in &deployed.programs {
        let own = app == Some(program.entry.as_str()) && program.service.is_none();
        start(&mut text, program, own);
    }
    text.push_str(ENDS);
    text
}

/// What the app needs of its environment: names, as weir keeps no values.
fn asks(text: &mut String, needs: &[String]) {
    if needs.is_empty() {
        return;
    }
    text.push_str(
        "\n# The app reads these from its environment, and had them when it was measured. Their values are not kept.\n",
    );
    for name in needs {
        let _ = writeln!(text, ": \"${{{name}:?set it: the app reads it}}\"");
    }
}

fn start(text: &mut String, program: &Program, loads_the_app: bool) {
    let _ = writeln!(text, "\n# {} {}", program.entry, one_line(&program.version));
    let command = |argv: &[String]| format!("{}{}", environment(program), words::command(argv));
    let cwd = program.cwd.display().to_string();
    let _ = writeln!(text, "cd {}", words::command(&[cwd]));
    if loads_the_app && !program.prepare.is_empty() {
        text.push_str("# Before each of its trials weir ran, as its app.toml says:\n");
        for argv in &program.prepare {
            let _ = writeln!(text, "#   {}", one_line(&words::command(argv)));
        }
    } else if !program.prepare.is_empty() {
        let mark = program.log.with_extension("prepared").display().to_string();
        let mark = words::command(&[mark]);
        let _ = writeln!(text, "if [ ! -e {mark} ]; then");
        for argv in &program.prepare {
            let _ = writeln!(text, "    {}", command(argv));
        }
        let _ = writeln!(text, "    : > {mark}\nfi");
    }
    let name = words::command(std::slice::from_ref(&program.entry));
    let _ = writeln!(text, "{} &\nstarted {name}", command(&program.argv));
    if let Some(ready) = &program.ready {
        let ready = command(ready);
        let _ = writeln!(
            text,
            "until {ready} > /dev/null 2>&1; do look; sleep 0.2; done"
        );
    }
}

/// `env -u NAME NAME=VALUE `, as far as there is something to say.
fn environment(program: &Program) -> String {
    let unset = program
        .unset
        .iter()
        .flat_map(|name| ["-u".to_owned(), name.clone()]);
    let set = program
        .env
        .iter()
        .map(|(name, value)| format!("{name}={value}"));
    let all: Vec<String> = unset.chain(set).collect();
    if all.is_empty() {
        return String::new();
    }
    format!("env {} ", words::command(&all))
}

/// A text that stays in its comment.
pub(super) fn one_line(text: &str) -> String {
    report::harmless::one_line(text).into_owned()
}

/// Lets its user run a file, and read it: it may hold what is secret in an app's environment.
pub(super) fn executable(path: &Path) -> std::io::Result<()> {
    std::fs::set_permissions(path, Permissions::from_mode(0o700))
}
