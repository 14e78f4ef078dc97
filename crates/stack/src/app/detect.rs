use std::path::{Path, PathBuf};
use std::time::Duration;

use record::{App, Interface, Route, StaticSite};
use serde::Deserialize;

use super::interpreter::{interpreter, nameable};
use super::lists;
use crate::error::{AppError, Result, log};
use crate::process::{Unrun, capture};

/// Imports the app's module in the app's own interpreter and says what it found.
const LOOK: &str = include_str!("detect.py");
/// Longest time an import may take.
const PATIENCE: Duration = Duration::from_mins(1);
/// Variables that are named in an error, and characters of such a name.
const NAMES: usize = 8;
const NAME: usize = 64;
/// How what no server can load is served.
const BY_COMMAND: &str =
    "`weir try --command 'python FILE …'` with its arguments, and $PORT for its port";

/// An app that weir found out about by itself.
#[derive(Clone, Debug)]
pub struct Detected {
    /// The app, with `/` as its one route.
    pub app: App,
    /// The framework it is written with, and its version.
    pub framework: Option<(String, String)>,
    /// The one name by which it lets itself be asked for, where `localhost` is none.
    pub host: Option<String>,
    /// What its user should know.
    pub notes: Vec<String>,
}

/// What the interpreter said.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Look {
    Found(Found),
    Trouble(Trouble),
}

#[derive(Debug, Deserialize)]
struct Found {
    entry: String,
    interface: Interface,
    framework: Option<(String, String)>,
    #[serde(rename = "static")]
    site: Option<StaticSite>,
    #[serde(default)]
    host: Option<String>,
    #[serde(default)]
    notes: Vec<String>,
}

/// Why a module is no app.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Trouble {
    error: String,
    /// The module that it imports and that is not there.
    pub(crate) missing: Option<String>,
    /// Variables that it looks for in its environment.
    unset: Vec<String>,
    /// To import it ends the process.
    ends: bool,
    /// It loads, and holds nothing that a server could call.
    pub(crate) none: bool,
    module: String,
    /// What makes an app in it, and wants to be given something for that.
    maker: Option<String>,
    callables: Vec<String>,
    pub(crate) traceback: Vec<String>,
    /// What to do, where this is known before the module says anything.
    #[serde(skip)]
    hint: Option<String>,
}

/// Finds out what `module:callable` (or `module` alone) in a folder is, by importing it.
///
/// The interpreter is chosen as in [`crate::app::read`], and given these additions to its environment.
///
/// # Errors
/// No interpreter; a module that does not import (with the end of the traceback); nothing in it that
/// a server could call.
pub fn detect(
    entry: &str,
    dir: &Path,
    python: Option<&Path>,
    env: &[(String, String)],
) -> Result<Detected> {
    let trouble = |problem: String| AppError::Detect {
        entry: entry.to_owned(),
        dir: dir.to_owned(),
        problem,
        hint: None,
        traceback: Vec::new(),
    };
    let folder = dir
        .canonicalize()
        .map_err(|error| trouble(error.to_string().to_lowercase()))?;
    nameable(&folder)?;
    let python = interpreter(&folder, python)?;
    match look(entry, &folder, &python, env) {
        Ok(Ok(found)) => Ok(found),
        Ok(Err(why)) => Err(why.of(entry, dir, &python).into()),
        Err(why) => {
            let unrun = |error| trouble(format!("`{}`: {error}", python.display())).into();
            Err(why.or(unrun))
        }
    }
}

