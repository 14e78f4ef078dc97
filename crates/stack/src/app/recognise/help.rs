//! How a program is told its address, by what it says itself when it is asked for help.

use std::path::{Path, PathBuf};
use std::time::Duration;

use regex::Regex;

use super::command::{addressed, runnable};
use crate::app::interpreter::interpreter;
use crate::process::capture;

/// Options for a port, for the host beside it, and for both in one word, the likeliest first.
const PORTS: [&str; 6] = [
    "--port",
    "--http-port",
    "--listen-port",
    "--server-port",
    "--bind-port",
    "-p",
];
const HOSTS: [&str; 7] = [
    "--host",
    "--hostname",
    "--bind-address",
    "--listen-address",
    "--address",
    "--ip",
    "--interface",
];
const BOTH: [&str; 6] = [
    "--bind",
    "--listen",
    "--http",
    "--addr",
    "--http-address",
    "--address",
];
/// Commands of a program that serve.
const SERVE: [&str; 8] = [
    "serve",
    "server",
    "runserver",
    "run",
    "web",
    "ui",
    "start",
    "http",
];
/// What runs a file or a script: that it is asked for help says nothing of them, and to ask them may be to start them.
const INTERPRETERS: [&str; 16] = [
    "python", "python3", "node", "deno", "bun", "ruby", "php", "java", "sh", "bash", "npm", "npx",
    "yarn", "make", "bundle", "cargo",
];
/// A program in an interpreter takes seconds to start on a busy machine; one that serves at once is stopped.
const PATIENCE: Duration = Duration::from_secs(15);
/// Characters of an answer that are read.
const LENGTH: usize = 1 << 18;

/// A command that the user gave, with what tells it its address; and what said so.
pub(super) fn told(command: &str, dir: &Path, python: Option<&Path>) -> (String, Option<String>) {
    let found = at_home(command, dir, python);
    let command = found.as_ref().map_or_else(
        || command.to_owned(),
        |python| runnable(command, dir, Some(python)),
    );
    if command.split_whitespace().any(|word| {
        ["PORT", "SOCKET", "HOST"]
            .iter()
            .any(|name| names(word, name))
    }) {
        return (command, None);
    }
    let moved = addressed(&command, false);
    if moved.contains("$PORT") {
        return (
            moved,
            Some("it is given another address than the one in it".to_owned()),
        );
    }
    let bin = found.as_deref().and_then(Path::parent);
    match plain(&command).and_then(|words| options(&words, dir, bin)) {
        Some(options) => {
            let clue = format!("its `--help` names `{options}`");
            (format!("{command} {options}"), Some(clue))
        }
        None => (command, Some(
            "nothing in it or in its `--help` says how it is told its address: weir sets PORT and HOST; else write $PORT where the port stands".to_owned(),
        )),
    }
}

/// The command of a program that serves, by its own help: the program itself, or one of its commands.
pub(super) fn serving(program: &Path, dir: &Path) -> Option<String> {
    let program = program.to_str()?;
    let help = ask(&[program.to_owned()], dir, None)?;
    let quoted = shlex::try_quote(program).ok()?;
    if let Some(options) = read(&help) {
        return Some(format!("{quoted} {options}"));
    }
    let command = |name: &&str| {
        let pattern = format!(r"(?m)^\s+{name}\*?(?:\s|$)|[{{,]{name}[,}}]");
        Regex::new(&pattern).expect("written here").is_match(&help)
    };
    SERVE.into_iter().filter(command).find_map(|name| {
        let help = ask(&[program.to_owned(), name.to_owned()], dir, None)?;
        Some(format!("{quoted} {name} {}", read(&help)?))
    })
}

/// Whether a word names a variable of the shell.
fn names(word: &str, name: &str) -> bool {
    word.contains(&format!("${name}")) || word.contains(&format!("${{{name}"))
}

