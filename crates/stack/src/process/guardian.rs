//! The process that outlives weir, so that nothing of a stack does.
//!
//! weir starts itself again as `weir guard`, once for each program, and keeps a pipe to it. The
//! guardian starts the server and adopts whatever the server leaves behind (it is a "child
//! subreaper"), so a grandchild that changed its session or process group is still found. When weir
//! orders a stop, or when the pipe closes because weir is gone (`kill -9` included), the guardian
//! asks the server to end, waits for the grace period, kills all that is left, and reaps it; what those had
//! in shared memory goes with them. If weir
//! went without a goodbye the last of a stack's guardians removes its folder too.
//!
//! Should the guardian be killed as well, the kernel kills the server's process group
//! ([`kernel::kill_group_at_close`]), and the keeper, which is a guardian of folders and of no server, clears away what
//! is left; should that be killed too, the next weir does.

use std::collections::BTreeSet;
use std::ffi::CStr;
use std::fs::File;
use std::io::Write as _;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant, SystemTime};

use nix::sys::resource::{UsageWho, getrusage};
use rustix::fs::Mode;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

use crate::process::bounded::{Bounded, bound};
use crate::process::cpu::CpuTime;
use crate::process::descendants::{descendants, kill, shared_memory};
use crate::process::events::{Event, read_orders, reap};
use crate::process::folder::{self, MASK};
use crate::process::keeper;
use crate::process::launch::launch;
use crate::process::leftovers::{clear_once_unused, leave};
use crate::process::order::{Order, Report, Spawn, StopSignal};

/// Pause between two rounds of killing; a fork that slipped through one round falls in the next.
const ROUND: Duration = Duration::from_millis(10);

/// The whole life of a guardian: orders on standard input, reports on standard output.
///
/// Its arguments change nothing: they tell who reads `ps` which program it watches.
///
/// Returns the exit code: 0 when weir said goodbye, 1 when it was gone, 2 when the guardian could
/// not take up its post.
pub fn main(_args: &[String]) -> u8 {
    // Not in weir's session: a Ctrl-C on the terminal is for weir, which then orders the stop.
    // A handler that does nothing, not "ignore": the server would inherit the latter.
    if let Err(error) = take_post() {
        report(&not_spawned(&error));
        return 2;
    }
    be_called(c"guardian");
    let mask = rustix::process::umask(Mode::from_raw_mode(MASK));
    rustix::process::umask(mask | Mode::from_raw_mode(MASK));
    let (sender, events) = channel();
    let orders = sender.clone();
    std::thread::spawn(move || read_orders(&orders));
    Guardian {
        events,
        sender,
        folder: None,
        kept: Vec::new(),
        server: None,
        abandoned: false,
        bounded: None,
    }
    .watch()
}

fn take_post() -> std::io::Result<()> {
    rustix::process::setsid()?;
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    deaf()
}

/// Hears the signals that end others, and does nothing about them.
fn deaf() -> std::io::Result<()> {
    let unread = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        flag::register(signal, Arc::clone(&unread))?;
    }
    Ok(())
}

struct Guardian {
    events: Receiver<Event>,
    sender: Sender<Event>,
    /// What it removes should weir die, and the lock on it.
    folder: Option<(PathBuf, Option<File>)>,
    /// What it clears away once nobody uses it, should weir die: a keeper has these, and no server.
    kept: Vec<PathBuf>,
    server: Option<Server>,
    abandoned: bool,
    /// Keeps the logs of the server bounded, its own files' too.
    bounded: Option<Bounded>,
}

struct Server {
    /// Once it is closed, the kernel kills the server's process group.
    _leash: Option<OwnedFd>,
    /// Names the process even after its id was given to another.
    handle: OwnedFd,
    launched: SystemTime,
    signal: StopSignal,
    grace: u64,
    exited: bool,
    childless: bool,
}

