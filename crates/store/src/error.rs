use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;
use rusqlite::ffi::SQLITE_IOERR_SHMSIZE;

/// Why the store could not be opened, read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The file or its folder cannot be created, read or written.
    #[error("cannot open the store `{}`: {reason}", path.display())]
    CannotOpen {
        /// The store.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// The disk is full.
    #[error("no space left to write to the store `{}`", path.display())]
    Full {
        /// The store.
        path: PathBuf,
        /// The run that was being written.
        run: Option<i64>,
    },
    /// The file was removed or replaced while it was open.
    #[error("the store `{}` was removed or replaced while weir wrote to it", .0.display())]
    Gone(PathBuf),
    /// Another process has kept the store locked for longer than writing a trial takes.
    #[error("the store `{}` is locked by another process", .0.display())]
    Locked(PathBuf),
    /// The file is something else.
    #[error("`{}` is not a weir store", .0.display())]
    NotAStore(PathBuf),
    /// The file is damaged.
    #[error("the store `{}` is damaged: {reason}", path.display())]
    Damaged {
        /// The store.
        path: PathBuf,
        /// What `SQLite` found.
        reason: String,
    },
    /// A later weir wrote the store.
    #[error(
        "the store `{}` has schema {found}, this weir knows up to {known}",
        path.display()
    )]
    TooNew {
        /// The store.
        path: PathBuf,
        /// Its schema's number.
        found: i64,
        /// The last schema that this weir knows.
        known: i64,
    },
    /// No run has this number.
    #[error("no run `{id}` in the store `{}`", path.display())]
    NoSuchRun {
        /// The number asked for.
        id: i64,
        /// The latest run's number, if there is any.
        latest: Option<i64>,
        /// The store.
        path: PathBuf,
    },
    /// A process of this machine measures it at this moment.
    #[error("run `{run}` of the store `{}` is being measured", path.display())]
    Measured {
        /// The run.
        run: i64,
        /// The store.
        path: PathBuf,
    },
    /// There is no run at all.
    #[error("the store `{}` has no run yet", .0.display())]
    Empty(PathBuf),
    /// This place in the run already has a trial.
    #[error("run `{run}` already has a trial of `{variant}` in block {block}")]
    AlreadySaved {
        /// The run.
        run: i64,
        /// The block, 0-based.
        block: u32,
        /// The variant.
        variant: String,
    },
    /// Facts that cannot be written down (a figure that is not a number) or not be read back.
    #[error("cannot keep or read {what}: {reason}")]
    Unreadable {
        /// Which facts.
        what: String,
        /// Why.
        reason: String,
    },
    /// Anything else that `SQLite` reports.
    #[error("the store `{}` failed: {reason}", path.display())]
    Failed {
        /// The store.
        path: PathBuf,
        /// What `SQLite` said.
        reason: String,
    },
}

impl StoreError {
    /// What to do or type next.
    pub fn hint(&self) -> Option<String> {
        let fixed = match self {
            Self::CannotOpen { .. } => {
                "check that its folder can be written to, or choose another place with `--store PATH`"
            }
            Self::Full { run, .. } => {
                let resume = run.map_or_else(|| "RUN".to_owned(), |run| run.to_string());
                return Some(format!(
                    "every finished trial is safe in it: free some space and go on with \
                     `weir run --resume {resume}`, or start anew on another disk with `--store PATH`"
                ));
            }
            Self::Gone(_) => {
                "what was measured is lost: start anew, with a store that nothing else removes (`--store PATH`)"
            }
            Self::Locked(_) => {
                "wait for the other weir to end, or use a store of your own with `--store PATH`"
            }
            Self::NotAStore(_) => {
                "choose another file with `--store PATH`; weir left this one as it was"
            }
            Self::Damaged { path, .. } => {
                return Some(format!(
                    "move it away and start a new one, or rescue what is readable: `sqlite3 {} .recover`",
                    path.display()
                ));
            }
            Self::TooNew { .. } => "update weir, or choose another store with `--store PATH`",
            Self::NoSuchRun {
                latest: Some(latest),
                ..
            } => {
                return Some(format!(
                    "`weir list` shows the runs; the latest is {latest}"
                ));
            }
            Self::Measured { .. } => {
                "wait until it has ended, or end it with Ctrl-C where it was started"
            }
            Self::NoSuchRun { latest: None, .. } | Self::Empty(_) => {
                "`weir try` in your app's folder makes the first one, or `weir bench URL` of what runs already; another \
                 store is read with `--store PATH`"
            }
            Self::AlreadySaved { run, .. } => {
                return Some(format!(
                    "another weir may be working on the same run: `weir show {run}` tells what is there"
                ));
            }
            Self::Unreadable { .. } => {
                "this is a bug in weir, or the store was written by another version: please report it"
            }
            Self::Failed { .. } => return None,
        };
        Some(fixed.to_owned())
    }

    /// Tells what `SQLite` met, by its result code.
    pub(crate) fn from_sqlite(path: &Path, error: &rusqlite::Error) -> Self {
        let (path, reason) = (path.to_owned(), error.to_string());
        let extended = error.sqlite_error().map_or(0, |e| e.extended_code);
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full { path, run: None },
            // the shared index of the write-ahead log could not grow
            _ if extended == SQLITE_IOERR_SHMSIZE => Self::Full { path, run: None },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Locked(path),
            Some(ErrorCode::NotADatabase) => Self::NotAStore(path),
            Some(ErrorCode::DatabaseCorrupt) => Self::Damaged { path, reason },
            Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
                Self::CannotOpen { path, reason }
            }
            _ => Self::Failed { path, reason },
        }
    }

    /// The same error, told for a run that was being written.
    #[must_use]
    pub(crate) fn during(self, run: i64) -> Self {
        match self {
            Self::Full { path, .. } => {
                let run = Some(run);
                Self::Full { path, run }
            }
            other => other,
        }
    }
}