/// The Python of the app's environment, if a command's program is in it and not where this process looks.
fn at_home(command: &str, dir: &Path, python: Option<&Path>) -> Option<PathBuf> {
    let program = command
        .split_whitespace()
        .find(|word| !word.contains('='))?;
    if which::which(program).is_ok() || program.contains('/') {
        return None;
    }
    let python = interpreter(&dir.canonicalize().ok()?, python).ok()?;
    python.with_file_name(program).is_file().then_some(python)
}

/// The words of a command that is one program and nothing for a shell; its variables are left out.
fn plain(command: &str) -> Option<Vec<String>> {
    let shells = |c: char| "|;&<>()`$*?".contains(c);
    let words = shlex::split(command)?;
    let words: Vec<_> = words
        .into_iter()
        .skip_while(|word| word.contains('='))
        .collect();
    let name = words.first()?.rsplit('/').next()?;
    let asked = !INTERPRETERS.contains(&name) && !words.iter().any(|word| word.contains(shells));
    asked.then_some(words)
}

fn options(words: &[String], dir: &Path, bin: Option<&Path>) -> Option<String> {
    read(&ask(words, dir, bin)?)
}

/// What a program prints with `--help`.
fn ask(words: &[String], dir: &Path, bin: Option<&Path>) -> Option<String> {
    let mut argv = words.to_vec();
    if let Some(own) = bin
        .map(|bin| bin.join(&words[0]))
        .filter(|own| own.is_file())
    {
        own.to_str()?.clone_into(&mut argv[0]);
    }
    argv.push("--help".to_owned());
    // as wide as no option's line is, and without colours
    let env = [("COLUMNS", "200"), ("NO_COLOR", "1"), ("TERM", "dumb")];
    let env = env.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let said = capture(&argv, Some(&dir.canonicalize().ok()?), &env, PATIENCE).ok()?;
    said.exit?;
    Some(said.everything().chars().take(LENGTH).collect())
}

/// The options that tell an address, with what they take.
fn read(help: &str) -> Option<String> {
    let there = |option: &&str| {
        let pattern = format!(
            r"(?m)^[\s│|\[]*(?:\S+[ ,/|]+(?:\S+, )?)?{option}(?:[\s,=\[\]<]|$)|\[{option}[ =]"
        );
        Regex::new(&pattern).expect("written here").is_match(help)
    };
    let host = || HOSTS.into_iter().find(there);
    if let Some(port) = PORTS.into_iter().find(there) {
        let host = host().map_or_else(String::new, |host| format!("{host} $HOST "));
        return Some(format!("{host}{port} $PORT"));
    }
    let both = BOTH.into_iter().find(there)?;
    Some(format!("{both} $HOST:$PORT"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_of_a_help_text_are_read() {
        for (help, options) in [
            (
                "Options:\n  -i, --immutable PATH\n  -h, --host TEXT    Host\n  -p, --port INTEGER RANGE  Port\n",
                "--host $HOST --port $PORT",
            ),
            (
                "usage: a [-h] [--port PORT] file\n\noptions:\n  --port PORT  where\n",
                "--port $PORT",
            ),
            ("│ --port        INTEGER  [default: 80] │\n", "--port $PORT"),
            (
                "  --bind=ADDRESS  where\n  --portable  no\n",
                "--bind $HOST:$PORT",
            ),
            ("  -b ADDRESS, --bind ADDRESS\n", "--bind $HOST:$PORT"),
        ] {
            assert_eq!(read(help).as_deref(), Some(options), "{help}");
        }
        assert_eq!(
            read("it listens at --port, or not\n  --export FILE\n"),
            None
        );
    }

    #[test]
    fn only_a_program_and_its_words_are_asked() {
        let words = |command: &str| plain(command).map(|words| words.join(" "));
        assert_eq!(
            words("A=b shop 'a b' serve"),
            Some("shop a b serve".to_owned())
        );
        for command in [
            "python3 app.py",
            "rm x; shop",
            "shop > file",
            "shop $(rm x)",
            "a | b",
            "",
            "'",
        ] {
            assert_eq!(words(command), None, "{command}");
        }
    }
}
