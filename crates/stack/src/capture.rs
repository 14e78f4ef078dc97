use std::fs::File;
use std::io::{Read as _, Seek as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

use crate::error::StackError;
use crate::kept::KeptFolder;
use crate::order::{Exit, Spawn, StopSignal};
use crate::supervisor::GuardCommand;

/// What a short command printed, and how it ended.
pub(crate) struct Captured {
    /// `None`: it did not end in time and was killed.
    pub(crate) exit: Option<Exit>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Captured {
    pub(crate) fn succeeded(&self) -> bool {
        self.exit == Some(Exit::Code(0))
    }

    /// How it ended, as a person says it.
    pub(crate) fn how(&self) -> String {
        self.exit
            .map_or_else(|| "did not end in time".to_owned(), Exit::words)
    }

    /// Standard output and error, one after the other.
    pub(crate) fn everything(&self) -> String {
        format!("{}\n{}", self.stdout, self.stderr)
    }
}

/// Who guards short commands.
static POST: Mutex<Option<Post>> = Mutex::new(None);

/// The guardian of short commands, one after the other: started with the first of them.
struct Post {
    guard: GuardCommand,
    room: Option<KeptFolder>,
}

/// While this lives, nothing of this process's short commands (version probes, tests of configurations)
/// outlives it, however it ends.
#[derive(Debug)]
#[must_use = "short commands are guarded for as long as this lives"]
pub struct GuardedCommands(());

/// Puts the short commands of this process under a guardian.
pub fn guard_commands(guard: GuardCommand) -> GuardedCommands {
    let post = Post { guard, room: None };
    *POST.lock().unwrap_or_else(PoisonError::into_inner) = Some(post);
    GuardedCommands(())
}

impl Drop for GuardedCommands {
    fn drop(&mut self) {
        *POST.lock().unwrap_or_else(PoisonError::into_inner) = None;
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
) -> std::io::Result<Captured> {
    let mut post = POST.lock().unwrap_or_else(PoisonError::into_inner);
    match &mut *post {
        Some(post) => post.capture(argv, cwd, env, limit),
        None => unguarded(argv, cwd, env, limit),
    }
}

impl Post {
    fn capture(
        &mut self,
        argv: &[String],
        cwd: Option<&Path>,
        env: &[(String, String)],
        limit: Duration,
    ) -> std::io::Result<Captured> {
        let mut room = match self.room.take() {
            Some(room) => room,
            None => KeptFolder::new(&self.guard, "commands").map_err(io_error)?,
        };
        let [stdout, stderr] = ["stdout", "stderr"].map(|name| room.path().join(name));
        for file in [&stdout, &stderr] {
            File::create(file)?;
        }
        let cwd = match cwd {
            Some(cwd) => cwd.to_owned(),
            None => std::env::current_dir()?,
        };
        let guardian = room.guardian();
        let launched = guardian.launch(Spawn {
            argv: argv.to_vec(),
            env: env.to_vec(),
            unset: Vec::new(),
            cwd,
            log: stdout.clone(),
            errors: Some(stderr.clone()),
            signal: StopSignal::Term,
            grace: 0,
        });
        let captured = launched.map_err(io_error).and_then(|()| {
            let exit = guardian.exit_within(limit);
            guardian.stop(false).map_err(io_error)?;
            Ok(Captured {
                exit,
                stdout: text(File::open(&stdout)?)?,
                stderr: text(File::open(&stderr)?)?,
            })
        });
        // A guardian that failed goes, and the next command has another.
        if room.guardian().guarded() {
            self.room = Some(room);
        }
        captured
    }
}

fn io_error(error: StackError) -> std::io::Error {
    match error {
        StackError::System { error, .. } => error,
        other => std::io::Error::other(other),
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
        stdout: text(stdout)?,
        stderr: text(stderr)?,
    })
}

fn exit(status: ExitStatus) -> Exit {
    match (status.code(), status.signal()) {
        (Some(code), _) => Exit::Code(code),
        (None, signal) => Exit::Signal(signal.unwrap_or_default()),
    }
}

fn text(mut file: File) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
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