impl Guardian {
    fn watch(mut self) -> u8 {
        while let Ok(event) = self.events.recv() {
            match event {
                Event::Order(Order::Watch { folder }) => {
                    let lock = folder::lock(&folder);
                    self.folder = Some((folder, lock));
                }
                Event::Order(Order::Keep { folder }) => self.keep(folder),
                Event::Order(Order::Spawn(spawn)) => self.spawn(&spawn),
                Event::Order(Order::Stop { grace }) => {
                    let killed = self.end(Duration::from_millis(grace));
                    report(&Report::Gone {
                        killed,
                        cpu: spent(),
                    });
                }
                Event::Order(Order::Bye) => return 0,
                other => self.note(&other),
            }
            if self.abandoned {
                break;
            }
        }
        let grace = self.server.as_ref().map_or(0, |server| server.grace);
        self.end(Duration::from_millis(grace));
        if let Some((folder, hold)) = self.folder.take() {
            leave(&folder, hold);
        }
        for folder in &self.kept {
            clear_once_unused(folder);
        }
        1
    }

    fn keep(&mut self, folder: PathBuf) {
        be_called(keeper::COMMAND);
        self.kept.retain(|before| before.exists());
        self.kept.push(folder);
    }

    fn spawn(&mut self, spawn: &Spawn) {
        let folder = self.folder.as_ref().map(|(folder, _)| folder.as_path());
        match launch(spawn, folder) {
            Ok((pid, handle, launched, leash)) => {
                report(&Report::Spawned {
                    pid: pid.as_raw_nonzero().get().cast_unsigned(),
                });
                self.server = Some(Server {
                    _leash: leash,
                    handle,
                    launched,
                    signal: spawn.signal,
                    grace: spawn.grace,
                    exited: false,
                    childless: false,
                });
                let logs = [Some(&spawn.log), spawn.errors.as_ref()];
                self.bounded = Some(bound(logs.into_iter().flatten().cloned().collect()));
                let sender = self.sender.clone();
                std::thread::spawn(move || reap(pid, &sender));
            }
            Err(error) => report(&not_spawned(&error)),
        }
    }

    fn note(&mut self, event: &Event) {
        match (event, &mut self.server) {
            (Event::Abandoned, _) => self.abandoned = true,
            (Event::Exited(exit), Some(server)) => {
                server.exited = true;
                report(&Report::Exited(*exit));
            }
            (Event::Childless, Some(server)) => server.childless = true,
            _ => {}
        }
    }

    /// Ends the server and all it left behind; returns how many had to be killed.
    fn end(&mut self, grace: Duration) -> u32 {
        let Some(server) = &self.server else { return 0 };
        let _ = rustix::process::pidfd_send_signal(&server.handle, server.signal.signal());
        let launched = server.launched;
        let deadline = Instant::now() + grace;
        while self.server.as_ref().is_some_and(|server| !server.exited) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || !self.note_within(left) {
                break;
            }
        }
        // Who has ended and left nothing says so at once: nobody needs to be looked for.
        let lingers = |server: &Server| server.exited && !server.childless;
        if self.server.as_ref().is_some_and(lingers) {
            self.note_within(ROUND);
        }
        let (mut killed, mut debris) = (BTreeSet::new(), BTreeSet::new());
        while self.server.as_ref().is_some_and(|server| !server.childless) {
            let family = descendants(std::process::id());
            for pid in &family {
                debris.extend(shared_memory(*pid, launched));
            }
            for pid in family {
                kill(pid);
                killed.insert(pid);
            }
            self.note_within(ROUND);
        }
        for file in debris {
            let _ = std::fs::remove_file(file);
        }
        killed.len() as u32
    }

    /// Whether something happened within that time.
    fn note_within(&mut self, limit: Duration) -> bool {
        let heard = self.events.recv_timeout(limit);
        heard.inspect(|event| self.note(event)).is_ok()
    }
}

/// CPU time of everything that was reaped here: the server, and what it left or had reaped itself.
fn spent() -> CpuTime {
    let Ok(usage) = getrusage(UsageWho::RUSAGE_CHILDREN) else {
        return CpuTime::default();
    };
    let times = [usage.user_time(), usage.system_time()];
    let [user, system] = times.map(|time| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6);
    CpuTime { user, system }
}

/// What `ps` and `pkill` call this process; by the file that it was started from, it would be weir.
fn be_called(name: &CStr) {
    let _ = rustix::thread::set_name(name);
}

fn not_spawned(error: &std::io::Error) -> Report {
    Report::NotSpawned {
        problem: error.to_string(),
        number: error.raw_os_error(),
    }
}

/// Tells weir; if weir is gone there is nobody to tell, and the pipe's end says what to do.
fn report(report: &Report) {
    if let Ok(line) = serde_json::to_string(report) {
        let mut stdout = std::io::stdout().lock();
        let _ = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
    }
}
