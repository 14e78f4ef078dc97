//! A place of its own for each test: home, store, temporary folder, and a tag by which every
//! process that it causes can be found again.

use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

pub(crate) mod schema;
pub(crate) mod started;
pub(crate) mod through;

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

/// What an invocation of weir left.
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
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
        if !self.path("weir.db").exists() {
            return 0;
        }
        let said = self.run(&["show", "1", "--json"]);
        let value: Result<Value, _> = serde_json::from_str(&said.out);
        value.map_or(0, |value| value["trials"].as_array().map_or(0, Vec::len))
    }
}

/// The lowest of the ports that [`two_free_ports`] gives, and how many pairs there are.
const LOWEST: u16 = 10_000;
const PAIRS: u32 = 3_000;
/// How many pairs were asked for.
static ASKED: AtomicU32 = AtomicU32::new(0);

/// Two ports in a row that nobody has, and that nobody is given meanwhile: they lie below those that the kernel chooses (unless
/// `ip_local_port_range` was changed), and no other test asks for them.
pub(crate) fn two_free_ports() -> u16 {
    let free = |port: u16| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok();
    for _ in 0..PAIRS {
        // tests of another process begin elsewhere
        let pair = (std::process::id() + ASKED.fetch_add(1, Ordering::Relaxed)) % PAIRS;
        let port = LOWEST + 2 * pair as u16;
        if free(port) && free(port + 1) {
            return port;
        }
    }
    panic!("no two ports in a row are free from {LOWEST} on");
}

/// The trials of an export that stand: one that was taken again counts by its last attempt.
pub(crate) fn standing(export: &Value) -> Vec<&Value> {
    let trials = export["trials"].as_array().unwrap();
    let place = |of: &Value| {
        (
            of["block"].clone(),
            of["variant"].clone(),
            of["again"].clone(),
        )
    };
    let attempt = |of: &Value| of["attempt"].as_u64().unwrap_or(0);
    let later = |of: &Value| {
        let mut others = trials.iter().filter(|other| place(other) == place(of));
        others.any(|other| attempt(other) > attempt(of))
    };
    trials.iter().filter(|of| !later(of)).collect()
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

/// Waits for something that is to come.
pub(crate) fn wait_until(what: &str, holds: impl FnMut() -> bool) {
    assert!(testkit::eventually(PATIENCE, holds), "not in time: {what}");
}

/// Whether a trial of a run's document is doubted for what others took of the machine, or as weir itself stood still: what
/// no test can help.
pub(crate) fn machine_is_doubted(document: &Value) -> bool {
    let trials = document["judged"]["trials"].as_array().unwrap().iter();
    let doubts = trials.filter_map(|trial| trial["doubts"].as_array());
    doubts.flatten().any(|doubt| {
        let mut kinds = ["disturbed", "stolen-cpu", "paused"].iter();
        kinds.any(|kind| doubt["kind"] == *kind)
    })
}

/// The loads of a run's document, each in one piece: its figures, its facts as `load`, its doubts, its plan, and whether
/// it was interrupted.
pub(crate) fn loads_of(document: &Value) -> Vec<Value> {
    let trials = document["trials"].as_array().unwrap().iter();
    let opinions = document["judged"]["trials"].as_array().unwrap();
    let variants = document["run"]["plan"]["variants"].as_array().unwrap();
    let one = |(trial, opinion): (&Value, &Value)| {
        let mut load = trial["figures"].clone();
        load["load"] = trial["outcome"]["measured"]["load"].clone();
        load["doubts"] = opinion["doubts"].clone();
        let variant = variants
            .iter()
            .find(|variant| variant["name"] == trial["variant"]);
        load["planned"] = variant.unwrap()["load"]["amount"].clone();
        load["interrupted"] = (document["run"]["status"] == "stopped").into();
        load
    };
    trials.zip(opinions).map(one).collect()
}

/// The one load of a run's document.
pub(crate) fn load_of(document: &Value) -> Value {
    let mut loads = loads_of(document);
    assert_eq!(loads.len(), 1, "{document:#}");
    loads.remove(0)
}

/// Runs a command to its end.
pub(crate) fn said(mut command: Command) -> Said {
    let output = command.output().unwrap();
    Said {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

impl Said {
    /// What it printed, as JSON that the schema knows.
    pub(crate) fn json(&self) -> Value {
        let value = serde_json::from_str(&self.out)
            .unwrap_or_else(|error| panic!("{error}: {} {}", self.out, self.err));
        schema::assert_known(&value);
        value
    }

    /// The one load that it printed, as [`loads_of`] has it.
    pub(crate) fn load(&self) -> Value {
        load_of(&self.json())
    }

    /// It ended with this code, and one error says each of these, with a next step.
    pub(crate) fn fails(&self, code: i32, words: &[&str]) {
        assert_eq!(
            self.code, code,
            "exit code\nstdout: {}\nstderr: {}",
            self.out, self.err
        );
        let errors = self
            .err
            .lines()
            .filter(|line| line.starts_with("error: "))
            .count();
        assert_eq!(errors, 1, "one clear error: {}", self.err);
        for word in words {
            assert!(
                self.err.contains(word),
                "`{word}` is missing in: {}",
                self.err
            );
        }
        assert!(
            self.err.contains("\nhint: "),
            "no next step in: {}",
            self.err
        );
        assert!(!self.err.contains("panicked"), "{}", self.err);
    }

    /// It ended with this code, and said why.
    pub(crate) fn fails_with(&self, code: i32) {
        assert_eq!(self.code, code, "{}{}", self.out, self.err);
        assert!(self.err.starts_with("error: "), "{}", self.err);
    }

    /// It measured to its end. 4 as well: on a busy machine so short a load may not be trusted, which
    /// is right, and not what the test is about.
    pub(crate) fn measured(&self) -> &Self {
        let Self { code, err, .. } = self;
        assert!([0, 4].contains(code), "{code}\nstderr: {err}");
        self
    }

    /// A threshold was crossed. 4 as well, but only where it says that CPU time went to other guests, which no test can help:
    /// a figure that is doubted for it decides nothing.
    pub(crate) fn crosses(&self) {
        let Self { code, out, err, .. } = self;
        let lines: Vec<_> = out.split_whitespace().collect();
        let stolen = *code == 4 && lines.join(" ").contains("went to other guests");
        assert!(*code == 3 || stolen, "{code}\n{out}\n{err}");
    }

    pub(crate) fn succeeds(&self) -> &Self {
        assert_eq!(self.code, 0, "stderr: {}\nstdout: {}", self.err, self.out);
        self
    }
}
