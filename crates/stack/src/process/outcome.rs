//! What comes of a short command.

use crate::error::{StackError, shortage};
use crate::process::order::Exit;

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
    pub(super) fn of(error: std::io::Error) -> Self {
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
