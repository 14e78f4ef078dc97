//! How a container runs the app: a compose file's `command`, or a Dockerfile's `ENTRYPOINT` and `CMD`.

use std::path::Path;

use serde::Deserialize;

use super::compose::{FILES, Service};
use super::text;

/// Programs that start another, whose words follow `--` or their own options.
const STARTERS: [&str; 3] = ["tini", "dumb-init", "catatonit"];
/// Programs that are no app: what stands before one, and what starts several.
const NO_APPS: &str = include_str!("no_apps.txt");

/// Variables that nobody misses outside of an image: addresses that weir gives itself, and how Python writes and pip installs.
const OF_IMAGES: [&str; 8] = [
    "PATH",
    "PORT",
    "HOST",
    "PYTHONUNBUFFERED",
    "PYTHONDONTWRITEBYTECODE",
    "PIP_NO_CACHE_DIR",
    "PIP_DISABLE_PIP_VERSION_CHECK",
    "DEBIAN_FRONTEND",
];

/// A command of a container, as a shell reads it.
#[derive(Debug, PartialEq)]
pub(super) struct Run {
    pub(super) command: String,
    pub(super) file: String,
    /// Variables that the container gives it, which may be secrets and are not taken over.
    pub(super) variables: Vec<String>,
}

/// What the folder's compose file or `Dockerfile` runs.
pub(super) fn find(dir: &Path) -> Option<Run> {
    let image = text(dir, "Dockerfile").map(|text| Image::read(&text));
    let service = FILES.iter().find_map(|file| {
        let service = Service::choose(&text(dir, file)?)?;
        Some((file, service))
    });
    let (file, words, mut variables) = match (service, &image) {
        (Some((file, service)), image) if service.says() => {
            let image = image.as_ref();
            let entry = service
                .entrypoint
                .or(image.and_then(|it| it.entrypoint.clone()));
            let command = service.command.or(image.and_then(|it| it.command.clone()));
            (*file, joined(entry, command), service.environment.names())
        }
        (_, Some(image)) => {
            let command = joined(image.entrypoint.clone(), image.command.clone());
            ("Dockerfile", command, Vec::new())
        }
        (_, None) => return None,
    };
    let (folder, more) = image.map_or_else(Default::default, |it| (it.folder, it.variables));
    variables.extend(more);
    variables.retain(|name| !OF_IMAGES.contains(&name.as_str()));
    variables.sort();
    variables.dedup();
    Some(Run {
        command: shell(words?, &folder, dir)?,
        file: file.to_owned(),
        variables,
    })
}

/// A command as both kinds of files write it: words, or a line.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(untagged)]
pub(super) enum Command {
    Words(Vec<String>),
    Line(String),
}

/// What Docker makes of the two: a line as the entry point takes no words.
fn joined(entry: Option<Command>, command: Option<Command>) -> Option<Command> {
    match (entry, command) {
        (Some(Command::Words(entry)), Some(Command::Words(words))) => {
            Some(Command::Words([entry, words].concat()))
        }
        (Some(Command::Words(entry)), Some(Command::Line(line))) => {
            let line = ["sh".to_owned(), "-c".to_owned(), line];
            Some(Command::Words(entry.into_iter().chain(line).collect()))
        }
        (entry, command) => entry.or(command).filter(|it| match it {
            Command::Words(words) => !words.is_empty(),
            Command::Line(line) => !line.trim().is_empty(),
        }),
    }
}

/// The command in the app's own folder, as a shell reads it; none where it is no app.
fn shell(command: Command, folder: &str, dir: &Path) -> Option<String> {
    let line = match command {
        Command::Line(line) => {
            let words = line.split(' ').map(|word| here(word, folder, dir));
            words.collect::<Vec<_>>().join(" ")
        }
        Command::Words(words) => line_of(words, folder, dir)?,
    };
    let program = line.split_whitespace().find(|word| !word.contains('='))?;
    let name = program.rsplit('/').next()?;
    (!NO_APPS.lines().any(|other| other == name)).then_some(line)
}

