//! Where a folder may have a Python app: modules that hold one by custom, and those whose text shows one.

use std::collections::BTreeSet;
use std::path::{Component, Path};
use std::sync::LazyLock;

use regex::Regex;

use super::source::holds_others;

/// Modules that hold an app by custom, the surest first.
const CUSTOM: [&str; 7] = [
    "wsgi",
    "asgi",
    "app",
    "main",
    "application",
    "server",
    "api",
];
/// The folder from which modules are imported where it is there, though nothing is run in it.
const SOURCES: &str = "src";
/// Folders that hold no app.
const OTHERS: [&str; 8] = [
    "tests",
    "test",
    "docs",
    "migrations",
    "node_modules",
    "venv",
    "env",
    "build",
];
/// Text of a module that holds an app: an object of a framework's class, or a callable of its interface.
static HOLDS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(include_str!("module.regex").trim_end()).expect("written here"));
/// Modules that are looked at; each is imported.
const MOST: usize = 24;

/// A module that may hold an app.
#[derive(Debug, PartialEq)]
pub(super) struct Module {
    /// As it is imported.
    pub(super) name: String,
    /// Its file, in the app's folder.
    pub(super) file: String,
    /// The folder in the app's from which it is imported, if that is another.
    pub(super) path: Option<&'static str>,
}

impl Module {
    /// Its name in its own folder.
    pub(super) fn stem(&self) -> &str {
        self.name.rsplit('.').next().unwrap_or(&self.name)
    }
}

/// The modules of a folder that may hold an app, the surest first.
pub(super) fn modules(dir: &Path) -> Vec<Module> {
    let inside = below(&dir.join(SOURCES), Some(SOURCES));
    let mut modules: Vec<_> = below(dir, None).into_iter().chain(inside).collect();
    modules.truncate(MOST);
    modules
}

/// Whether a folder has a module whose text shows an app.
pub(super) fn show_app(dir: &Path) -> bool {
    let mut modules = modules(dir).into_iter();
    modules.any(|module| shows_app(&dir.join(module.file)))
}

/// Whether the apps that modules show lie in several folders none of which is a package, so that nothing here says which is meant.
pub(super) fn show_several(dir: &Path, modules: &[Module]) -> bool {
    let mut folders = BTreeSet::new();
    let own = modules.iter().filter(|module| module.path.is_none());
    for module in own.filter(|module| shows_app(&dir.join(&module.file))) {
        let folder = module.name.split_once('.').map(|(folder, _)| folder);
        let is_package = |folder: &str| dir.join(folder).join("__init__.py").is_file();
        match folder.filter(|folder| !is_package(folder)) {
            Some(other) if holds_others(other) => {}
            Some(folder) => {
                folders.insert(folder);
            }
            None => return false,
        }
    }
    folders.len() > 1
}

/// Those in a folder from which modules are imported: of its own, then of its packages, then those of other names.
fn below(dir: &Path, path: Option<&'static str>) -> Vec<Module> {
    let (files, folders) = listed(dir);
    let start = path.map_or_else(String::new, |path| format!("{path}/"));
    let module = |package: &str, name: &str| {
        let (dot, slash) = if package.is_empty() {
            ("", "")
        } else {
            (".", "/")
        };
        Module {
            name: format!("{package}{dot}{name}"),
            file: format!("{start}{package}{slash}{name}.py"),
            path,
        }
    };
    let custom = |names: &[String]| -> Vec<&str> {
        let there = |name: &&str| names.iter().any(|file| file == name);
        CUSTOM.into_iter().filter(there).collect()
    };
    let others = |folder: &Path, names: &[String]| -> Vec<String> {
        let other = |name: &&String| !CUSTOM.contains(&name.as_str());
        let shows = |name: &&String| shows_app(&folder.join(format!("{name}.py")));
        names.iter().filter(other).filter(shows).cloned().collect()
    };
    let mut modules: Vec<_> = custom(&files)
        .into_iter()
        .map(|name| module("", name))
        .collect();
    let mut unusual: Vec<_> = others(dir, &files)
        .iter()
        .map(|name| module("", name))
        .collect();
    for package in &folders {
        let folder = dir.join(package);
        let (names, _) = listed(&folder);
        modules.extend(custom(&names).into_iter().map(|name| module(package, name)));
        if names.iter().any(|name| name == "__init__") {
            modules.push(Module {
                name: package.clone(),
                file: format!("{start}{package}/__init__.py"),
                path,
            });
        }
        let shown = others(&folder, &names);
        let shown = shown.iter().filter(|name| *name != "__init__");
        unusual.extend(shown.map(|name| module(package, name)));
    }
    modules.extend(unusual);
    modules
}

