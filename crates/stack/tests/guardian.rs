//! Nothing of a stack may survive: not a stop, not a server that will not end, not `kill -9` of weir.

mod stubborn;

use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::support::{self, all_gone, example, lives, options};
use stack::Running;
use stubborn::{DAEMON, DEAF, SHARING, Stubborn};

fn folder_of(running: &Running<'_>) -> PathBuf {
    running.programs()[0].log.parent().unwrap().to_owned()
}

#[test]
fn a_server_that_ignores_its_signal_is_killed() {
    let stubborn = Stubborn::new(DEAF);
    let running = stubborn.start(&options());
    let (pid, _) = running.processes()[0];
    running.stop().unwrap();
    assert!(!lives(pid));
}

#[test]
fn a_grandchild_in_its_own_session_is_killed() {
    let stubborn = Stubborn::new(DAEMON);
    let running = stubborn.start(&options());
    let (server, daemon) = (running.processes()[0].0, stubborn.daemon());
    assert!(lives(daemon));
    running.stop().unwrap();
    assert!(!lives(server) && !lives(daemon));
}

#[test]
fn a_grandchild_outlives_its_server_but_not_the_stack() {
    let stubborn = Stubborn::new(&format!("{DAEMON}\nos.environ['CRASH'] = '1'"));
    let mut running = stubborn.start(&options());
    let (server, daemon) = (running.processes()[0].0, stubborn.daemon());
    kill(server);
    assert!(testkit::eventually(Duration::from_mins(1), || running
        .check_alive()
        .is_err()));
    assert!(lives(daemon), "only the server ended");
    drop(running);
    assert!(!lives(daemon), "a dropped stack is a stopped one");
}

#[test]
fn shared_memory_of_who_was_killed_is_removed_and_no_other() {
    let stubborn = Stubborn::new(SHARING);
    let folder = stubborn.demo.dir.path();
    let theirs = testkit::TempDir::with_prefix_in("weir-test-", "/dev/shm").unwrap();
    let theirs = theirs.path().join("theirs");
    std::fs::write(&theirs, [0; 4096]).unwrap();
    std::fs::write(folder.join("theirs"), theirs.to_str().unwrap()).unwrap();
    let running = stubborn.start(&options());
    let said = folder.join("ours");
    assert!(testkit::eventually(Duration::from_mins(1), || said.exists()));
    let ours = PathBuf::from(std::fs::read_to_string(said).unwrap());
    assert!(ours.exists());
    kill(running.processes()[0].0);
    drop(running);
    assert!(!ours.exists(), "{}", ours.display());
    assert!(theirs.exists(), "it is not the server's");
}

#[test]
fn a_guardian_that_was_killed_is_noticed_and_its_family_ended() {
    let stubborn = Stubborn::new(DEAF);
    let mut running = stubborn.start(&options());
    let (server, guardian) = (running.processes()[0].0, running.guardians()[0].0);
    kill(guardian);
    assert!(testkit::eventually(Duration::from_mins(1), || running
        .check_alive()
        .is_err()));
    let error = running.stop().unwrap_err();
    assert!(
        error.to_string().starts_with("the guardian of `stubborn`"),
        "{error}"
    );
    assert!(all_gone(&[server]));
}

/// The family of a server that is dead is found by nothing but the folder that it belongs to.
#[test]
fn a_daemon_whose_guardian_was_killed_ends_with_the_stack() {
    let stubborn = Stubborn::new(&format!("{DEAF}\n{DAEMON}"));
    let running = stubborn.start(&options());
    let (server, guardian) = (running.processes()[0].0, running.guardians()[0].0);
    let (daemon, folder) = (stubborn.daemon(), folder_of(&running));
    kill(guardian);
    assert!(all_gone(&[server]), "the kernel ends it with its guardian");
    assert!(lives(daemon), "it is in a session of its own");
    let error = running.stop().unwrap_err();
    assert!(
        error.to_string().starts_with("the guardian of `stubborn`"),
        "{error}"
    );
    assert!(all_gone(&[daemon]));
    assert!(!folder.exists(), "{}", folder.display());
}

#[test]
fn kill_9_of_weir_leaves_nothing() {
    let stubborn = Stubborn::new(&format!("{DEAF}\n{DAEMON}"));
    let held = holder(&stubborn);
    // the keeper, too: if it is the first to hear that the guardian has let go of the folder, it clears that away
    let pids = [held.server, held.guardian, held.keeper(), stubborn.daemon()];
    assert!(
        held.folder.exists() && pids.iter().all(|pid| lives(*pid)),
        "{pids:?}"
    );
    let folder = held.kill();
    assert!(
        all_gone(&pids),
        "server, guardian, keeper and daemon: {pids:?}"
    );
    assert!(!folder.exists(), "{}", folder.display());
}

/// Has a child in its process group that no signal but one ends, as servers have workers that do not look for their
/// master.
const WORKER: &str = r#"
if os.fork() == 0:
    for s in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): signal.signal(s, signal.SIG_IGN)
    server.socket.close()
    with open("daemon.part", "w") as f: f.write(str(os.getpid()))
    os.rename("daemon.part", "daemon.pid")
    while True: time.sleep(1000)
"#;

