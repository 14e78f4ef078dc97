//! The command that starts a project of Node, out of what its `package.json` has for its developers.

use super::command::{addressed, serving};
use super::package::Package;
use crate::error::log;

/// Files that are started by custom, where `package.json` does not say.
const CUSTOM: [&str; 5] = [
    "server.js",
    "app.js",
    "index.js",
    "bin/www",
    ".output/server/index.mjs",
];
/// Files that are, or are sources of pages: those whose text listens.
const LISTENING: [&str; 4] = [
    "src/server.js",
    "src/index.js",
    "src/app.js",
    "build/index.js",
];
/// Scripts that serve what was built, by custom.
const DEPLOYED: [&str; 4] = ["start:prod", "start:production", "serve", "prod"];
/// What compiles a source at each start.
const COMPILES: [&str; 6] = [
    "nest start",
    "ts-node",
    "ts-node-dev",
    "ts-node-esm",
    "tsx",
    "babel-node",
];
/// What serves pages to their developer.
const DEVELOPS: [&str; 14] = [
    "ng serve",
    "react-scripts start",
    "craco start",
    "react-app-rewired start",
    "vite",
    "next dev",
    "nuxt dev",
    "gatsby develop",
    "docusaurus start",
    "vue-cli-service serve",
    "webpack serve",
    "webpack-dev-server",
    "astro dev",
    "svelte-kit dev",
];
/// Options of nodemon with a value, and without one, that say what it watches.
const WATCHED: [&str; 11] = [
    "--watch", "-w", "--ext", "-e", "--ignore", "-i", "--delay", "-d", "--signal", "-s", "--config",
];
const WATCHING: [&str; 10] = [
    "-q",
    "--quiet",
    "-V",
    "--verbose",
    "-L",
    "--legacy-watch",
    "-C",
    "--on-change-only",
    "-I",
    "--no-stdin",
];
/// Options of Node whose value may stand behind them as a word of its own.
const VALUED: [(&str, &str); 7] = [
    ("-r", "--require"),
    ("--require", "--require"),
    ("--import", "--import"),
    ("--loader", "--loader"),
    ("--experimental-loader", "--experimental-loader"),
    ("--env-file", "--env-file"),
    ("--conditions", "--conditions"),
];
/// Scripts that are followed where one calls another.
const CALLS: usize = 4;

/// How a project is started.
pub(super) struct Started {
    pub(super) command: String,
    /// What said so, and what is not done that is done before it.
    pub(super) clues: Vec<String>,
}

/// The command that starts a project at the address that weir gives.
/// Errors: in words, why there is none.
pub(super) fn started(package: &Package) -> Result<Started, String> {
    let Some(start) = package.script("start") else {
        return by_file(package);
    };
    let (command, left) = command_of(package, start);
    let begins = |words: &&str| behind(&command, words).is_some();
    let develops = DEVELOPS.iter().any(begins) && !begins(&"vite preview");
    let shown = log::as_line(start);
    if develops || COMPILES.iter().any(begins) {
        let deployed = DEPLOYED.into_iter().find_map(|name| {
            let (command, left) = command_of(package, package.script(name)?);
            run_by_node(&command)?;
            Some((name, command, left))
        });
        if let Some((name, command, left)) = deployed {
            let clue = format!(
                "`package.json` starts what is built by its script `{name}`, and by `start` what is not (`{shown}`)"
            );
            return Ok(Started::new(command, clue, &left));
        }
    }
    if develops {
        return Err(format!(
            "`package.json` starts a development server (`{shown}`)"
        ));
    }
    let clue = format!("`package.json` starts it with `{shown}`");
    Ok(Started::new(command, clue, &left))
}

impl Started {
    fn new(command: String, clue: String, left: &[String]) -> Self {
        let note = |command: &String| {
            let command = log::as_line(command);
            format!("`{command}` before it is not run: run it yourself where the app needs it")
        };
        let clues = [clue].into_iter().chain(left.iter().map(note)).collect();
        Self { command, clues }
    }
}

/// A file that is there, as `package.json` names it or as it is called by custom.
fn by_file(package: &Package) -> Result<Started, String> {
    let there = |file: &&str| package.dir.join(file).is_file();
    let listens = |file: &&str| {
        let text = input::text(&package.dir.join(file)).unwrap_or_default();
        text.contains("listen(")
    };
    let named = package.main().into_iter().chain(CUSTOM);
    let mut files = named.chain(LISTENING.into_iter().filter(listens));
    let file = files.find(there);
    let quoted = file.and_then(|file| Some((file, shlex::try_quote(file).ok()?)));
    let Some((file, quoted)) = quoted else {
        return Err(format!(
            "`package.json` has neither a `start` script nor a file to start (`main`, `{}`)",
            CUSTOM.join("`, `")
        ));
    };
    let clue = format!("`package.json` is there, and `{}`", log::as_line(file));
    Ok(Started::new(format!("node {quoted}"), clue, &[]))
}

