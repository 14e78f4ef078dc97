//! Other people's command lines, made to run here: at the address that weir gives, with the programs of
//! this machine.

use std::path::{Path, PathBuf};

use super::package::Package;

/// Shells that run the one line that they are given.
const SHELLS: [&str; 4] = ["sh", "bash", "/bin/sh", "/bin/bash"];
/// Words that end what only a shell can run as a whole.
const ENDS: [&str; 5] = ["fi", "done", "esac", "}", ")"];
/// How all addresses of a machine stand before a port that is a variable.
const EVERYWHERE: [&str; 3] = ["0.0.0.0:$", "[::]:$", "*:$"];
/// The command of Django's `manage.py` that serves.
const RUNSERVER: &str = "runserver";

/// The command of a line that serves, where the line does several things: its last, in the folder to which it goes
/// before, at the address that weir gives; and what is left out of it.
pub(super) fn serving(line: &str, unix: bool) -> (String, Vec<String>) {
    let inner = of_shell(line);
    let line = inner.as_deref().unwrap_or(line);
    let bare = |part: &str| {
        let part = part.trim();
        part.strip_prefix("exec ").unwrap_or(part).trim().to_owned()
    };
    let parts = parts(line);
    let Some((last, before)) = parts.split_last() else {
        return (addressed(line, unix), Vec::new());
    };
    let before = before.iter().map(|part| part.trim().to_owned());
    let (kept, left): (Vec<_>, _) = before.partition(|part| part.starts_with("cd "));
    let last = addressed(&bare(last), unix);
    let quoted = shlex::try_quote(&format!("{} && exec {last}", kept.join(" && "))).map(Into::into);
    match quoted {
        Ok(inside) if !kept.is_empty() => {
            let inside: String = inside;
            (format!("sh -c {inside}"), left)
        }
        _ => (last, left),
    }
}

/// What a line does, one thing after the other; nothing where it cannot be taken apart.
fn parts(line: &str) -> Vec<&str> {
    let parts = line.split("&&").flat_map(|part| part.split(';'));
    let whole = |part: &str| shlex::split(part).is_some();
    if parts.clone().all(whole) {
        parts.collect()
    } else {
        Vec::new()
    }
}

/// The line that a shell is given to run, where a command does nothing else: what it does before it serves is no part
/// of serving, as a migration of the user's database.
fn of_shell(line: &str) -> Option<String> {
    let line = line.trim();
    let line = line.strip_prefix("exec ").unwrap_or(line);
    let [shell, flag, inner] = <[String; 3]>::try_from(shlex::split(line)?).ok()?;
    let runs = SHELLS.contains(&shell.as_str()) && flag.starts_with('-') && flag.ends_with('c');
    let last = inner.split_whitespace().next_back()?;
    let apart = runs && !ENDS.contains(&last) && !parts(&inner).is_empty();
    apart.then_some(inner)
}

/// The command with the address that it names replaced by the one that weir gives it. What names a
/// variable has its port from outside already. A Unix socket stays one where `unix` says so.
pub(super) fn addressed(command: &str, unix: bool) -> String {
    let mut words: Vec<String> = Vec::new();
    for word in command.split_whitespace() {
        let joined = word.split_once('=');
        let replaced = joined.and_then(|(flag, value)| Some((flag, place(flag, value, unix)?)));
        let apart = words.last().and_then(|flag| place(flag, word, unix));
        let django = words.iter().any(|it| it == RUNSERVER);
        let told = is_address(word) || django && is_port(word);
        match (replaced, apart) {
            _ if word.contains('$') => words.push(nearby(word)),
            (Some((_, Stands::Instead(words_instead))), _) => words.push(words_instead.to_owned()),
            (Some((flag, Stands::Value(value))), _) => words.push(format!("{flag}={value}")),
            (None, Some(Stands::Value(value))) => words.push(value),
            (None, Some(Stands::Instead(words_instead))) => {
                words.pop();
                words.push(words_instead.to_owned());
            }
            (None, None) if told => words.push("$HOST:$PORT".to_owned()),
            (None, None) => words.push(word.to_owned()),
        }
    }
    // what is told no address takes port 8000
    if let Some(at) = words.iter().position(|word| word == RUNSERVER)
        && words[..at].iter().any(|word| word.ends_with("manage.py"))
        && !words[at..].iter().any(|word| word.contains("PORT"))
    {
        words.insert(at + 1, "$HOST:$PORT".to_owned());
    }
    words.join(" ")
}

/// A word that names variables, with the host in place of all addresses of the machine before a port: nobody else is to ask what
/// weir runs.
fn nearby(word: &str) -> String {
    EVERYWHERE
        .iter()
        .fold(word.to_owned(), |word, all| word.replace(all, "$HOST:$"))
}

/// Whether a word is a host's number and a port, as after `manage.py runserver`.
fn is_address(word: &str) -> bool {
    let address: Result<std::net::SocketAddr, _> = word.parse();
    address.is_ok()
}

