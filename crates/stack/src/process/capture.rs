use std::fs::File;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tempfile::TempDir;

use crate::error::{FOLDER, StackError, shortage};
use crate::path;
use crate::process::bounded;
use crate::process::kept::{GuardCommand, KeptFolder};
use crate::process::order::{Exit, Spawn, StopSignal};
use crate::process::outcome::{Captured, Unrun};

/// How long what a program did in time may take to be heard of.
const LATE: Duration = Duration::from_millis(100);
/// What programs take for their user's home, and for the places in it where they keep things.
const HOMES: [&str; 6] = [
    "HOME",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
    "TMPDIR",
];

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

/// Names and values of variables.
type Env = Vec<(String, String)>;

/// A short command.
struct Short<'a> {
    argv: &'a [String],
    cwd: Option<&'a Path>,
    env: &'a [(String, String)],
    limit: Duration,
    /// Whether it has a home of its own, which is removed after it.
    away: bool,
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
    run(&Short {
        argv,
        cwd,
        env,
        limit,
        away: false,
    })
}

/// The same in a home of its own: what it leaves there goes with it.
pub(crate) fn capture_away(argv: &[String], limit: Duration) -> Result<Captured, Unrun> {
    run(&Short {
        argv,
        cwd: None,
        env: &[],
        limit,
        away: true,
    })
}

fn run(short: &Short<'_>) -> Result<Captured, Unrun> {
    let mut post = POST.lock().unwrap_or_else(PoisonError::into_inner);
    match &mut *post {
        Some(post) => post.capture(short),
        None => unguarded(short).map_err(Unrun::of),
    }
}

impl Short<'_> {
    /// Its environment beside weir's own, with the home that it has in this place, if it has one.
    fn env_in(&self, place: &Path) -> std::io::Result<(Env, Option<TempDir>)> {
        let mut env = self.env.to_vec();
        if !self.away {
            return Ok((env, None));
        }
        let home = tempfile::tempdir_in(place)?;
        let path = home.path().to_string_lossy().into_owned(); // weir's own places are plain
        env.extend(HOMES.map(|name| (name.to_owned(), path.clone())));
        Ok((env, Some(home)))
    }
}

impl Post {
    fn capture(&mut self, short: &Short<'_>) -> Result<Captured, Unrun> {
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
        let cwd = match short.cwd {
            Some(cwd) => cwd.to_owned(),
            None => std::env::current_dir().map_err(StackError::system(
                "looking at the folder that weir runs in",
            ))?,
        };
        let place = room.path().to_owned();
        let (env, _home) = short.env_in(&place).map_err(StackError::system(FOLDER))?;
        let guardian = room.guardian();
        let launched = guardian.launch(Spawn {
            argv: short.argv.to_vec(),
            env,
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
            let exit = guardian.exit_within(short.limit);
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

fn unguarded(short: &Short<'_>) -> std::io::Result<Captured> {
    let words = short.argv.split_first();
    let (name, arguments) = words.ok_or(std::io::ErrorKind::InvalidInput)?;
    let (env, _home) = short.env_in(&path::temporary())?;
    let (stdout, stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
    let mut command = Command::new(name);
    command
        .args(arguments)
        .envs(env)
        .stdin(Stdio::null())
        .stdout(stdout.try_clone()?)
        .stderr(stderr.try_clone()?)
        .process_group(0);
    if let Some(cwd) = short.cwd {
        command.current_dir(cwd);
    }
    let mut child = command.spawn()?;
    let group = Pid::from_child(&child);
    let (ended, end) = mpsc::channel();
    let waiter = std::thread::spawn(move || ended.send(child.wait()));
    let status = if let Ok(status) = end.recv_timeout(short.limit) {
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
    fn what_is_left_in_a_home_of_its_own_goes_with_it() {
        let script = "echo \"$HOME\"; echo \"$XDG_CONFIG_HOME\"; mkdir -p \"$HOME/.kept/deep\"";
        let argv = ["sh", "-c", script].map(str::to_owned);
        let captured = capture_away(&argv, Duration::from_secs(20)).unwrap();
        assert!(captured.succeeded(), "{}", captured.stderr);
        let mut told = captured.stdout.lines();
        let home = told.next().unwrap();
        assert_ne!(Some(home), std::env::var("HOME").ok().as_deref());
        assert_eq!(told.next(), Some(home));
        assert!(Path::new(home).is_absolute() && !Path::new(home).exists());
    }

    #[test]
    fn a_command_that_hangs_is_killed() {
        let captured = shell("sleep 600", Duration::from_millis(50));
        assert!(!captured.succeeded());
        assert_eq!(captured.how(), "did not end in time");
    }
}
