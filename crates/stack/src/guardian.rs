//! The process that outlives weir, so that nothing of a stack does.
//!
//! weir starts itself again as `weir guard`, once for each program, and keeps a pipe to it. The
//! guardian starts the server and adopts whatever the server leaves behind (it is a "child
//! subreaper"), so a grandchild that changed its session or process group is still found. When weir
//! orders a stop, or when the pipe closes because weir is gone (`kill -9` included), the guardian
//! asks the server to end, waits for the grace period, kills all that is left, and reaps it; what those had
//! in shared memory goes with them. If weir
//! went without a goodbye it removes the stack's folder too.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::{BufRead as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant, SystemTime};

use rustix::process::{Pid, PidfdFlags, WaitOptions, WaitStatus};

use crate::debris::shared_memory;
use crate::descendants::{descendants, kill};
use crate::order::{Exit, Order, Report, Spawn, StopSignal};

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
    let posted = rustix::process::setsid().is_ok()
        && rustix::process::set_child_subreaper(Some(rustix::process::getpid())).is_ok()
        && ctrlc::set_handler(|| ()).is_ok();
    if !posted {
        return 2;
    }
    let (sender, events) = channel();
    let orders = sender.clone();
    std::thread::spawn(move || read_orders(&orders));
    Guardian {
        events,
        sender,
        folder: None,
        server: None,
        abandoned: false,
    }
    .watch()
}

/// What a guardian waits for.
enum Event {
    Order(Order),
    /// The pipe closed: weir is gone.
    Abandoned,
    Exited(Exit),
    /// No child is left, and so nothing that could have one.
    Childless,
}

struct Guardian {
    events: Receiver<Event>,
    sender: Sender<Event>,
    folder: Option<PathBuf>,
    server: Option<Server>,
    abandoned: bool,
}

struct Server {
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
                Event::Order(Order::Watch { folder }) => self.folder = Some(folder),
                Event::Order(Order::Spawn(spawn)) => self.spawn(&spawn),
                Event::Order(Order::Stop { grace }) => {
                    let killed = self.end(Duration::from_millis(grace));
                    report(&Report::Gone { killed });
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
        if let Some(folder) = &self.folder {
            let _ = std::fs::remove_dir_all(folder);
        }
        1
    }

    fn spawn(&mut self, spawn: &Spawn) {
        match launch(spawn) {
            Ok((pid, handle, launched)) => {
                report(&Report::Spawned {
                    pid: pid.as_raw_nonzero().get().cast_unsigned(),
                });
                self.server = Some(Server {
                    handle,
                    launched,
                    signal: spawn.signal,
                    grace: spawn.grace,
                    exited: false,
                    childless: false,
                });
                let sender = self.sender.clone();
                std::thread::spawn(move || reap(pid, &sender));
            }
            Err(error) => report(&Report::NotSpawned {
                problem: error.to_string(),
            }),
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
        if self
            .server
            .as_ref()
            .is_some_and(|server| server.exited && !server.childless)
        {
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
        match self.events.recv_timeout(limit) {
            Ok(event) => {
                self.note(&event);
                true
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => false,
        }
    }
}

fn read_orders(orders: &Sender<Event>) {
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        if let Ok(order) = serde_json::from_str(&line) {
            let _ = orders.send(Event::Order(order));
        }
    }
    let _ = orders.send(Event::Abandoned);
}

/// Takes the exit status of every child, adopted ones included, until there is none.
fn reap(server: Pid, events: &Sender<Event>) {
    loop {
        match rustix::process::wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if pid == server => {
                let _ = events.send(Event::Exited(exit(status)));
            }
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => {
                let _ = events.send(Event::Childless);
                return;
            }
        }
    }
}

fn exit(status: WaitStatus) -> Exit {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => Exit::Code(code),
        (None, signal) => Exit::Signal(signal.unwrap_or_default()),
    }
}

/// The process, a handle to it, and when its log was opened: files that it makes are not older.
fn launch(spawn: &Spawn) -> std::io::Result<(Pid, OwnedFd, SystemTime)> {
    let (program, arguments) = spawn
        .argv
        .split_first()
        .ok_or(std::io::ErrorKind::InvalidInput)?;
    let open = |file: &PathBuf| OpenOptions::new().create(true).append(true).open(file);
    let log = open(&spawn.log)?;
    let errors = match &spawn.errors {
        Some(file) => open(file)?,
        None => log.try_clone()?,
    };
    let opened = log.metadata()?.modified()?;
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(&spawn.cwd)
        .stdin(Stdio::null())
        .stdout(log)
        .stderr(errors)
        .process_group(0);
    for name in &spawn.unset {
        command.env_remove(name);
    }
    command.envs(spawn.env.iter().map(|(name, value)| (name, value)));
    let child = command.spawn()?;
    let pid = Pid::from_child(&child);
    let handle = rustix::process::pidfd_open(pid, PidfdFlags::empty())?;
    Ok((pid, handle, opened))
}

/// Tells weir; if weir is gone there is nobody to tell, and the pipe's end says what to do.
fn report(report: &Report) {
    if let Ok(line) = serde_json::to_string(report) {
        let mut stdout = std::io::stdout().lock();
        let _ = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
    }
}
