//! Whose code a file is, by where it lies.

use std::path::{Component, Path, PathBuf};

use record::CodeClass;

use crate::runtime::RUNTIME;

/// Longest path of a file that is kept; of a longer one, its end.
const LONGEST: usize = 160;

/// Where the app, the frameworks and the servers lie.
///
/// What lies in the app's folder is the app's, unless it lies below a folder of packages (an environment in the app's
/// folder is no part of the app). Packages are a framework's or a server's as the catalogue says, the longest path first;
/// others are libraries. A file that is found nowhere is a library too.
#[derive(Clone, Debug, Default)]
pub struct Places {
    app: Option<PathBuf>,
    /// Packages and parts of them, with whose they are.
    packages: Vec<(String, CodeClass)>,
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
        let frameworks = RUNTIME.frameworks.values().flatten().cloned();
        let frameworks = frameworks.map(|of| (of, CodeClass::Framework));
        let servers = servers.into_iter().map(|of| (of, CodeClass::Server));
        // where both name a package, it is the server's
        let mut packages: Vec<_> = servers.chain(frameworks).collect();
        packages.sort_by_key(|(of, _)| std::cmp::Reverse(of.len()));
        Self {
            app: app.map(|folder| folder.canonicalize().unwrap_or_else(|_| folder.to_owned())),
            packages,
        }
    }

    /// What a file is, as its process names it: from the folder in which that runs, if it is no whole path.
    pub(crate) fn place(&self, file: &str, runs_in: &Path) -> Placed {
        let rest = |pattern: &regex::Regex| {
            let found = pattern.captures(file)?.get(1)?;
            Some(found.as_str())
        };
        if let Some(package) = rest(&RUNTIME.packages) {
            let class = self.class_of(package).unwrap_or(CodeClass::Library);
            return Placed::new(class, package);
        }
        if let Some(own) = rest(&RUNTIME.own) {
            let class = self.class_of(own).unwrap_or(CodeClass::Runtime);
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

    fn class_of(&self, path: &str) -> Option<CodeClass> {
        let is_in = |(package, _): &&(String, CodeClass)| {
            let rest = path.strip_prefix(package.as_str());
            // a module may be one file, or a compiled one: `bottle.py`, `_cffi.abi3.so`
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '.']))
        };
        self.packages.iter().find(is_in).map(|(_, class)| *class)
    }
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
mod tests {
    use super::*;

    #[test]
    fn a_file_is_whose_folder_it_lies_in() {
        let servers = ["server", "werk/serving.py", "http/server.py"];
        let mut places = Places::new(Some(Path::new("/srv/app")), servers.map(str::to_owned));
        places
            .packages
            .push(("werk".to_owned(), CodeClass::Framework));
        let packages = "/srv/app/.venv/lib/python3.11/site-packages";
        for (file, class, shown) in [
            ("/srv/app/views/a.py", CodeClass::App, "views/a.py"),
            ("views/a.py", CodeClass::App, "views/a.py"),
            ("./a/../b.py", CodeClass::App, "b.py"),
            (
                "/srv/application/a.py",
                CodeClass::Library,
                "/srv/application/a.py",
            ),
            ("{}/werk/app.py", CodeClass::Framework, "werk/app.py"),
            (
                "{}/werkzeugkasten/app.py",
                CodeClass::Library,
                "werkzeugkasten/app.py",
            ),
            ("{}/werk/serving.py", CodeClass::Server, "werk/serving.py"),
            ("{}/server/worker.py", CodeClass::Server, "server/worker.py"),
            ("{}/other.py", CodeClass::Library, "other.py"),
            (
                "/usr/lib/python3.11/json/decoder.py",
                CodeClass::Runtime,
                "json/decoder.py",
            ),
            (
                "/usr/lib/python3.11/http/server.py",
                CodeClass::Server,
                "http/server.py",
            ),
            (
                "<frozen importlib._bootstrap>",
                CodeClass::Runtime,
                "importlib._bootstrap",
            ),
            ("<string>", CodeClass::Runtime, "<string>"),
        ] {
            let file = file.replace("{}", packages);
            let known = places.place(&file, Path::new("/srv/app"));
            assert_eq!((known.class, &*known.file), (class, shown), "{file}");
        }
    }

    #[test]
    fn a_long_path_keeps_its_end() {
        let file = format!("/{}ü/end.py", "ü".repeat(LONGEST));
        let placed = Places::default().place(&file, Path::new("/"));
        assert!(placed.file.len() <= LONGEST && placed.file.ends_with("ü/end.py"));
    }
}