#[test]
fn weir_guardian_and_keeper_killed_together_leave_no_server() {
    let stubborn = Stubborn::new(&format!("{DEAF}\n{WORKER}"));
    // where no other test starts a stack, which would clear away what is left
    let place = testkit::temp_dir();
    let held = holder_in(&stubborn, place.path());
    let pids = [held.server, stubborn.daemon()];
    kill(held.keeper());
    kill(held.guardian);
    let folder = held.kill();
    assert!(all_gone(&pids), "server and worker: {pids:?}");
    assert!(folder.exists(), "nobody was left to remove it");
    let next = Stubborn::new("pass");
    let next = holder_in(&next, place.path());
    assert!(!folder.exists(), "the next start does");
    let pids = [next.server, next.guardian, next.keeper()];
    next.kill();
    assert!(all_gone(&pids), "server, guardian and keeper: {pids:?}");
}

#[test]
fn a_keeper_clears_away_what_weir_and_guardian_left() {
    let stubborn = Stubborn::new(&format!("{DEAF}\n{DAEMON}"));
    let held = holder(&stubborn);
    let pids = [held.server, stubborn.daemon(), held.keeper()];
    kill(held.guardian);
    let folder = held.kill();
    assert!(all_gone(&pids), "server, daemon and keeper: {pids:?}");
    assert!(!folder.exists(), "{}", folder.display());
}

/// Ctrl-C on a terminal reaches the whole foreground group: the guardian must not mind, because
/// weir gives the orders.
#[test]
fn a_guardian_is_not_in_weirs_session() {
    let stubborn = Stubborn::new("pass");
    let running = stubborn.start(&options());
    let guardian = running.guardians()[0].0;
    // From /proc, where a session that began outside this PID namespace reads 0, which getsid's
    // callers do not expect.
    let session = |pid: u32| {
        let process = procfs::process::Process::new(pid.cast_signed()).unwrap();
        process.stat().unwrap().session
    };
    assert_ne!(session(guardian), session(std::process::id()));
    let pid = rustix::process::Pid::from_raw(guardian.cast_signed()).unwrap();
    for signal in [
        rustix::process::Signal::INT,
        rustix::process::Signal::TERM,
        rustix::process::Signal::HUP,
    ] {
        rustix::process::kill_process(pid, signal).unwrap();
    }
    let folder = folder_of(&running);
    running.stop().expect("the guardian still takes orders");
    assert!(!folder.exists());
}

#[test]
fn a_server_does_not_inherit_ignored_signals() {
    let stubborn = Stubborn::new("pass");
    let running = stubborn.start(&options());
    let status =
        std::fs::read_to_string(format!("/proc/{}/status", running.processes()[0].0)).unwrap();
    let ignored = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .unwrap();
    let ignored = u64::from_str_radix(ignored.trim(), 16).unwrap();
    let (hup, int, term) = (1 << 0, 1 << 1, 1 << 14);
    assert_eq!(ignored & (hup | int | term), 0, "{ignored:x}");
    running.stop().unwrap();
}

fn kill(pid: u32) {
    let pid = rustix::process::Pid::from_raw(pid.cast_signed()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
}

/// A process that stands for weir, and what it has started.
struct Held {
    weir: Child,
    folder: PathBuf,
    server: u32,
    guardian: u32,
}

impl Held {
    /// The one child that is called so.
    fn keeper(&self) -> u32 {
        let all = procfs::process::all_processes().unwrap().flatten();
        let stats = all.filter_map(|process| process.stat().ok());
        let keepers: Vec<_> = stats
            .filter(|stat| stat.ppid == self.weir.id().cast_signed() && stat.comm == "keeper")
            .map(|stat| stat.pid.cast_unsigned())
            .collect();
        assert_eq!(keepers.len(), 1, "{keepers:?}");
        keepers[0]
    }

    /// Kills what stands for weir; returns the folder.
    fn kill(mut self) -> PathBuf {
        self.weir.kill().unwrap();
        self.weir.wait().unwrap();
        self.folder
    }
}

/// Starts the stack, says where it lies, and waits.
fn holder(stubborn: &Stubborn) -> Held {
    holder_in(stubborn, &std::env::temp_dir())
}

/// The same with its folder in this place.
fn holder_in(stubborn: &Stubborn, place: &Path) -> Held {
    let app = stubborn.demo.dir.path();
    let mut file = File::create(app.join("app.toml")).unwrap();
    write!(
        file,
        "name = \"x\"\ninterface = \"wsgi\"\nentry = \"x:y\"\n[[routes]]\npath = \"/\"\n"
    )
    .unwrap();
    let mut holder = Command::new(example("holder"))
        .args([
            app,
            stubborn.catalogue.path(),
            &support::python(),
            &example("guard"),
        ])
        .arg("stubborn")
        .env("TMPDIR", place)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(holder.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let said: Vec<_> = line.split_whitespace().collect();
    Held {
        weir: holder,
        folder: said[0].into(),
        server: said[1].parse().unwrap(),
        guardian: said[2].parse().unwrap(),
    }
}

#[test]
fn a_guardian_that_is_stopped_keeps_nobody_waiting_and_is_named() {
    let stubborn = Stubborn::new("pass");
    let running = stubborn.start(&options());
    let (server, guardian) = (running.processes()[0].0, running.guardians()[0].0);
    let folder = folder_of(&running);
    let pid = rustix::process::Pid::from_raw(guardian.cast_signed()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::STOP).unwrap();
    let stopped = running.stop();
    let error = stopped.unwrap_err().to_string();
    assert!(
        error.starts_with("the guardian of `stubborn` is stopped"),
        "{error}"
    );
    assert!(all_gone(&[server, guardian]));
    assert!(!folder.exists(), "{}", folder.display());
}
