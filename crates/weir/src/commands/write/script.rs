//! The shell script that starts a deployed stack.

use std::fmt::Write as _;
use std::fs::Permissions;
use std::net::Ipv4Addr;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use record::Target;
use report::words;
use stack::{Deployed, Program};

use super::Written;

/// Its file.
pub(super) const FILE: &str = "start.sh";

/// Longest time that a program has to finish its requests, in seconds.
pub(super) const GRACE: u32 = 30;

/// What a shell runs before all else: programs beside each other, until one of them ends or the user has had enough.
const BEGINS: &str = include_str!("script.sh");

/// Makes sure that the script is where its files say, and that no other one runs there.
const ALONE: &str = include_str!("alone.sh");

/// What it makes sure of a host that the user says, and of a port.
const HOST: &str = include_str!("host.sh");
const PORTS: &str = include_str!("ports.sh");

/// And in the end.
const ENDS: &str = include_str!("ends.sh");

/// The script of a stack.
pub(super) fn of(written: &Written<'_>) -> String {
    let deployed = written.deployed;
    let mut text = "#!/bin/sh\n".to_owned();
    let how = match &deployed.address {
        Target::Tcp(address) => format!("{address}, unless HOST and PORT say otherwise"),
        Target::Unix(socket) => socket.display().to_string(),
    };
    let ends =
        "It ends when one of its programs does, with the same status, and then ends the others.";
    let clients = format!("Clients connect to {how}. {ends}");
    let lines = written.about.iter().chain([&clients]).chain(written.heeds);
    for line in lines {
        let _ = writeln!(text, "# {}", one_line(line));
    }
    let folder = quoted(written.place);
    let _ = writeln!(text, "set -eu\n\ngrace={GRACE}\nfolder={folder}");
    text.push_str(BEGINS);
    let app = &written.composition.app;
    asks(&mut text, &app.needs, &stack::defaulted(app));
    text.push_str(ALONE);
    let marks = marks(deployed);
    if !marks.is_empty() {
        text.push_str(&told(written, &marks));
    }
    let app = written.composition.app_server();
    let app = app.map(|part| part.entry.name.as_str());
    for program in &deployed.programs {
        let own = app == Some(program.entry.as_str()) && program.service.is_none();
        start(&mut text, program, &marks, own);
    }
    text.push_str(ENDS);
    text
}

/// What the app needs of its environment: names, as weir keeps no values. It starts without those that have a default.
fn asks(text: &mut String, needs: &[String], defaulted: &[String]) {
    if needs.is_empty() {
        return;
    }
    text.push_str(
        "\n# The app reads these from its environment, and had them when it was measured. Their values are not kept.\n",
    );
    for name in needs {
        let told = if defaulted.contains(name) {
            format!(
                "say '{name} is not set, as it was when this was measured: the app takes its default'"
            )
        } else {
            format!("wrong '{name} is not set: the app reads it'")
        };
        let _ = writeln!(text, "[ -n \"${{{name}:-}}\" ] || {told}");
    }
}

/// Lets the user say where clients connect, makes sure that the ports are free, and writes the files in which they stand.
fn told(written: &Written<'_>, marks: &[Mark]) -> String {
    let deployed = written.deployed;
    let mut text =
        "\n# Where clients connect; programs behind have the ports after it.\n".to_owned();
    let clients = match deployed.address {
        Target::Tcp(address) => Some(address),
        Target::Unix(_) => None,
    };
    if let Some(address) = clients {
        let _ = writeln!(text, "host=${{HOST:-{}}}", address.ip());
        text.push_str(HOST);
    }
    let behind = deployed.behind();
    let last = behind.last().copied().unwrap_or_default();
    let besides = match last {
        0 => String::new(),
        1 => " together with the next one".to_owned(),
        _ => format!(" together with the next {last}"),
    };
    let _ = writeln!(
        text,
        "port=${{PORT:-{}}}\nhighest={}\nbesides='{besides}'\n{PORTS}",
        deployed.first,
        u16::MAX - last
    );
    if clients.is_some() {
        text.push_str("free \"$host\" \"$port\"\n");
    }
    for after in &behind {
        let _ = writeln!(
            text,
            "port{after}=$((port + {after}))\nfree {} \"$port{after}\"",
            Ipv4Addr::LOCALHOST
        );
    }
    made(&mut text, written, marks);
    text
}

