use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::error::{Result, StackError};
use crate::process::bounded;
use crate::process::cpu::CpuTime;
use crate::process::kept::{GuardCommand, KeptFolder};
use crate::process::order::{Exit, Spawn, StopSignal};

/// How long a command that is to end may take to.
const GRACE: Duration = Duration::from_secs(2);

/// A command of the user's, under a guardian: nothing of it outlives this, however weir ends.
#[derive(Debug)]
pub struct Errand {
    room: KeptFolder,
    log: PathBuf,
    exit: Option<Exit>,
}

/// How a command ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Ran {
    /// In words: "ended with code 0", "did not end by itself".
    pub how: String,
    /// The code with which it ended by itself.
    pub code: Option<i32>,
    /// Whether it did not end by itself.
    pub late: bool,
    /// CPU time of it and of all that it started.
    pub cpu: CpuTime,
    /// The last lines that it printed.
    pub said: Vec<String>,
}

impl Errand {
    /// Makes a guardian for a command, which is not started yet.
    ///
    /// # Errors
    /// A folder or a guardian that the system refuses.
    pub fn new(guard: &GuardCommand) -> Result<Self> {
        let room = KeptFolder::new(guard, "errand")?;
        let log = room.path().join("command.log");
        Ok(Self {
            room,
            log,
            exit: None,
        })
    }

    /// The process below which everything will be that the command starts.
    pub fn guardian(&mut self) -> u32 {
        self.room.guardian().guardian_pid()
    }

    /// Starts the command in this folder, with these variables besides weir's own. What it prints is kept at its beginning and
    /// its end only.
    ///
    /// # Errors
    /// The program is not there, or cannot be started.
    pub fn start(&mut self, argv: &[String], env: Vec<(String, String)>, dir: &Path) -> Result<()> {
        let spawn = Spawn {
            argv: argv.to_vec(),
            env,
            unset: Vec::new(),
            cwd: dir.to_owned(),
            log: self.log.clone(),
            errors: None,
            cpus: Vec::new(),
            signal: StopSignal::Term,
            grace: GRACE.as_millis() as u64,
        };
        self.room.guardian().launch(spawn)
    }

    /// Process id of the command itself; 0 before it was started.
    pub fn pid(&mut self) -> u32 {
        self.room.guardian().pid()
    }

    /// Whether the command ended by itself within that time.
    pub fn ends_within(&mut self, limit: Duration) -> bool {
        self.exit = self.room.guardian().exit_within(limit);
        self.exit.is_some()
    }

    /// Ends what is left of it, and says how it went.
    ///
    /// # Errors
    /// The guardian was killed or stopped.
    pub fn end(mut self) -> Result<Ran> {
        self.room.guardian().stop(false)?;
        let exit = self.exit;
        let how = exit.map_or_else(|| "did not end by itself".to_owned(), Exit::words);
        Ok(Ran {
            how,
            code: match exit {
                Some(Exit::Code(code)) => Some(code),
                _ => None,
            },
            late: exit.is_none(),
            cpu: self.room.guardian().cpu(),
            said: bounded::tail(&self.log),
        })
    }
}

impl Drop for Errand {
    fn drop(&mut self) {
        let _ = self.room.guardian().stop(true);
    }
}

impl StackError {
    /// Whether it says that there is no such program, or none that can be run.
    pub fn is_no_program(&self) -> bool {
        use std::io::ErrorKind::{NotADirectory, NotFound, PermissionDenied};
        match self {
            Self::System { error, .. } => {
                let kinds = [NotFound, PermissionDenied, NotADirectory];
                let no_program = Some(rustix::io::Errno::NOEXEC.raw_os_error());
                kinds.contains(&error.kind()) || error.raw_os_error() == no_program
            }
            _ => false,
        }
    }
}
