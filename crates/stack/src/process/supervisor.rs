use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::error::{Result, StackError};
use crate::process::cpu::CpuTime;
use crate::process::descendants::{birth, descendants, kill, state};
use crate::process::kept::GuardCommand;
use crate::process::order::{Exit, Order, Report, Spawn};

/// Longest time a guardian may take over the spawn, and over the kill after the grace period.
const GUARDIAN_LIMIT: Duration = Duration::from_secs(10);

/// Longest time between the signal and the kill when nobody waits for the server's last words.
const HURRY: Duration = Duration::from_secs(1);

/// One guardian, and the server it watches once it was told to start one.
///
/// Dropped before [`Supervised::dismiss`], it ends the server and removes the folder, as if weir had died.
#[derive(Debug)]
pub(crate) struct Supervised {
    entry: String,
    guardian: Child,
    orders: Option<ChildStdin>,
    reports: Receiver<Report>,
    server: Option<Server>,
    /// Processors for what it starts; empty for all.
    cpus: Vec<usize>,
    /// How long its guardian may take to go once weir has let go of it.
    patience: Duration,
}

/// A server that was asked to end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopping {
    /// Whether its guardian heard it.
    ordered: bool,
    deadline: Instant,
}

#[derive(Clone, Copy, Debug)]
struct Server {
    pid: u32,
    /// See [`birth`].
    birth: Option<u64>,
    grace: Duration,
    exit: Option<Exit>,
    gone: bool,
    /// CPU time of it and of all that it started, once that is gone.
    cpu: CpuTime,
}

