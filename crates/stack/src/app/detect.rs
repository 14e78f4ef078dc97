use std::path::{Path, PathBuf};
use std::time::Duration;

use record::{App, Interface, Route, StaticSite};
use serde::Deserialize;

use super::interpreter::{interpreter, nameable};
use super::trouble::{BY_COMMAND, Trouble};
use crate::error::{AppError, Result, log};
use crate::process::{Unrun, capture};

/// Imports the app's module in the app's own interpreter and says what it found.
const LOOK: &str = include_str!("detect.py");

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
    /// Where it has no page at `/`, the paths that it has pages at; those that can be typed as they are come first.
    pub elsewhere: Option<Vec<String>>,
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
    #[serde(default)]
    elsewhere: Option<Vec<String>>,
}

/// Finds out what `module:callable` (or `module` alone) in a folder is, by importing it.
///
/// The interpreter is chosen as in [`crate::app::read`], and given these additions to its environment; the import may take so
/// long.
///
/// # Errors
/// No interpreter; a module that does not import (with the end of the traceback); nothing in it that
/// a server could call.
pub fn detect(
    entry: &str,
    dir: &Path,
    python: Option<&Path>,
    env: &[(String, String)],
    patience: Duration,
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
    match look(entry, &folder, &python, env, patience) {
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
    patience: Duration,
) -> Result<Result<Detected, Trouble>, Unrun> {
    let argv = [&python.display().to_string(), "-c", LOOK, entry].map(str::to_owned);
    let printed = capture(&argv, Some(dir), env, patience)?;
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
            None => {
                let hint = match printed.exit {
                    Some(_) => "import it by hand with the same interpreter".to_owned(),
                    None => format!(
                        "a module that serves as soon as it is imported cannot be loaded by a server: {BY_COMMAND}"
                    ),
                };
                let error = format!("importing it {}", printed.how());
                let last = log::last_lines(&printed.everything());
                Err(Trouble::unsaid(error, hint, last))
            }
        },
    )
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
            elsewhere: self.elsewhere,
        }
    }
}