/// Whether a word is what `manage.py runserver` takes as well: a port alone, or one behind a host's name.
fn is_port(word: &str) -> bool {
    let (host, port) = word.rsplit_once(':').unwrap_or(("", word));
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
    host.chars().all(plain) && port.parse::<u16>().is_ok()
}

enum Stands {
    /// Another value of the same flag.
    Value(String),
    /// Other words for flag and value.
    Instead(&'static str),
}

/// What stands for the value of a flag that says where to listen.
fn place(flag: &str, value: &str, unix: bool) -> Option<Stands> {
    let socket = value.starts_with("unix:") || value.contains(".sock");
    let scheme = value.find("://").map_or("", |end| &value[..end + 3]);
    let value = match flag {
        "-p" | "--port" | "--http-port" | "PORT" if value.parse::<u16>().is_ok() => {
            "$PORT".to_owned()
        }
        "--host" => "$HOST".to_owned(),
        "--uds" | "--fd" if unix => return Some(Stands::Instead("--uds $SOCKET")),
        "--uds" | "--fd" => return Some(Stands::Instead("--host $HOST --port $PORT")),
        "-b" | "--bind" | "--listen" | "--http" | "--http-socket" | "--socket"
        | "--uwsgi-socket" | "--fastcgi-socket" | "--scgi-socket" => match (socket, scheme) {
            (true, "") if unix && value.starts_with("unix:") => "unix:$SOCKET".to_owned(),
            (true, "") if unix => "$SOCKET".to_owned(),
            (true, _) if unix => format!("{scheme}$SOCKET"),
            (true, "") => "$HOST:$PORT".to_owned(),
            (true, _) => "tcp://$HOST:$PORT".to_owned(),
            // a name alone is the host of a server that is told its port by another flag
            (false, "") if flag.starts_with("-b") && !value.contains(':') => "$HOST".to_owned(),
            (false, scheme) => format!("{scheme}$HOST:$PORT"),
        },
        _ => return None,
    };
    Some(Stands::Value(value))
}

/// The command with programs of a virtual environment found in the one that is here: a unit names a path
/// of the machine it was written for, and a `Procfile` relies on an environment that is active. Programs of the packages
/// in `dir` are found as well.
pub(super) fn runnable(command: &str, dir: &Path, python: Option<&Path>) -> String {
    let words: Vec<String> = command.split_whitespace().map(at_home).collect();
    let command = words.join(" ");
    let bin = python.and_then(Path::parent).map(Path::to_owned);
    let folders = bin.into_iter().chain(packaged(&command, dir));
    with_path(&command, &folders.collect::<Vec<_>>())
}

/// A command as it is, with the programs of the packages in `dir` found, where it names one.
pub(super) fn with_packages(command: &str, dir: &Path) -> String {
    with_path(command, &packaged(command, dir))
}

/// The command with these folders looked through first; the others stay as they are where it runs.
fn with_path(command: &str, folders: &[PathBuf]) -> String {
    if folders.is_empty() {
        return command.to_owned();
    }
    let folders: Vec<String> = folders.iter().map(|folder| in_quotes(folder)).collect();
    format!("PATH=\"{}:$PATH\" {command}", folders.join(":"))
}

/// A path as it stands between double quotes of a shell.
fn in_quotes(path: &Path) -> String {
    let mut text = String::new();
    for c in path.display().to_string().chars() {
        if matches!(c, '"' | '$' | '`' | '\\') {
            text.push('\\');
        }
        text.push(c);
    }
    text
}

/// Folders of the programs of packages in `dir`, as far as a word of the command is the name of one.
fn packaged(command: &str, dir: &Path) -> Vec<PathBuf> {
    let words = command.split(|c: char| c.is_whitespace() || matches!(c, '"' | '\''));
    let names: Vec<&str> = words.filter(|word| !word.contains('/')).collect();
    let mut folders = Package::read(dir).map_or_else(Vec::new, |package| package.programs());
    folders.retain(|folder| names.iter().any(|name| folder.join(name).is_file()));
    folders
}

/// The program of a command, where it is not on this machine: neither installed, nor in the environment of a Python, nor
/// among the packages in the app's folder, nor in that folder.
pub(super) fn absent(command: &str, dir: &Path, python: Option<&Path>) -> Option<String> {
    let words = shlex::split(command)?;
    let program = words.into_iter().find(|word| !word.contains('='))?;
    let bin = python.and_then(Path::parent);
    let there = program.contains('$')
        || which::which_in(&program, std::env::var_os("PATH"), dir).is_ok()
        || bin.is_some_and(|bin| bin.join(&program).is_file())
        || !packaged(&program, dir).is_empty();
    (!there).then_some(program)
}

/// A program's name in place of a path that is not here.
fn at_home(word: &str) -> String {
    let path = Path::new(word);
    let bin = path.parent().is_some_and(|folder| folder.ends_with("bin"));
    match path.file_name().and_then(|name| name.to_str()) {
        Some(name) if bin && path.is_absolute() && !path.exists() => name.to_owned(),
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests;