/// Writes the files in which an address stands.
fn made(text: &mut String, written: &Written<'_>, marks: &[Mark]) {
    let templates = &written.deployed.templates;
    if !templates.is_empty() {
        text.push_str("\n# These files are made of their templates at each start: change those.\n");
    }
    let puts = marks
        .iter()
        .map(|(mark, name)| format!("s/{mark}/${name}/g"));
    let puts = puts.collect::<Vec<_>>().join("; ");
    for file in templates {
        let template = quoted(&written.place.join(Deployed::template(file)));
        let file = quoted(&written.place.join(file));
        let _ = writeln!(text, "sed \"{puts}\" {template} > {file}");
    }
}

/// What stands for an address until the script runs, and the variable of the script that has it then.
type Mark = (String, String);

/// The marks of a stack; none where all its programs listen at Unix sockets.
fn marks(deployed: &Deployed) -> Vec<Mark> {
    let clients = match deployed.address {
        Target::Tcp(_) => vec![(Deployed::HOST, "host"), (Deployed::PORT, "port")],
        Target::Unix(_) => Vec::new(),
    };
    let clients = clients.into_iter();
    let clients = clients.map(|(mark, name)| (mark.to_owned(), name.to_owned()));
    let behind = deployed.behind().into_iter();
    let behind = behind.map(|after| (Deployed::port(after), format!("port{after}")));
    clients.chain(behind).collect()
}

fn start(text: &mut String, program: &Program, marks: &[Mark], loads_the_app: bool) {
    let _ = writeln!(text, "\n# {} {}", program.entry, one_line(&program.version));
    // what they start and leave behind does not hold the script's lock
    let command = |argv: &[String]| {
        let environment = environment(program, marks);
        format!("{environment}{} 9>&-", line(argv, marks))
    };
    let _ = writeln!(text, "cd {}", quoted(&program.cwd));
    if loads_the_app && !program.prepare.is_empty() {
        text.push_str("# Before each of its trials weir ran, as its app.toml says:\n");
        for argv in &program.prepare {
            let _ = writeln!(text, "#   {}", one_line(&line(argv, marks)));
        }
    } else if !program.prepare.is_empty() {
        let mark = quoted(&program.log.with_extension("prepared"));
        let _ = writeln!(text, "if [ ! -e {mark} ]; then");
        for argv in &program.prepare {
            let _ = writeln!(text, "    {}", command(argv));
        }
        let _ = writeln!(text, "    : > {mark}\nfi");
    }
    if let Target::Unix(socket) = &program.listen
        && !program.spoken.protocol.dials_in()
    {
        let _ = writeln!(
            text,
            "rm -f {} # a program that was killed leaves it, and some cannot start then",
            quoted(socket)
        );
    }
    let name = words::command(std::slice::from_ref(&program.entry));
    let argv = command(&program.argv);
    let signal = program.graceful();
    // a session of its own, by which its workers are found when it is gone
    let _ = writeln!(
        text,
        "begins {signal} setsid {argv} &\nstarted {name} {signal}"
    );
    if let Some(ready) = &program.ready {
        let ready = command(ready);
        let _ = writeln!(
            text,
            "until {ready} > /dev/null 2>&1; do look; sleep 0.2; done"
        );
    }
}

/// `env -u NAME NAME=VALUE `, as far as there is something to say.
fn environment(program: &Program, marks: &[Mark]) -> String {
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
    format!("env {} ", line(&all, marks))
}

/// A command line; what it says of addresses is known when it runs.
fn line(argv: &[String], marks: &[Mark]) -> String {
    let word = |text: &String| match text.as_str() {
        "" => words::command(&[String::new()]),
        text => part(text, marks),
    };
    let words: Vec<String> = argv.iter().map(word).collect();
    words.join(" ")
}

/// A part of a word of it. What stands around marks is quoted by itself.
fn part(text: &str, marks: &[Mark]) -> String {
    match marks {
        _ if text.is_empty() => String::new(),
        [] => words::command(&[text.to_owned()]),
        [(mark, name), others @ ..] => {
            let parts = text.split(mark.as_str()).map(|text| part(text, others));
            let parts: Vec<String> = parts.collect();
            parts.join(format!("\"${name}\"").as_str())
        }
    }
}

fn quoted(path: &Path) -> String {
    words::command(&[path.display().to_string()])
}

/// A text that stays in its comment.
pub(super) fn one_line(text: &str) -> String {
    report::harmless::one_line(text).into_owned()
}

/// Lets its user run a file, and read it: it may hold what is secret in an app's environment.
pub(super) fn executable(path: &Path) -> std::io::Result<()> {
    std::fs::set_permissions(path, Permissions::from_mode(0o700))
}

#[cfg(test)]
mod tests;
