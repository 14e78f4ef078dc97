pub(crate) mod ask;
mod home;
mod once;
mod places;
pub(crate) mod tools;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use minijinja::context;
use minijinja::value::Serde;
use record::{Interface, Knob};

use crate::entry::{Catalogue, Entry, Kind, expression, words_of};
use crate::error::{Result, StackError, shortage};
use crate::process::{Captured, Exit, capture, capture_away};

pub(crate) use once::{keep, known, once};

/// Longest time a server may take to say its version.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);
/// Servers that are asked their version at once: each is a program that starts, and much of that is waiting.
const AT_ONCE: usize = 4;
/// Debian keeps servers here, and leaves these folders out of a user's PATH.
const SBIN: &str = "/usr/local/sbin:/usr/sbin:/sbin";

/// An installed server: which executable, which version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    pub(crate) program: Option<PathBuf>,
    pub(crate) version: String,
    /// The one that supervises it, if one does.
    pub(crate) supervisor: Option<Box<Identity>>,
}

/// What is there of one entry of the catalogue.
#[derive(Clone, Debug)]
pub struct Found {
    /// The entry's name.
    pub entry: String,
    /// Which side of the stack it stands on.
    pub kind: Kind,
    /// One line for people.
    pub title: String,
    /// Whether it is there.
    pub state: State,
    /// The user's file that replaces the built-in entry, if one does.
    pub overridden_by: Option<String>,
}

/// Whether a server is installed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// In this version.
    Version(String),
    /// It is not.
    Missing {
        /// How that was found out.
        why: String,
        /// The exact command that installs it, when one of its means is there.
        install: Option<String>,
    },
}

/// Looks for the servers of the catalogue that are wanted, those of Python in this interpreter.
pub fn probe(
    catalogue: &Catalogue,
    python: Option<&Path>,
    wanted: impl Fn(&Entry) -> bool,
) -> Vec<Found> {
    let found = |entry: &Entry| Found {
        entry: entry.name.clone(),
        kind: entry.kind,
        title: entry.title.clone(),
        state: match identify(entry, python) {
            Ok(identity) => State::Version(identity.version),
            Err(StackError::Missing { why, install, .. }) => State::Missing { why, install },
            Err(error) => State::Missing {
                why: error.to_string(),
                install: None,
            },
        },
        overridden_by: catalogue.overriding(&entry.name).map(str::to_owned),
    };
    let entries: Vec<&Entry> = catalogue.entries().filter(|entry| wanted(entry)).collect();
    let (next, all) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(entry) = entries.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = found(entry);
                    all.lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .push(found);
                }
            });
        }
    });
    let mut all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    all.sort_by(|one, other| one.entry.cmp(&other.entry));
    all
}

/// Makes sure that a server is installed.
///
/// # Errors
/// When it is missing, with the command that installs it.
pub fn require(entry: &Entry, python: Option<&Path>) -> Result<()> {
    identify(entry, python).map(|_| ())
}

/// Finds a server, with its knobs at their defaults, and asks its version.
pub(crate) fn identify(entry: &Entry, python: Option<&Path>) -> Result<Identity> {
    let interface = entry.runs.first().copied().unwrap_or(Interface::Static);
    let knobs = entry.settle(&BTreeMap::new(), interface, 1, None, None)?;
    identify_with(entry, &knobs, python)
}

