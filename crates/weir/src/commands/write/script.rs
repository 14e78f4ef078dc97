//! The shell script that starts a deployed stack.

use std::fmt::Write as _;
use std::fs::Permissions;
use std::net::SocketAddr;
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

/// What it makes sure of an address that the user says.
const ADDRESS: &str = include_str!("address.sh");

/// And in the end. A signal cuts a pause short.
const ENDS: &str =
    "\nwhile :; do\n    look\n    sleep 1 &\n    pause=$!\n    wait \"$pause\" || :\ndone\n";

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
    text.push_str("set -eu\n");
    asks(&mut text, &written.composition.app.needs);
    let _ = writeln!(text, "\ngrace={GRACE}");
    text.push_str(BEGINS);
    text.push_str(&alone(written.place));
    if let Target::Tcp(address) = &deployed.address {
        text.push_str(&told(deployed, *address, written.place));
    }
    let app = written.composition.app_server();
    let app = app.map(|part| part.entry.name.as_str());
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

/// Makes sure that the script is where its files say, and that no other one runs there.
fn alone(place: &Path) -> String {
    let [script, lock, pipe] = [FILE, "lock", "stderr"].map(|name| quoted(&place.join(name)));
    format!(
        r#"
# The files name this folder by its full path.
[ "$(readlink -f "$0")" = {script} ] ||
    wrong 'its files name another folder, so let weir write them again where they are to lie'

# The programs hold this lock, too: what is left of a killed script is not started a second time.
exec 9> {lock}
tries=50
until flock -n 9 2> /dev/null; do
    [ "$tries" -gt 0 ] || wrong 'its programs run already, or there is no `flock`: end them, or install util-linux'
    tries=$((tries - 1))
    sleep 0.1
done

# Some programs open /dev/stderr by its name. Where that is a socket, as under systemd, or somebody else's, they cannot; and a
# file they would begin anew. So it is a pipe, and what comes out of it goes where the script's own words go.
rm -f {pipe}
mkfifo -m 600 {pipe}
(
    trap '' INT TERM
    exec cat < {pipe} >&2 9>&-
) &
printer=$!
exec 2> {pipe}
rm -f {pipe}
"#
    )
}

/// Lets the user say where clients connect, and writes the files in which that stands.
fn told(deployed: &Deployed, address: SocketAddr, place: &Path) -> String {
    let behind = behind(deployed, address);
    let mut text = format!(
        "\n# Where clients connect. What is behind stays where it is.\nhost=${{HOST:-{}}}\nport=${{PORT:-{}}}\nbehind='{}'\n{ADDRESS}",
        address.ip(),
        address.port(),
        behind.join(" ")
    );
    if !deployed.templates.is_empty() {
        text.push_str("\n# These files are made of their templates at each start: change those.\n");
    }
    for file in &deployed.templates {
        let template = quoted(&place.join(Deployed::template(file)));
        let _ = writeln!(
            text,
            "sed \"s/{}/$host/g; s/{}/$port/g\" {template} > {}",
            Deployed::HOST,
            Deployed::PORT,
            quoted(&place.join(file))
        );
    }
    text
}

/// The ports at which the programs listen to which no client connects.
pub(super) fn behind(deployed: &Deployed, address: SocketAddr) -> Vec<String> {
    let ports = deployed.programs.iter().filter_map(|of| match of.listen {
        Target::Tcp(other) if other != address => Some(other.port().to_string()),
        _ => None,
    });
    ports.collect()
}

fn start(text: &mut String, program: &Program, loads_the_app: bool) {
    let _ = writeln!(text, "\n# {} {}", program.entry, one_line(&program.version));
    let command = |argv: &[String]| format!("{}{}", environment(program), line(argv));
    let _ = writeln!(text, "cd {}", quoted(&program.cwd));
    if loads_the_app && !program.prepare.is_empty() {
        text.push_str("# Before each of its trials weir ran, as its app.toml says:\n");
        for argv in &program.prepare {
            let _ = writeln!(text, "#   {}", one_line(&line(argv)));
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
    let _ = writeln!(text, "{argv} &\nstarted {name} {}", program.graceful());
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
    format!("env {} ", line(&all))
}

/// A command line; what it says of the address at which clients connect is known when it runs.
fn line(argv: &[String]) -> String {
    let words: Vec<String> = argv.iter().map(|of| word(of)).collect();
    words.join(" ")
}

/// One word of it. What stands around marks is quoted by itself.
fn word(text: &str) -> String {
    if text.is_empty() {
        return words::command(&[String::new()]);
    }
    let plain = |part: &str| {
        if part.is_empty() {
            return String::new();
        }
        words::command(&[part.to_owned()])
    };
    let with_ports = |part: &str| {
        let parts: Vec<String> = part.split(Deployed::PORT).map(plain).collect();
        parts.join("\"$port\"")
    };
    let parts: Vec<String> = text.split(Deployed::HOST).map(with_ports).collect();
    parts.join("\"$host\"")
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
mod tests {
    use super::*;

    #[test]
    fn what_is_known_when_the_script_runs_is_a_variable_of_it() {
        for (text, said) in [
            ("", "''"),
            ("a b", "'a b'"),
            ("@HOST@:@PORT@", "\"$host\":\"$port\""),
            ("PORT=@PORT@", "'PORT='\"$port\""),
            (
                "tcp://@HOST@:@PORT@?a=1&b",
                "tcp://\"$host\":\"$port\"'?a=1&b'",
            ),
        ] {
            assert_eq!(word(text), said);
        }
    }
}