/// What a module of a folder is, both by their full names, or why it is no app.
pub(crate) fn look(
    entry: &str,
    dir: &Path,
    python: &Path,
    env: &[(String, String)],
) -> Result<Result<Detected, Trouble>, Unrun> {
    let argv = [&python.display().to_string(), "-c", LOOK, entry].map(str::to_owned);
    let printed = capture(&argv, Some(dir), env, PATIENCE)?;
    let said = printed.stdout.lines().last();
    Ok(
        match said.and_then(|line| serde_json::from_str(line).ok()) {
            Some(Look::Found(found)) => Ok(found.detected(dir.to_owned(), python.to_owned())),
            Some(Look::Trouble(mut why)) => {
                if why.ends {
                    why.traceback = log::last_lines(&printed.stderr);
                }
                Err(why)
            }
            None => Err(Trouble {
                error: format!("importing it {}", printed.how()),
                hint: Some(match printed.exit {
                    Some(_) => "import it by hand with the same interpreter".to_owned(),
                    None => format!(
                        "a module that serves as soon as it is imported cannot be loaded by a server: {BY_COMMAND}"
                    ),
                }),
                traceback: log::last_lines(&printed.everything()),
                ..Trouble::default()
            }),
        },
    )
}

impl Trouble {
    /// The error that ends the search.
    fn of(self, entry: &str, dir: &Path, python: &Path) -> AppError {
        AppError::Detect {
            entry: entry.to_owned(),
            dir: dir.to_owned(),
            problem: self.problem(),
            hint: self.hint(entry, dir, python),
            traceback: self.traceback,
        }
    }

    /// What went wrong, with what the environment lacks by name.
    pub(crate) fn problem(&self) -> String {
        let unset = self.unset();
        if self.ends {
            let said = log::cause(&self.traceback);
            return format!("importing it ends the program ({}): {said}", self.error);
        }
        match unset.as_slice() {
            [] => self.error.clone(),
            [one] => format!("{}: the variable {one} is not set", self.error),
            some => format!(
                "{}: the variables {} are not set",
                self.error,
                some.join(", ")
            ),
        }
    }

    /// The variables that it misses, as far as they are names.
    fn unset(&self) -> Vec<&str> {
        let name = |name: &&str| {
            let character = |c: char| c.is_ascii_alphanumeric() || c == '_';
            (1..=NAME).contains(&name.len()) && name.chars().all(character)
        };
        let names = self.unset.iter().map(String::as_str);
        names.filter(name).take(NAMES).collect()
    }

    /// What to type.
    pub(crate) fn hint(&self, entry: &str, dir: &Path, python: &Path) -> Option<String> {
        if self.hint.is_some() {
            return self.hint.clone();
        }
        if let [first, ..] = self.unset()[..] {
            let file = input::text(&dir.join(".env")).unwrap_or_default();
            let there = file.lines().any(|line| line.contains(first));
            return Some(if there {
                format!(
                    "`.env` has {first}, and weir reads no such file: `set -a; . ./.env; set +a`"
                )
            } else {
                format!("set it: `export {first}=…`")
            });
        }
        if self.ends {
            return Some(format!("where it serves by itself: {BY_COMMAND}"));
        }
        if let Some(maker) = &self.maker {
            let module = entry.split(':').next().unwrap_or(entry);
            return Some(format!(
                "say what it is given: `weir try '{module}:{maker}(\"…\")'`"
            ));
        }
        let own = self.module.split('.').next();
        match self.missing.as_deref() {
            Some(name) if Some(name) == own || name == self.module => Some(format!(
                "run it in the folder where `{name}` lies; `{entry}` means `{name}.py` or the package `{name}`"
            )),
            Some(name) => Some(lists::install(dir, python).unwrap_or_else(|| {
                let python = python.display();
                format!("install it: {python} -m pip install {name}")
            })),
            None if self.callables.is_empty() => None,
            None => Some(format!("callables in it: {}", self.callables.join(", "))),
        }
    }
}

impl Found {
    fn detected(self, dir: PathBuf, python: PathBuf) -> Detected {
        let module = self.entry.split(':').next().unwrap_or(&self.entry);
        let frameworks = self.framework.iter().map(|(name, _)| name.clone());
        Detected {
            app: App {
                name: module.to_owned(),
                dir,
                interface: self.interface,
                frameworks: frameworks.collect(),
                entry: self.entry,
                python: Some(python),
                routes: vec![Route::get("/")],
                site: self.site,
                ..App::default()
            },
            framework: self.framework,
            host: self.host,
            notes: self.notes,
        }
    }
}