/// Finds the server that these knobs choose, and asks its version.
pub(crate) fn identify_with(
    entry: &Entry,
    knobs: &BTreeMap<String, Knob>,
    python: Option<&Path>,
) -> Result<Identity> {
    let missing = |why: String| StackError::Missing {
        entry: entry.name.clone(),
        what: entry.title.clone(),
        why,
        install: install(entry, python),
    };
    let program = match &entry.find.program {
        Some(name) => {
            let found = lookup(name).or_else(|| places::look(name, &entry.find.folders));
            Some(found.ok_or_else(|| missing(format!("no `{name}` on PATH")))?)
        }
        None => None,
    };
    let knobs = words_of(knobs);
    let words =
        context! { python => Serde(python), program => Serde(&program), knobs => Serde(&knobs) };
    let asked = &entry.find.version;
    let word = |text: &String| match python {
        None if text.contains("python") => Err(missing("no Python is known".to_owned())),
        _ => expression::render(text, &words).map_err(|problem| StackError::Template {
            entry: entry.name.clone(),
            place: "find".to_owned(),
            problem,
        }),
    };
    let argv: Vec<_> = asked.argv.iter().map(word).collect::<Result<_, _>>()?;
    // a program that was replaced is another one
    let changed = argv
        .first()
        .map(|program| std::fs::metadata(program).and_then(|of| of.modified()).ok());
    let question = format!("{argv:?} {changed:?} {}", asked.pattern);
    let away = program.as_deref().is_some_and(home::is_needless);
    let version = once(question, || told(entry, &argv, away, &missing))?;
    Ok(Identity {
        program,
        version,
        supervisor: None,
    })
}

/// The version that a server tells when it is run for that. One that tells none away from home is asked at home: it may
/// find there what the command asks for, as an interpreter does that is asked for a package.
fn told(
    entry: &Entry,
    argv: &[String],
    away: bool,
    missing: &impl Fn(String) -> StackError,
) -> Result<String> {
    let command = argv.join(" ");
    let unrun = |error| missing(format!("`{command}`: {error}"));
    let pattern =
        regex::Regex::new(&entry.find.version.pattern).expect("checked when the entry was read");
    let version = |printed: &Captured| {
        let text = printed.everything();
        let found = pattern.captures(&text)?.get(1)?.as_str().to_owned();
        printed.succeeded().then_some(found)
    };
    let ask = |away: bool| {
        let printed = if away {
            capture_away(argv, PATIENCE)
        } else {
            capture(argv, None, &[], PATIENCE)
        };
        printed.map_err(|why| why.or(unrun))
    };
    let mut printed = ask(away)?;
    if away && version(&printed).is_none() && printed.exit.is_some() {
        printed = ask(false)?;
    }
    if let Some(version) = version(&printed) {
        return Ok(version);
    }
    let text = printed.everything();
    let said = || last_words(&text).unwrap_or_else(|| format!("`{command}` {}", printed.how()));
    Err(unasked(entry, &command, &printed).unwrap_or_else(|| missing(said())))
}

/// The error of a command that did not come to its own end: it said nothing of what is installed.
fn unasked(entry: &Entry, command: &str, printed: &Captured) -> Option<StackError> {
    let shortage = printed.shortage();
    let ended = matches!(printed.exit, Some(Exit::Code(_)));
    (shortage.is_some() || !ended).then(|| StackError::Unasked {
        entry: entry.name.clone(),
        command: command.to_owned(),
        problem: shortage.map_or_else(|| printed.how(), shortage::words),
        shortage,
    })
}

/// The last line that a command printed.
fn last_words(printed: &str) -> Option<String> {
    let mut lines = printed.lines().map(str::trim);
    lines.rfind(|line| !line.is_empty()).map(str::to_owned)
}

/// Whether a program can be run from this folder: by its path, or on this PATH.
pub fn is_there(program: &str, path: Option<&OsStr>, dir: &Path) -> bool {
    which::which_in(program, path, dir).is_ok()
}

fn lookup(program: &str) -> Option<PathBuf> {
    which::which(program)
        .or_else(|_| which::which_in(program, Some(SBIN), "/"))
        .ok()
}

/// The template of the command by which an entry is installed first of all.
pub(crate) fn install_of(entry: &Entry) -> Option<&str> {
    entry.install.values().next().map(String::as_str)
}

/// The first command that installs an entry with something that is there.
fn install(entry: &Entry, python: Option<&Path>) -> Option<String> {
    let words = context! { python => Serde(python.unwrap_or(Path::new("python3"))) };
    let texts = entry.install.values();
    let mut commands = texts.filter_map(|text| expression::render(text, &words).ok());
    commands.find(|command| {
        let first = command.split(' ').next();
        first.is_some_and(|first| lookup(first).is_some())
    })
}
