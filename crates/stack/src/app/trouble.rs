//! Why a module is no app, and what to type.

use std::path::Path;

use serde::Deserialize;

use super::lists;
use crate::error::{AppError, log};

/// Variables that are named in an error, and characters of such a name.
const NAMES: usize = 8;
const NAME: usize = 64;
/// How what no server can load is served.
pub(super) const BY_COMMAND: &str =
    "`weir try --command 'python FILE …'` with its arguments, and $PORT for its port";
/// What Python says of a module of a package that is loaded as one without.
const RELATIVE: &str = "attempted relative import with no known parent package";

/// Why a module is no app.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Trouble {
    error: String,
    /// The module that it imports and that is not there.
    pub(super) missing: Option<String>,
    /// The module of Python's own that has nearly that name.
    meant: Option<String>,
    /// Where that is of the app's own package.
    lost: Option<Lost>,
    /// Variables that it looks for in its environment.
    unset: Vec<String>,
    /// To import it ends the process.
    pub(super) ends: bool,
    /// It loads, and holds nothing that a server could call.
    pub(super) none: bool,
    module: String,
    /// What makes an app in it, and wants to be given something for that.
    maker: Option<String>,
    callables: Vec<String>,
    pub(super) traceback: Vec<String>,
    /// What to do, where this is known before the module says anything.
    #[serde(skip)]
    hint: Option<String>,
}

/// A module of the app's own package that is not there.
#[derive(Debug, Deserialize)]
struct Lost {
    /// The file that it would be, from the app's folder on.
    file: String,
    /// Its name in its package.
    module: String,
    /// The modules that its package has.
    beside: Vec<String>,
}

impl Lost {
    fn hint(&self) -> String {
        let beside = self.beside.iter().map(String::as_str);
        let meant = record::meant(&self.module, beside, || "mend the import".to_owned());
        format!("there is no `{}`: {meant}", self.file)
    }
}

impl Trouble {
    /// That of a module whose import ended without a word about it: what is known of it, what to do, and what it printed last.
    pub(super) fn unsaid(error: String, hint: String, traceback: Vec<String>) -> Self {
        Self {
            error,
            hint: Some(hint),
            traceback,
            ..Self::default()
        }
    }

    /// The error that ends the search.
    pub(super) fn of(self, entry: &str, dir: &Path, python: &Path) -> AppError {
        AppError::Detect {
            entry: entry.to_owned(),
            dir: dir.to_owned(),
            problem: self.problem(),
            hint: self.hint(entry, dir, python),
            traceback: self.traceback,
        }
    }

    /// What went wrong, with what the environment lacks by name.
    pub(super) fn problem(&self) -> String {
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
    pub(super) fn hint(&self, entry: &str, dir: &Path, python: &Path) -> Option<String> {
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
        if self.error.contains(RELATIVE) {
            return Some(outside(dir));
        }
        if let Some(lost) = &self.lost {
            return Some(lost.hint());
        }
        if let Some(maker) = &self.maker {
            let module = entry.split(':').next().unwrap_or(entry);
            return Some(format!(
                "say what it is given: `weir try '{module}:{maker}(\"…\")'`"
            ));
        }
        let own = self.module.split('.').next();
        let meant = self.meant.as_ref();
        match self.missing.as_deref() {
            Some(name) if Some(name) == own || name == self.module => Some(format!(
                "run it in the folder where `{name}` lies; `{entry}` means `{name}.py` or the package `{name}`"
            )),
            Some(_) if meant.is_some() => {
                meant.map(|meant| format!("did you mean `{meant}`, which is a part of Python?"))
            }
            Some(name) => Some(lists::install(dir, python, name).unwrap_or_else(|| {
                let python = python.display();
                format!("install it: {python} -m pip install {name}")
            })),
            None if self.callables.is_empty() => None,
            None => Some(format!("callables in it: {}", self.callables.join(", "))),
        }
    }
}

/// What to type where a folder lies inside a package, whose modules are loaded from outside.
fn outside(dir: &Path) -> String {
    let canonical = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let (dir, here) = (canonical(dir), canonical(Path::new(".")));
    let around = dir.ancestors().skip(1);
    let levels = 1 + around
        .take_while(|it| it.join("__init__.py").is_file())
        .count();
    let inside = "it lies inside a package, and is loaded from outside";
    let Some(outside) = dir.ancestors().nth(levels) else {
        return inside.to_owned();
    };
    if dir == here {
        let up = vec![".."; levels].join("/");
        return format!("{inside}: `cd {up}`, and then `weir try`");
    }
    let path = outside.strip_prefix(&here).unwrap_or(outside);
    if path.as_os_str().is_empty() {
        return format!("{inside}: `weir try`");
    }
    let path = path.display().to_string();
    let typed = shlex::try_quote(&path).map_or_else(|_| path.clone(), Into::into);
    format!("{inside}: `weir try {typed}`")
}
