use std::fs::File;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

use crate::error::{StackError, shortage};
use crate::process::bounded;
use crate::process::kept::{GuardCommand, KeptFolder};
use crate::process::order::{Exit, Spawn, StopSignal};

/// How long what a program did in time may take to be heard of.
const LATE: Duration = Duration::from_millis(100);

/// What a short command printed, and how it ended.
pub(crate) struct Captured {
    /// `None`: it did not end in time and was killed.
    pub(crate) exit: Option<Exit>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// The disk that it printed to is full: it may have said more.
    pub(crate) full: bool,
}

impl Captured {
    pub(crate) fn succeeded(&self) -> bool {
        self.exit == Some(Exit::Code(0))
    }

    /// How it ended, as a person says it.
    pub(crate) fn how(&self) -> String {
        let words = self.exit.map(Exit::words);
        words.unwrap_or_else(|| "did not end in time".to_owned())
    }

    /// The system's number of what the machine ran out of, if that is why it failed.
    pub(crate) fn shortage(&self) -> Option<i32> {
        let told = shortage::told(&self.everything());
        let full = || self.full.then(|| rustix::io::Errno::NOSPC.raw_os_error());
        // who prints nothing and is content met a full disk perhaps
        if self.succeeded() && !self.everything().trim().is_empty() {
            None
        } else {
            told.or_else(full)
        }
    }

    /// Standard output and error, one after the other.
    pub(crate) fn everything(&self) -> String {
        format!("{}\n{}", self.stdout, self.stderr)
    }
}

/// Who guards short commands.
static POST: Mutex<Option<Post>> = Mutex::new(None);

/// The guardian of short commands, one after the other: started with the first of them, and anew for those of another
/// network, as they may ask a server in it.
struct Post {
    guard: GuardCommand,
    room: Option<KeptFolder>,
    /// The network namespace in which the guardian was started.
    network: Option<PathBuf>,
}

/// While this lives, nothing of this process's short commands (version probes, tests of configurations)
/// outlives it, however it ends.
#[derive(Debug)]
#[must_use = "short commands are guarded for as long as this lives"]
pub struct GuardedCommands(());

/// Puts the short commands of this process under a guardian.
pub fn guard_commands(guard: GuardCommand) -> GuardedCommands {
    let post = Post {
        guard,
        room: None,
        network: None,
    };
    *POST.lock().unwrap_or_else(PoisonError::into_inner) = Some(post);
    GuardedCommands(())
}

