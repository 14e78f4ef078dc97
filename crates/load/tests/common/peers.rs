//! Real app servers: uWSGI and flup with the app of `tests/peers`, PHP-FPM with its script.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use record::Target;
use rustix::process::{Pid, Signal, kill_process_group};
use testkit::{Certified, TempDir};

/// Long enough for a Python to start, however busy the machine is.
const PATIENCE: Duration = Duration::from_mins(1);

/// A server in a process group of its own, ended with this value.
pub(crate) struct Peer {
    child: Child,
    targets: Vec<Target>,
    dir: TempDir,
}

impl Peer {
    /// uWSGI with a TCP port and a Unix socket for each option (`http-socket`, `fastcgi-socket` …);
    /// the targets are in that order.
    pub(crate) fn uwsgi(options: &[&str]) -> Self {
        let dir = testkit::temp_dir();
        let mut command = Command::new(python().with_file_name("uwsgi"));
        command.args(["--need-app", "--disable-logging", "--die-on-term"]);
        command.args(["--chdir", folder().to_str().unwrap(), "--module", "app"]);
        for option in options {
            let socket = dir.path().join(option);
            command.arg(format!("--{option}=127.0.0.1:0"));
            command.arg(format!("--{option}={}", socket.display()));
        }
        command.stderr(Stdio::piped()); // it logs there
        let mut peer = Self::start(command, dir);
        let lines = said(peer.child.stderr.take().unwrap());
        let mut bound = BTreeMap::new();
        while bound.len() < 2 * options.len() {
            bound.extend(socket(&next(&lines)));
        }
        peer.targets = bound.into_values().collect();
        while !next(&lines).starts_with("spawned uWSGI worker") {}
        peer
    }

    /// flup's threaded server of this protocol.
    pub(crate) fn flup(protocol: &str, unix: bool) -> Self {
        let dir = testkit::temp_dir();
        let mut command = Command::new(python());
        command.arg(folder().join("flup_peer.py")).arg(protocol);
        let socket = dir.path().join("flup.sock");
        command.arg(if unix {
            socket.as_os_str()
        } else {
            "tcp".as_ref()
        });
        Self::announced(command, dir)
    }

    /// Python's `websockets`, with a certificate or without.
    pub(crate) fn echo(unix: bool, certified: Option<&Certified>) -> Self {
        let dir = testkit::temp_dir();
        let mut command = Command::new(python());
        command.arg(folder().join("echo_peer.py"));
        let socket = dir.path().join("echo.sock");
        command.arg(if unix {
            socket.as_os_str()
        } else {
            "tcp".as_ref()
        });
        if let Some(certified) = certified {
            command.args([&certified.certificate, &certified.key]);
        }
        Self::announced(command, dir)
    }

    /// A peer whose first line says where it is.
    fn announced(mut command: Command, dir: TempDir) -> Self {
        command.stdout(Stdio::piped());
        let mut peer = Self::start(command, dir);
        let place = next(&said(peer.child.stdout.take().unwrap()));
        peer.targets.push(match place.parse() {
            Ok(address) => Target::Tcp(address),
            Err(_) => Target::Unix(place.into()),
        });
        peer
    }

    /// PHP-FPM on a Unix socket, with the scripts of `tests/peers`; it says so when it is ready.
    pub(crate) fn php() -> Self {
        let dir = testkit::temp_dir();
        let socket = dir.path().join("php.sock");
        let settings = dir.path().join("php-fpm.conf");
        // The user is looked at when root begins it, and then it is to stay root.
        let text = format!(
            "[global]\nerror_log = /dev/stderr\n[www]\nlisten = {}\nuser = 0\ngroup = 0\n\
             pm = static\npm.max_children = 4\n",
            socket.display()
        );
        std::fs::write(&settings, text).unwrap();
        let mut command = Command::new("php-fpm8.2");
        let path = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{path}:/usr/sbin"));
        command.args(["--nodaemonize", "--allow-to-run-as-root", "--no-php-ini"]);
        command.arg("--fpm-config").arg(settings);
        command.stderr(Stdio::piped());
        let mut peer = Self::start(command, dir);
        let lines = said(peer.child.stderr.take().unwrap());
        while !next(&lines).contains("ready to handle connections") {}
        peer.targets.push(Target::Unix(socket));
        peer
    }

    pub(crate) fn targets(&self) -> &[Target] {
        &self.targets
    }

    fn start(mut command: Command, dir: TempDir) -> Self {
        command.current_dir(dir.path()).process_group(0);
        command.stdin(Stdio::null());
        command.env("PYTHONDONTWRITEBYTECODE", "1");
        let child = command.spawn().expect("a peer: is `make deps` done?");
        let targets = Vec::new();
        Self {
            child,
            targets,
            dir,
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let group = Pid::from_child(&self.child);
        let _ = kill_process_group(group, Signal::KILL);
        let _ = self.child.wait();
        debug_assert!(self.dir.path().exists());
    }
}

/// The lines of a pipe. A thread reads them, so that the pipe never fills up.
fn said(pipe: impl Read + Send + 'static) -> Receiver<String> {
    let (tell, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(pipe).lines().map_while(Result::ok) {
            eprintln!("{line}");
            let _ = tell.send(line); // after the start nobody listens
        }
    });
    lines
}

/// A socket that uWSGI says it has bound, with its number.
fn socket(line: &str) -> Option<(u32, Target)> {
    let (number, place) = line
        .strip_prefix("uwsgi socket ")?
        .split_once(" bound to ")?;
    let (kind, rest) = place.split_once(" address ")?;
    let place = rest.split(' ').next()?;
    let target = if kind == "TCP" {
        Target::Tcp(place.parse().ok()?)
    } else {
        Target::Unix(place.into())
    };
    Some((number.parse().ok()?, target))
}

fn next(lines: &Receiver<String>) -> String {
    lines
        .recv_timeout(PATIENCE)
        .expect("the peer did not start; its complaint is above")
}

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers")
}

/// The Python that `make deps` sets up, with uWSGI and flup.
fn python() -> PathBuf {
    let own = std::env::var_os("WEIR_TEST_PEERS").map(PathBuf::from);
    let python = own.unwrap_or_else(|| folder().join("../../../../.deps/peers/bin/python"));
    assert!(
        python.exists(),
        "{} is missing: run `make deps`",
        python.display()
    );
    python
}
