//! A place of its own for each test: home, store, temporary folder, and a tag by which every
//! process that it causes can be found again.

use std::fs;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use store::Store;
use tempfile::TempDir;

mod document;
mod ports;
mod python_server;
mod said;
pub(crate) mod schema;
mod servers;
pub(crate) mod started;
pub(crate) mod through;

pub(crate) use document::{is_the_machines, load_of, loads_of, machine_is_doubted, standing};
pub(crate) use ports::two_free_ports;
pub(crate) use python_server::PythonServer;
pub(crate) use said::{Said, said};
pub(crate) use servers::{APP, nginx, peer, scripted};

/// Long enough for anything these tests wait for, however busy the machine is.
pub(crate) const PATIENCE: Duration = Duration::from_mins(2);

/// Requests of a trial of [`Place::plan`]: a window of a few dozen is broken when a busy machine takes the
/// generator off its core once.
pub(crate) const REQUESTS: u64 = 400;

/// The repository's folder.
pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

/// The Python that `make deps` sets up, with Flask and gunicorn.
pub(crate) fn python() -> PathBuf {
    let own = std::env::var_os("WEIR_TEST_PYTHON").map(PathBuf::from);
    let python = own.unwrap_or_else(|| repository().join("apps/guestbook/.venv/bin/python"));
    assert!(
        python.exists(),
        "{} is missing: run `make deps`",
        python.display()
    );
    python
}

/// A place of its own.
pub(crate) struct Place {
    folder: TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        let folder = TempDir::with_prefix("wt").unwrap();
        fs::create_dir(folder.path().join("tmp")).unwrap();
        Self { folder }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// weir with everything it might touch inside this place.
    pub(crate) fn weir(&self, args: &[&str]) -> Command {
        let mut weir = Command::new(env!("CARGO_BIN_EXE_weir"));
        weir.args(args)
            .current_dir(self.folder.path())
            .env("HOME", self.folder.path())
            .env("TMPDIR", self.path("tmp"))
            .env("WEIR_STORE", self.path("weir.db"))
            // tests run beside one another: none waits for the others to end
            .env("WEIR_SHARED", "1")
            .env("WEIR_TEST_PLACE", self.folder.path())
            // What Go has compiled is kept from test to test; half a minute's work for the first.
            .env("GOCACHE", concat!(env!("CARGO_TARGET_TMPDIR"), "/go"))
            .env_remove("COLUMNS")
            .env_remove("XDG_DATA_HOME")
            .env_remove("XDG_CONFIG_HOME")
            .env("VIRTUAL_ENV", python().parent().unwrap().parent().unwrap())
            .stdin(Stdio::null())
            .process_group(0);
        weir
    }

    /// Runs weir to its end.
    pub(crate) fn run(&self, args: &[&str]) -> Said {
        said(self.weir(args))
    }

    /// Starts weir with its output thrown away.
    pub(crate) fn start(&self, args: &[&str]) -> Child {
        self.weir(args)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// A WSGI app of this source, with an `app.toml`, in the folder `app`.
    pub(crate) fn app(&self, source: &str) {
        self.write("app/mine.py", source);
        self.write(
            "app/app.toml",
            "name = \"mine\"\ninterface = \"wsgi\"\nentry = \"mine:app\"\n[[routes]]\npath = \"/\"\nstatus = 200\n",
        );
    }

    /// A plan for that app with these variants, short enough for a test.
    pub(crate) fn plan(&self, rest: &str) -> PathBuf {
        self.write(
            "plan.toml",
            &format!(
                "app = \"app\"\nblocks = 1\nseed = 1\nnoise-floor = \"none\"\n{}\n{rest}",
                format_args!("[load]\nconnections = 4\nrequests = {REQUESTS}\nwarm-up = {{ requests = 40 }}\n")
            ),
        )
    }

    /// Everything that weir or a server left: processes, and files in the temporary folder.
    pub(crate) fn leftovers(&self) -> Vec<String> {
        let mut left = self.processes();
        let files = fs::read_dir(self.path("tmp")).unwrap();
        left.extend(files.map(|file| format!("file {}", file.unwrap().path().display())));
        left
    }

    /// Living processes that this place caused. Some servers overwrite their environment, so open
    /// files and the working folder tell as well.
    pub(crate) fn processes(&self) -> Vec<String> {
        let mark = self.folder.path().to_str().unwrap();
        procfs::process::all_processes()
            .unwrap()
            .filter_map(Result::ok)
            .filter(|process| process.pid != std::process::id().cast_signed())
            .filter(|process| process.stat().is_ok_and(|stat| stat.state != 'Z'))
            .filter(|process| belongs(process, mark))
            .map(|process| {
                let argv = process.cmdline().unwrap_or_default().join(" ");
                format!("process {} {argv}", process.pid)
            })
            .collect()
    }

    /// What is left once guardians and keepers have done their work, which weir does not wait for.
    pub(crate) fn left_behind(&self) -> Vec<String> {
        let mut left = Vec::new();
        // Looked at once and no more when it was empty: between its fork and its exec, a process that
        // another test starts has the files open that this one has.
        testkit::eventually(PATIENCE, || {
            left = self.leftovers();
            left.is_empty()
        });
        left
    }

    /// Nothing is left, at once or as soon as guardians have done their work.
    pub(crate) fn assert_clean(&self) {
        let left = self.left_behind();
        assert!(left.is_empty(), "left behind: {left:#?}");
    }

    /// A run as `weir show --json` exports it.
    pub(crate) fn exported(&self, run: &str) -> Value {
        self.run(&["show", run, "--json"]).json()
    }

    /// Trials that the store holds of run 1; none while there is no store.
    pub(crate) fn stored(&self) -> usize {
        let store = Store::open_to_read(&self.path("weir.db"));
        let trials = store.and_then(|store| store.starts(1));
        trials.map_or(0, |trials| trials.len())
    }
}

fn belongs(process: &procfs::process::Process, mark: &str) -> bool {
    let below = |path: &Path| path.to_str().is_some_and(|path| path.starts_with(mark));
    let environment = process.environ().ok();
    let tagged =
        environment.is_some_and(|all| all.values().any(|value| value.to_str() == Some(mark)));
    let opened = || {
        let mut files = process.fd().into_iter().flatten().filter_map(Result::ok);
        files.any(
            |file| matches!(&file.target, procfs::process::FDTarget::Path(path) if below(path)),
        )
    };
    tagged || process.cwd().is_ok_and(|cwd| below(&cwd)) || opened()
}

/// Sends a signal to a program that a test has started.
pub(crate) fn kill(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

/// Waits for something that is to come.
pub(crate) fn wait_until(what: &str, holds: impl FnMut() -> bool) {
    assert!(testkit::eventually(PATIENCE, holds), "not in time: {what}");
}
