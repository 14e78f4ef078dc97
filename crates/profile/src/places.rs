//! Whose code a file is, by where it lies.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use record::CodeClass;

use crate::runtime::{self, Runtime};

/// Longest path of a file that is kept; of a longer one, its end.
const LONGEST: usize = 160;
/// Bytes of a file that names the app's package.
const LARGEST: u64 = 1 << 20;

/// Where the app, the frameworks and the servers lie.
///
/// What lies in the app's folder is the app's, unless it lies below a folder of packages (an environment in the app's
/// folder is no part of the app). Packages are a framework's or a server's as the catalogue says, the longest path first;
/// others are libraries. A file that is found nowhere is a library too.
#[derive(Clone, Debug, Default)]
pub struct Places {
    app: Option<PathBuf>,
    /// Packages of servers, and parts of them.
    servers: Vec<String>,
    /// What the app calls its own package, by the file that says so.
    modules: BTreeMap<&'static str, String>,
}

/// What a file is, and how it is shown.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    pub(crate) class: CodeClass,
    pub(crate) file: String,
}

impl Places {
    /// Of an app in this folder, under servers with these packages (`server`, `http/server.py`).
    pub fn new(app: Option<&Path>, servers: impl IntoIterator<Item = String>) -> Self {
        let app = app.map(|folder| folder.canonicalize().unwrap_or_else(|_| folder.to_owned()));
        let modules = app.as_deref().map(modules);
        Self {
            app,
            servers: servers.into_iter().collect(),
            modules: modules.unwrap_or_default(),
        }
    }

    /// What a file is, as a process of this runtime names it: from the folder in which that runs, if it is no whole path.
    pub(crate) fn place(&self, file: &str, runs_in: &Path, runtime: &Runtime) -> Placed {
        let rest = |pattern: &regex::Regex| {
            let found = pattern.captures(file)?.get(1)?;
            Some(found.as_str())
        };
        if let Some(app) = runtime.app.as_ref().and_then(rest) {
            return Placed::new(CodeClass::App, app);
        }
        if let Some(package) = rest(&runtime.packages) {
            let of_app = || {
                let is_own =
                    self.is_in_module(package, runtime) || self.is_in_sources(package, runtime);
                is_own.then_some(CodeClass::App)
            };
            let class = self.class_of(package, runtime).or_else(of_app);
            return Placed::new(class.unwrap_or(CodeClass::Library), package);
        }
        if let Some(own) = rest(&runtime.own) {
            let class = self.class_of(own, runtime).unwrap_or(CodeClass::Runtime);
            return Placed::new(class, own);
        }
        if file.starts_with('<') {
            return Placed::new(CodeClass::Runtime, file);
        }
        let path = straight(&runs_in.join(file));
        let in_app = self
            .app
            .as_ref()
            .and_then(|app| path.strip_prefix(app).ok());
        match in_app {
            Some(rest) => Placed::new(CodeClass::App, &rest.to_string_lossy()),
            None => Placed::new(CodeClass::Library, &path.to_string_lossy()),
        }
    }

    /// Whose package it is: the longest path decides, and the server where others have it too.
    fn class_of(&self, path: &str, runtime: &Runtime) -> Option<CodeClass> {
        let servers = self.servers.iter().map(|of| (of, CodeClass::Server));
        let frameworks = runtime.frameworks.values().flatten();
        let frameworks = frameworks.map(|of| (of, CodeClass::Framework));
        let own = runtime.own_packages.iter();
        let own = own.map(|of| (of, CodeClass::Runtime));
        let all = own.chain(frameworks).chain(servers);
        let longest = all
            .filter(|(package, _)| is_in(path, package))
            .max_by_key(|(package, _)| package.len());
        longest.map(|(_, class)| class)
    }

    /// Whether a package is the app's own, as a file in its folder names it.
    fn is_in_module(&self, package: &str, runtime: &Runtime) -> bool {
        let module = runtime.module.as_ref();
        let own = module.and_then(|of| self.modules.get(&*of.file));
        own.is_some_and(|own| is_in(package, own))
    }

    /// Whether the package of a class lies in one of the folders in which the app's own do.
    fn is_in_sources(&self, class: &str, runtime: &Runtime) -> bool {
        let (Some(app), Some((package, _))) = (&self.app, class.rsplit_once('.')) else {
            return false;
        };
        let package: PathBuf = package.split('.').collect();
        let mut sources = runtime.sources.iter();
        sources.any(|source| holds_files(&app.join(source).join(&package)))
    }
}

/// What an app in this folder calls its own package, in the file of each language that it has.
fn modules(app: &Path) -> BTreeMap<&'static str, String> {
    let all = runtime::all().filter_map(|of| of.module.as_ref());
    let named = all.filter_map(|of| {
        let text = input::read_at_most(&app.join(&of.file), LARGEST).ok()?;
        let text = String::from_utf8(text).ok()?;
        let name = of.pattern.captures(&text)?.get(1)?;
        Some((&*of.file, name.as_str().to_owned()))
    });
    named.collect()
}

/// Whether it is a folder in which there are not only folders.
fn holds_files(folder: &Path) -> bool {
    let items = folder.read_dir().into_iter().flatten().flatten();
    let mut kinds = items.filter_map(|item| item.file_type().ok());
    kinds.any(|kind| !kind.is_dir())
}

/// Whether a path is a package or lies in it.
fn is_in(path: &str, package: &str) -> bool {
    let rest = path.strip_prefix(package);
    // a module may be one file, or a compiled one: `bottle.py`, `_cffi.abi3.so`
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '.']))
}

impl Placed {
    fn new(class: CodeClass, file: &str) -> Self {
        let from = file.ceil_char_boundary(file.len().saturating_sub(LONGEST));
        let file = file[from..].to_owned();
        Self { class, file }
    }
}

/// A path without `.` and `..`, whatever lies there: the process may see other files.
fn straight(path: &Path) -> PathBuf {
    let mut straight = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                straight.pop();
            }
            part => straight.push(part),
        }
    }
    straight
}

#[cfg(test)]
mod tests;