fn line_of(mut words: Vec<String>, folder: &str, dir: &Path) -> Option<String> {
    let name = |word: &str| word.rsplit('/').next().unwrap_or(word).to_owned();
    if STARTERS.contains(&name(words.first()?).as_str()) {
        let options = words[1..].iter().take_while(|it| it.starts_with('-'));
        words.drain(..=options.count());
    }
    for word in &mut words {
        *word = here(word, folder, dir);
    }
    // A script of the image that prepares what follows is not here.
    let lost =
        |word: &str| word.starts_with('/') && !word.contains("/bin/") && !Path::new(word).exists();
    if words.len() > 1 && lost(&words[0]) {
        words.remove(0);
    }
    match words.as_slice() {
        [sh, flag, line] if ["sh", "bash"].contains(&name(sh).as_str()) && flag.ends_with('c') => {
            Some(line.clone())
        }
        words => {
            let quoted = words.iter().map(|word| {
                if word.contains('$') {
                    Ok(format!("\"{}\"", word.replace(['"', '\\', '`'], "")))
                } else {
                    shlex::try_quote(word).map(Into::into)
                }
            });
            Some(quoted.collect::<Result<Vec<String>, _>>().ok()?.join(" "))
        }
    }
}

/// A word that names the image's folder, or a file of it that lies in the app's own folder, with that in its place:
/// alone, in quotes, or as the value of an option.
fn here(word: &str, folder: &str, dir: &Path) -> String {
    let named = || {
        let (before, rest) = word.split_once(folder)?;
        let begins = before.is_empty() || before.ends_with(['"', '\'', '=']);
        let end = rest.find(['"', '\'']).unwrap_or(rest.len());
        let (path, after) = rest.split_at(end);
        let inside = if path.is_empty() {
            ".".to_owned()
        } else {
            let file = path.strip_prefix('/')?;
            let there = dir.join(file).exists();
            there.then(|| format!("./{file}"))?
        };
        begins.then(|| format!("{before}{inside}{after}"))
    };
    let own = folder.starts_with('/').then(named).flatten();
    own.unwrap_or_else(|| word.to_owned())
}

/// What the last stage of a `Dockerfile` says.
#[derive(Debug, Default)]
struct Image {
    entrypoint: Option<Command>,
    command: Option<Command>,
    folder: String,
    variables: Vec<String>,
}

impl Image {
    fn read(text: &str) -> Self {
        let mut image = Self::default();
        let lines = text
            .lines()
            .filter(|line| !line.trim_start().starts_with('#'));
        let lines = lines.collect::<Vec<_>>().join("\n");
        for line in lines.replace("\\\n", " ").lines() {
            let (word, rest) = line
                .trim()
                .split_once(char::is_whitespace)
                .unwrap_or_default();
            let rest = rest.trim();
            let command = || {
                let words = serde_json::from_str(rest).map(Command::Words);
                Some(words.unwrap_or_else(|_| Command::Line(rest.to_owned())))
            };
            match word.to_ascii_uppercase().as_str() {
                "FROM" => image = Self::default(),
                "WORKDIR" => rest.trim_end_matches('/').clone_into(&mut image.folder),
                "ENTRYPOINT" => image.entrypoint = command(),
                "CMD" => image.command = command(),
                "ENV" => image.variables.extend(names(rest)),
                _ => {}
            }
        }
        image
    }
}

/// The names that an `ENV` gives values: `A=b C=d`, or `A b`.
fn names(rest: &str) -> Vec<String> {
    let words = shlex::split(rest).unwrap_or_default();
    let pairs = words.iter().filter_map(|word| word.split_once('='));
    let names: Vec<_> = pairs.map(|(name, _)| name.to_owned()).collect();
    if names.is_empty() {
        words.into_iter().take(1).collect()
    } else {
        names
    }
}

#[cfg(test)]
mod tests;