impl Drop for GuardedCommands {
    fn drop(&mut self) {
        *POST.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// Why a short command was not run.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unrun {
    /// The program is not there, or is none.
    #[error("{0}")]
    Program(std::io::Error),
    /// What weir needs for it: a folder, a file, a guardian.
    #[error("{0}")]
    Around(#[from] StackError),
}

impl Unrun {
    /// The error in other words where it is the program's own.
    pub(crate) fn or(self, program: impl FnOnce(std::io::Error) -> StackError) -> StackError {
        match self {
            Self::Program(error) => program(error),
            Self::Around(error) => error,
        }
    }

    /// What the system said of the program itself, or of what is missing to start any.
    fn of(error: std::io::Error) -> Self {
        use std::io::ErrorKind::{ExecutableFileBusy, NotADirectory, NotFound, PermissionDenied};
        let own = [
            NotFound,
            PermissionDenied,
            NotADirectory,
            ExecutableFileBusy,
        ];
        let no_program = Some(rustix::io::Errno::NOEXEC.raw_os_error());
        if own.contains(&error.kind()) || error.raw_os_error() == no_program {
            return Self::Program(error);
        }
        Self::Around(StackError::System {
            doing: "starting a command".to_owned(),
            error,
        })
    }
}

/// Runs a short command in its own process group and waits for it, at most `limit`; nothing that it started
/// stays where it is guarded.
///
/// It prints into files and not into pipes: a child it left behind cannot keep weir waiting.
pub(crate) fn capture(
    argv: &[String],
    cwd: Option<&Path>,
    env: &[(String, String)],
    limit: Duration,
) -> Result<Captured, Unrun> {
    let mut post = POST.lock().unwrap_or_else(PoisonError::into_inner);
    match &mut *post {
        Some(post) => post.capture(argv, cwd, env, limit),
        None => unguarded(argv, cwd, env, limit).map_err(Unrun::of),
    }
}

impl Post {
    fn capture(
        &mut self,
        argv: &[String],
        cwd: Option<&Path>,
        env: &[(String, String)],
        limit: Duration,
    ) -> Result<Captured, Unrun> {
        let here = std::fs::read_link("/proc/thread-self/ns/net").ok();
        let mut room = match self.room.take() {
            Some(room) if self.network == here => room,
            _ => KeptFolder::new(&self.guard, "commands")?,
        };
        self.network = here;
        let [stdout, stderr] = ["stdout", "stderr"].map(|name| room.path().join(name));
        for file in [&stdout, &stderr] {
            File::create(file).map_err(StackError::file("writing", file))?;
        }
        let cwd = match cwd {
            Some(cwd) => cwd.to_owned(),
            None => std::env::current_dir().map_err(StackError::system(
                "looking at the folder that weir runs in",
            ))?,
        };
        let place = room.path().to_owned();
        let guardian = room.guardian();
        let launched = guardian.launch(Spawn {
            argv: argv.to_vec(),
            env: env.to_vec(),
            unset: Vec::new(),
            cwd,
            log: stdout.clone(),
            errors: Some(stderr.clone()),
            cpus: Vec::new(),
            signal: StopSignal::Term,
            grace: 0,
        });
        let launched = launched.map_err(|error| match error {
            StackError::System { error, .. } => Unrun::of(error),
            other => Unrun::Around(other),
        });
        let captured = launched.and_then(|()| {
            let exit = guardian.exit_within(limit);
            // where time ran while weir itself was stopped, what was said meanwhile is heard
            let exit = exit.or_else(|| guardian.exit_within(LATE));
            guardian.stop(false)?;
            let read = |file: &Path| {
                let text = File::open(file).and_then(|mut file| bounded::text(&mut file));
                text.map_err(StackError::file("reading", file))
            };
            Ok(Captured {
                exit,
                stdout: read(&stdout)?,
                stderr: read(&stderr)?,
                full: shortage::is_full(&place),
            })
        });
        // A guardian that failed goes, and the next command has another.
        if room.guardian().guarded() {
            self.room = Some(room);
        }
        captured
    }
}

fn unguarded(
    argv: &[String],
    cwd: Option<&Path>,
    env: &[(String, String)],
    limit: Duration,
) -> std::io::Result<Captured> {
    let (name, arguments) = argv.split_first().ok_or(std::io::ErrorKind::InvalidInput)?;
    let (stdout, stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
    let mut command = Command::new(name);
    command
        .args(arguments)
        .envs(env.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::null())
        .stdout(stdout.try_clone()?)
        .stderr(stderr.try_clone()?)
        .process_group(0);
    if let Some(cwd) = cwd {
        command.current_dir(cwd);
    }
    let mut child = command.spawn()?;
    let group = Pid::from_child(&child);
    let (ended, end) = mpsc::channel();
    let waiter = std::thread::spawn(move || ended.send(child.wait()));
    let status = if let Ok(status) = end.recv_timeout(limit) {
        Some(status?)
    } else {
        let _ = kill_process_group(group, Signal::KILL);
        let _ = end.recv();
        None
    };
    let _ = waiter.join();
    Ok(Captured {
        exit: status.map(exit),
        stdout: bounded::text(&mut { stdout })?,
        stderr: bounded::text(&mut { stderr })?,
        full: shortage::is_full(&std::env::temp_dir()),
    })
}

fn exit(status: ExitStatus) -> Exit {
    match (status.code(), status.signal()) {
        (Some(code), _) => Exit::Code(code),
        (None, signal) => Exit::Signal(signal.unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Captured {
        let argv = ["sh", "-c", script].map(str::to_owned);
        capture(&argv, None, &[], limit).unwrap()
    }

    #[test]
    fn keeps_both_streams_and_the_code() {
        let captured = shell("echo out; echo err >&2; exit 3", Duration::from_secs(20));
        assert_eq!(
            (captured.stdout.as_str(), captured.stderr.as_str()),
            ("out\n", "err\n")
        );
        assert_eq!(captured.how(), "ended with code 3");
    }

    #[test]
    fn a_command_that_hangs_is_killed() {
        let captured = shell("sleep 600", Duration::from_millis(50));
        assert!(!captured.succeeded());
        assert_eq!(captured.how(), "did not end in time");
    }
}