impl Supervised {
    /// Starts a guardian that removes `folder` should weir die.
    pub(crate) fn open(guard: &GuardCommand, entry: &str, folder: &Path) -> Result<Self> {
        let doing = format!("starting the guardian `{}`", guard.program.display());
        let mut guardian = guard
            .command("guardian")
            .arg(entry)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(StackError::system(doing))?;
        let stdout = guardian.stdout.take().expect("it is piped");
        let (sender, reports) = channel();
        let listen = move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if let Ok(report) = serde_json::from_str(&line) {
                    let _ = sender.send(report);
                }
            }
        };
        std::thread::Builder::new()
            .spawn(listen)
            .map_err(StackError::system("starting a thread for a guardian"))?;
        let orders = guardian.stdin.take();
        let mut supervised = Self {
            entry: entry.to_owned(),
            guardian,
            orders,
            reports,
            server: None,
            cpus: Vec::new(),
            patience: GUARDIAN_LIMIT,
        };
        let folder = folder.to_owned();
        supervised.order(&Order::Watch { folder })?;
        Ok(supervised)
    }

    /// What it starts runs on these processors; on all if there are none.
    pub(crate) fn on(mut self, cpus: Vec<usize>) -> Self {
        self.cpus = cpus;
        self
    }

    /// Starts the server.
    pub(crate) fn launch(&mut self, spawn: Spawn) -> Result<()> {
        let cpus = self.cpus.clone();
        let spawn = Spawn { cpus, ..spawn };
        let (grace, argv) = (Duration::from_millis(spawn.grace), spawn.argv.clone());
        self.patience = grace + GUARDIAN_LIMIT;
        self.order(&Order::Spawn(spawn))?;
        match self.reports.recv_timeout(GUARDIAN_LIMIT) {
            Ok(Report::Spawned { pid }) => {
                self.server = Some(Server {
                    pid,
                    birth: birth(pid),
                    grace,
                    exit: None,
                    gone: false,
                    cpu: CpuTime::default(),
                });
                Ok(())
            }
            Ok(Report::NotSpawned { problem, number }) => Err(StackError::System {
                doing: format!("starting `{}`", argv.first().map_or("", |name| name)),
                error: number.map_or_else(
                    || std::io::Error::other(problem),
                    std::io::Error::from_raw_os_error,
                ),
            }),
            _ => {
                self.patience = Duration::ZERO;
                Err(self.problem("did not start it"))
            }
        }
    }

    /// Process id of the server itself; 0 before it was launched.
    pub(crate) fn pid(&self) -> u32 {
        self.server.map_or(0, |server| server.pid)
    }

    /// When the server began, in clock ticks since boot; `None` where it had ended at once, and before it was launched.
    pub(crate) fn birth(&self) -> Option<u64> {
        self.server.and_then(|server| server.birth)
    }

    /// CPU time of the server and of all that it started; none before it was stopped.
    pub(crate) fn cpu(&self) -> CpuTime {
        self.server
            .map_or_else(CpuTime::default, |server| server.cpu)
    }

    /// Process id of the guardian, under which the whole family lives.
    pub(crate) fn guardian_pid(&self) -> u32 {
        self.guardian.id()
    }

    /// How the server ended, if it did within that time.
    pub(crate) fn exit_within(&mut self, limit: Duration) -> Option<Exit> {
        let known = |this: &Self| this.server.and_then(|server| server.exit);
        let deadline = Instant::now() + limit;
        while known(self).is_none() && self.hear(deadline) {}
        known(self)
    }

    /// Whether the guardian itself still lives, and has done what it was told. One that is killed hears nothing any more for a moment
    /// before it can be waited for.
    pub(crate) fn guarded(&mut self) -> bool {
        !self.patience.is_zero() && matches!(self.guardian.try_wait(), Ok(None))
    }

    /// Ends the server and everything it started: politely, or in a `hurry` with little patience.
    pub(crate) fn stop(&mut self, hurry: bool) -> Result<()> {
        let asked = self.ask_to_stop(hurry);
        self.stopped(asked)
    }

    /// Begins to end the server as [`Self::stop`] does; `None` where none was launched.
    pub(crate) fn ask_to_stop(&mut self, hurry: bool) -> Option<Stopping> {
        let server = self.server?;
        let most = if hurry { HURRY } else { Duration::MAX };
        let grace = server.grace.min(most);
        let ordered = self.order(&Order::Stop {
            grace: grace.as_millis() as u64,
        });
        Some(Stopping {
            ordered: ordered.is_ok(),
            deadline: Instant::now() + grace + GUARDIAN_LIMIT,
        })
    }

    /// Waits for the end of what was asked to stop.
    pub(crate) fn stopped(&mut self, asked: Option<Stopping>) -> Result<()> {
        let (Some(server), Some(asked)) = (self.server, asked) else {
            return Ok(());
        };
        let gone = |this: &Self| this.server.is_some_and(|server| server.gone);
        while !gone(self) && self.hear(asked.deadline) {}
        if asked.ordered && gone(self) {
            return Ok(());
        }
        let problem = match state(self.guardian_pid()) {
            Some('T' | 't') => "is stopped and could not end it",
            _ => "could not end it",
        };
        let error = self.problem(&format!("{problem}; weir killed what it could see"));
        kill_family(server);
        self.patience = Duration::ZERO;
        Err(error)
    }

    /// Lets the guardian go, once the folder it watches was removed.
    pub(crate) fn dismiss(mut self) {
        let _ = self.order(&Order::Bye);
    }

    /// Takes in one report; `false` when none came before the deadline, or none can come.
    fn hear(&mut self, deadline: Instant) -> bool {
        let left = deadline.saturating_duration_since(Instant::now());
        match (self.reports.recv_timeout(left), &mut self.server) {
            (Ok(Report::Exited(exit)), Some(server)) => server.exit = Some(exit),
            (Ok(Report::Gone { cpu, .. }), Some(server)) => {
                server.gone = true;
                server.cpu = cpu;
            }
            (Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected), _) => return false,
            _ => {}
        }
        true
    }

    fn order(&mut self, order: &Order) -> Result<()> {
        let line = serde_json::to_string(order).expect("orders are plain values");
        let pipe = self.orders.as_mut();
        if pipe.is_some_and(|pipe| writeln!(pipe, "{line}").is_ok()) {
            return Ok(());
        }
        Err(self.problem("is gone"))
    }

    fn problem(&self, problem: &str) -> StackError {
        StackError::Guardian {
            entry: self.entry.clone(),
            problem: problem.to_owned(),
        }
    }
}

/// When the guardian was killed: the family is still found from the server down, unless the
/// server's id belongs to somebody else by now.
fn kill_family(server: Server) {
    if server.birth.is_some() && birth(server.pid) == server.birth {
        let family = descendants(server.pid);
        kill(server.pid);
        family.into_iter().for_each(kill);
    }
}

impl Drop for Supervised {
    /// A guardian ends when its orders do. One that is stopped, or hangs, is killed with all that it watches:
    /// nobody waits for it without end.
    fn drop(&mut self) {
        self.orders = None;
        let deadline = Instant::now() + self.patience;
        let ended = loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.reports.recv_timeout(left) {
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => break false,
                Err(RecvTimeoutError::Disconnected) => break true,
            }
        };
        if !ended {
            let family = descendants(self.guardian_pid());
            family.into_iter().for_each(kill);
            let _ = self.guardian.kill();
        }
        let _ = self.guardian.wait();
    }
}
