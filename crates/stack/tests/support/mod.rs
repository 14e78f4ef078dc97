//! What the tests of real stacks share: an app without a framework, a guardian, an interpreter.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime};

use record::{App, Choice, Interface, Knob, Route, StaticSite, Variant};
use stack::{Catalogue, Composition, GuardCommand, Machine, Options, Running, StackError};

pub(crate) static CALM: AtomicBool = AtomicBool::new(false);

/// The app most tests serve: no framework, one file, a folder of files.
pub(crate) const HELLO: &str = r#"
import os
def app(environ, start_response):
    path = environ["PATH_INFO"]
    if path == "/static/hello.html":
        here = os.path.dirname(__file__)
        body = open(os.path.join(here, "static", "hello.html"), "rb").read()
    elif path == "/ticket":
        body = b"<p>ticket " + os.urandom(4).hex().encode() + b"</p>"
    else:
        body = b"<h1>Hello</h1>\n<p>you</p>\n"
    start_response("200 OK", [("Content-Type", "text/html; charset=utf-8"), ("Content-Length", str(len(body)))])
    return [body]
"#;

/// The interpreter with the app servers in it.
pub(crate) fn python() -> PathBuf {
    if let Some(path) = std::env::var_os("WEIR_TEST_PYTHON") {
        return path.into();
    }
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../apps/guestbook/.venv/bin/python");
    assert!(
        own.exists(),
        "`{}` is missing: run `make deps`",
        own.display()
    );
    std::path::absolute(own).unwrap()
}

/// `weir guard` without the rest of weir, built by cargo beside the tests.
pub(crate) fn guard() -> GuardCommand {
    GuardCommand {
        program: example("guard"),
        args: Vec::new(),
    }
}

/// An example of this crate. `cargo test` builds them all; with `--test NAME` it builds none, and an
/// old one would test old code.
pub(crate) fn example(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let folder = test.parent().and_then(Path::parent).unwrap();
    let program = folder.join("examples").join(name);
    let built = std::fs::metadata(&program)
        .and_then(|file| file.modified())
        .ok();
    assert!(
        built >= newest(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")),
        "`{}` is missing or older than its sources: run `cargo build -p stack --examples`",
        program.display()
    );
    program
}

/// When the last of a folder's files was changed.
fn newest(folder: &Path) -> Option<SystemTime> {
    let changed = |path: PathBuf| {
        if path.is_dir() {
            return newest(&path);
        }
        std::fs::metadata(path)
            .and_then(|file| file.modified())
            .ok()
    };
    let files = std::fs::read_dir(folder).unwrap();
    files.filter_map(|file| changed(file.unwrap().path())).max()
}

pub(crate) fn options() -> Options<'static> {
    Options {
        guard: guard(),
        ready_timeout: Duration::from_mins(1),
        ..Options::new(&CALM)
    }
}

/// An app of this source, in a folder of its own.
pub(crate) struct Served {
    pub(crate) dir: testkit::TempDir,
    pub(crate) app: App,
}

pub(crate) fn wsgi(source: &str) -> Served {
    app(source, Interface::Wsgi)
}

pub(crate) fn app(source: &str, interface: Interface) -> Served {
    let dir = testkit::temp_dir();
    let files = dir.path().join("static");
    std::fs::create_dir(&files).unwrap();
    std::fs::write(dir.path().join("hello.py"), source).unwrap();
    std::fs::write(files.join("hello.html"), "<h1>Hello from a file</h1>\n").unwrap();
    let app = App {
        name: "hello".into(),
        dir: dir.path().to_owned(),
        interface,
        entry: "hello:app".into(),
        python: Some(python()),
        routes: vec![Route::get("/")],
        site: Some(StaticSite {
            dir: files,
            url: "/static/".into(),
        }),
        ..App::default()
    };
    Served { dir, app }
}

pub(crate) fn choice(entry: &str, knobs: &[(&str, Knob)]) -> Choice {
    let knobs = knobs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.clone()))
        .collect();
    Choice::of(entry).with(knobs)
}

pub(crate) fn text(word: &str) -> Knob {
    Knob::Text(word.into())
}

/// An app server, and a front end before it; `link` says how the one reaches the other.
pub(crate) fn variant(server: Option<Choice>, front: Option<Choice>, link: &str) -> Variant {
    let link = link.parse().unwrap();
    Variant {
        name: "variant".into(),
        title: String::new(),
        server: server.map(|server| Choice { link, ..server }),
        fronts: front.into_iter().collect(),
        route: "/".into(),
        ..Variant::default()
    }
}

/// A variant of one app server that clients speak to.
pub(crate) fn served_by(server: Choice) -> Variant {
    variant(Some(server), None, "tcp")
}

pub(crate) fn gunicorn() -> Variant {
    served_by(choice("gunicorn", &[]))
}

/// The built-in entries, and one more in a file of this name.
pub(crate) fn catalogue_with(file: &str, entry: &str) -> Result<Catalogue, StackError> {
    let folder = testkit::temp_dir();
    std::fs::write(folder.path().join(file), entry).unwrap();
    Catalogue::load(&[folder.path().to_owned()])
}

/// A machine of two cores with these entries.
pub(crate) fn machine(catalogue: Result<Catalogue, StackError>) -> Machine {
    Machine::new(catalogue.unwrap(), 2)
}

/// The same with the built-in entries alone.
pub(crate) fn built_in() -> Machine {
    machine(Catalogue::load(&[]))
}

pub(crate) fn composed(variant: &Variant, app: &App) -> Composition {
    built_in().compose(variant, app).unwrap()
}

/// Starts a variant on a machine that knows it.
pub(crate) fn started_on(machine: &Machine, variant: &Variant, app: &App) -> Running<'static> {
    let composition = machine.compose(variant, app).unwrap();
    stack::start(&composition, &options())
        .unwrap_or_else(|error| panic!("{error}\n{:#?}", error.log_tail()))
}

pub(crate) fn start(variant: &Variant, app: &App) -> Result<Running<'static>, StackError> {
    stack::start(&composed(variant, app), &options())
}

/// Whether a process of this id is there and is not a zombie.
pub(crate) fn lives(pid: u32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| {
        stat.rsplit(')')
            .next()
            .is_some_and(|rest| !rest.trim_start().starts_with('Z'))
    })
}

/// Waits until none of these processes is left.
pub(crate) fn all_gone(pids: &[u32]) -> bool {
    testkit::eventually(Duration::from_mins(1), || {
        !pids.iter().any(|pid| lives(*pid))
    })
}