/// The command of a script, without what builds and what watches; and what is left out of it.
fn command_of(package: &Package, script: &str) -> (String, Vec<String>) {
    let (mut command, mut left) = (script.to_owned(), Vec::new());
    for _ in 0..CALLS {
        let (last, before) = serving(&command, false);
        left.extend(before);
        let next = unwatched(&last).or_else(|| called(package, &last).map(str::to_owned));
        let Some(next) = next else {
            return (for_node(&last), left);
        };
        command = next;
    }
    (addressed(&command, false), left)
}

/// The script that a command calls and nothing else.
fn called<'a>(package: &'a Package, command: &str) -> Option<&'a str> {
    let words: Vec<&str> = command.split_whitespace().collect();
    let name = match words[..] {
        ["npm" | "pnpm" | "yarn", "start"] => "start",
        ["npm" | "pnpm" | "yarn" | "bun", "run" | "run-script", name] | ["pnpm" | "yarn", name] => {
            name
        }
        _ => return None,
    };
    package.script(name)
}

/// A command without the variables that are set before its program.
fn program(command: &str) -> &str {
    let mut rest = command;
    while let Some((word, after)) = rest.split_once(' ')
        && (word.contains('=') || word == "cross-env")
    {
        rest = after;
    }
    rest
}

/// What stands behind a command's program and first words, if they are these.
fn behind<'a>(command: &'a str, words: &str) -> Option<&'a str> {
    let program = program(command);
    let program = program.strip_prefix("npx ").unwrap_or(program);
    let rest = program.strip_prefix(words)?;
    (rest.is_empty() || rest.starts_with(' ')).then_some(rest)
}

/// The variables of a command, and another program behind them.
fn with_variables(command: &str, runs: &str) -> String {
    let before = &command[..command.len() - program(command).len()];
    let variables = before.split_whitespace().filter(|word| word.contains('='));
    variables.chain([runs]).collect::<Vec<_>>().join(" ")
}

/// What nodemon runs, which watches for changes: that is no way to serve.
fn unwatched(command: &str) -> Option<String> {
    let words = shlex::split(behind(command, "nodemon")?)?;
    let (mut runs, mut kept) = (None, Vec::new());
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let flag = word.split('=').next().unwrap_or_default();
        if ["--exec", "-x"].contains(&word.as_str()) {
            runs = words.next();
        } else if let Some(own) = word.strip_prefix("--exec=") {
            runs = Some(own.to_owned());
        } else if WATCHED.contains(&word.as_str()) {
            words.next();
        } else if word == "--" {
            kept.extend(words.by_ref());
        } else if !WATCHED.contains(&flag)
            && !WATCHING.contains(&flag)
            && !flag.starts_with("--inspect")
        {
            kept.push(word);
        }
    }
    let compiled = kept.iter().any(|word| word.strip_suffix(".ts").is_some());
    let program = if compiled { "ts-node" } else { "node" };
    let runs = runs.unwrap_or_else(|| program.to_owned());
    if kept.is_empty() && runs == "node" {
        kept.push(".".to_owned());
    }
    let kept = kept.iter().map(|word| {
        if word.contains('$') {
            return Some(format!("\"{}\"", word.replace(['"', '\\', '`'], "")));
        }
        Some(shlex::try_quote(word).ok()?.into_owned())
    });
    let words: Option<Vec<String>> = [Some(runs)].into_iter().chain(kept).collect();
    Some(with_variables(command, &words?.join(" ")))
}

/// A command of Node without what watches and inspects, and with the values of its options in the same words: what
/// stands first without a dash is the file.
fn for_node(command: &str) -> String {
    let Some(rest) = program(command).strip_prefix("node ") else {
        return command.to_owned();
    };
    let mut kept = vec!["node".to_owned()];
    let mut words = rest.split(' ');
    while let Some(word) = words.next() {
        let valued = VALUED.iter().find(|(option, _)| *option == word);
        let watches = word == "--watch" || word.starts_with("--watch-path=");
        if let Some((_, option)) = valued {
            kept.extend(words.next().map(|value| format!("{option}={value}")));
        } else if !watches && !word.starts_with("--inspect") {
            kept.push(word.to_owned());
            if !word.starts_with('-') {
                kept.extend(words.by_ref().map(str::to_owned));
            }
        }
    }
    with_variables(command, &kept.join(" "))
}

/// The file that a command has Node run.
fn run_by_node(command: &str) -> Option<&str> {
    let words = program(command).strip_prefix("node ")?;
    words.split(' ').find(|word| !word.starts_with('-'))
}

/// The file that a command has Node run, where that is not there.
pub(super) fn lost<'a>(command: &'a str, package: &'a Package) -> Option<&'a str> {
    let file = run_by_node(command)?;
    let file = package.main().filter(|_| file == ".").unwrap_or(file);
    let plain = !file.contains(['$', '"', '\'', '\\', '*']);
    let ends = ["", ".js", ".cjs", ".mjs", "/index.js"];
    let there = |end: &&str| package.dir.join(format!("{file}{end}")).exists();
    (plain && !ends.iter().any(there)).then_some(file)
}