/// The names of a folder's modules, and of the folders in it that may be packages.
fn listed(dir: &Path) -> (Vec<String>, Vec<String>) {
    let listing = std::fs::read_dir(dir).into_iter().flatten();
    let (mut files, mut folders) = (Vec::new(), Vec::new());
    for item in listing.filter_map(Result::ok) {
        let Ok(name) = item.file_name().into_string() else {
            continue;
        };
        let plain = |name: &str| name.chars().all(|c| c.is_alphanumeric() || c == '_');
        match name.strip_suffix(".py") {
            Some(stem) if plain(stem) && item.path().is_file() => files.push(stem.to_owned()),
            None if plain(&name)
                && name != SOURCES
                && !OTHERS.contains(&name.as_str())
                && item.path().is_dir() =>
            {
                folders.push(name);
            }
            _ => {}
        }
    }
    files.sort();
    folders.sort();
    (files, folders)
}

/// Whether the text of a module shows that it holds an app: a module of any name may do anything when it is imported.
fn shows_app(file: &Path) -> bool {
    input::text(file).is_ok_and(|text| HOLDS.is_match(&text))
}

/// The module in a file that the user named, as it is imported in the app's folder.
pub(super) fn of_file(dir: &Path, file: &str) -> Option<Module> {
    let stem = file.strip_suffix(".py")?;
    let inside = Path::new(stem).strip_prefix(dir).unwrap_or(Path::new(stem));
    let mut parts = Vec::new();
    for part in inside.components() {
        match part {
            Component::Normal(part) => parts.push(part.to_str()?),
            Component::CurDir => {}
            _ => return None,
        }
    }
    let from_sources = parts.len() > 1 && parts[0] == SOURCES;
    let name = parts[usize::from(from_sources)..].join(".");
    (!name.is_empty()).then(|| Module {
        name,
        file: file.to_owned(),
        path: from_sources.then_some(SOURCES),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(files: &[(&str, &str)]) -> Vec<String> {
        let dir = testkit::temp_dir();
        for (file, text) in files {
            let path = dir.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let modules = modules(dir.path()).into_iter();
        modules.map(|module| module.name).collect()
    }

    #[test]
    fn the_surest_modules_are_looked_at_first() {
        let app = "from flask import Flask\napp = Flask(__name__)\n";
        let files = [
            ("hello.py", app),
            ("notes.py", "import shutil\nprint('hello')\n"),
            ("app.py", ""),
            ("shop/__init__.py", ""),
            ("shop/wsgi.py", ""),
            ("backend/main.py", ""),
            ("tests/app.py", app),
            ("src/store/__init__.py", app),
        ];
        assert_eq!(
            named(&files),
            ["app", "backend.main", "shop.wsgi", "shop", "hello", "store"]
        );
    }

    #[test]
    fn a_text_shows_an_app_by_what_is_made_or_defined_in_it() {
        for text in [
            "web: FastAPI = FastAPI()\n",
            "app = web.Application()\n",
            "def application(environ, start_response):\n",
            "async def app(scope, receive, send):\n",
            "def create_app(config=None):\n",
        ] {
            assert_eq!(named(&[("hello.py", text)]), ["hello"], "{text}");
        }
        for text in ["import flask\n", "  app = Flask()\n", "class App:\n"] {
            assert!(named(&[("hello.py", text)]).is_empty(), "{text}");
        }
    }

    #[test]
    fn a_file_is_a_module_of_its_folder() {
        let dir = Path::new("/srv/shop");
        let module = |file: &str| of_file(dir, file).map(|it| (it.name, it.path));
        let plain = |name: &str| Some((name.to_owned(), None));
        assert_eq!(module("serve.py"), plain("serve"));
        assert_eq!(module("./web/serve.py"), plain("web.serve"));
        assert_eq!(module("/srv/shop/serve.py"), plain("serve"));
        assert_eq!(module("src/a/b.py"), Some(("a.b".to_owned(), Some("src"))));
        assert_eq!(module("../serve.py"), None);
        assert_eq!(module("shop"), None);
    }
}
