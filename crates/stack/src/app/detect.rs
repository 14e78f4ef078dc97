use std::path::{Path, PathBuf};
use std::time::Duration;

use record::{App, Interface, Route, StaticSite};
use serde::Deserialize;

use super::interpreter::{interpreter, nameable};
use crate::error::{Result, StackError, log};
use crate::process::capture;

/// Imports the app's module in the app's own interpreter and says what it found.
const LOOK: &str = include_str!("detect.py");
/// Longest time an import may take.
const PATIENCE: Duration = Duration::from_mins(1);

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

#[derive(Debug, Deserialize)]
struct Trouble {
    error: String,
    #[serde(default)]
    missing: Option<String>,
    #[serde(default)]
    module: String,
    #[serde(default)]
    callables: Vec<String>,
    #[serde(default)]
    traceback: Vec<String>,
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
    let trouble = |problem: String, hint: Option<String>, traceback| StackError::Detect {
        entry: entry.to_owned(),
        dir: dir.to_owned(),
        problem,
        hint,
        traceback,
    };
    let folder = dir
        .canonicalize()
        .map_err(|error| trouble(error.to_string().to_lowercase(), None, Vec::new()))?;
    nameable(&folder)?;
    let python = interpreter(&folder, python)?;
    let argv = [&python.display().to_string(), "-c", LOOK, entry].map(str::to_owned);
    let unrun = |error| trouble(format!("`{}`: {error}", python.display()), None, Vec::new());
    let printed = capture(&argv, Some(&folder), env, PATIENCE).map_err(|why| why.or(unrun))?;
    let said = printed.stdout.lines().last();
    match said.and_then(|line| serde_json::from_str(line).ok()) {
        Some(Look::Found(found)) => Ok(found.detected(folder, python)),
        Some(Look::Trouble(why)) => {
            let hint = why.hint(entry, &python);
            Err(trouble(why.error, hint, why.traceback))
        }
        None => Err(trouble(
            format!("importing it {}", printed.how()),
            Some("import it by hand with the same interpreter".to_owned()),
            log::last_lines(&printed.everything()),
        )),
    }
}

impl Trouble {
    fn hint(&self, entry: &str, python: &Path) -> Option<String> {
        let own = self.module.split('.').next();
        let python = python.display();
        match self.missing.as_deref() {
            Some(name) if Some(name) == own || name == self.module => Some(format!(
                "run it in the folder where `{name}` lies; `{entry}` means `{name}.py` or the package `{name}`"
            )),
            Some(name) => Some(format!("install it: {python} -m pip install {name}")),
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
