//! Why a process cannot be profiled.

use std::fs;

use crate::process::{Process, Refused};
use crate::tree::tree;

/// Why no stack of a process, and of those that it has started, can be read.
#[derive(Debug, thiserror::Error)]
pub enum NotReadable {
    /// There is no such process.
    #[error("there is no process {0}")]
    Gone(u32),
    /// The system does not let weir look.
    #[error("process {pid} cannot be looked into: {why}")]
    Hidden {
        /// The process.
        pid: u32,
        /// The system's words.
        why: String,
    },
    /// It is of the runtime, and its stacks are not found.
    #[error("the stacks of process {pid} cannot be read: {why}")]
    Unreadable {
        /// The process.
        pid: u32,
        /// What is the matter.
        why: String,
    },
}

impl NotReadable {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Gone(_) => "`ps -ef` lists those that there are",
            Self::Hidden { .. } => {
                "run weir as the user of that process, or as root; where `kernel.yama.ptrace_scope` is 1 or `kernel.perf_event_paranoid` above 2, as root only"
            }
            Self::Unreadable { .. } => {
                "weir reads CPython 2.7 and 3.3 to 3.15, not its free-threaded builds, and CRuby 1.9 to 4.0; one that has just started is not ready yet"
            }
        }
    }
}

/// Whether there are stacks to read of a process or of one that it has started.
///
/// # Errors
/// Why not.
pub fn readable(pid: u32) -> Result<(), NotReadable> {
    let is_there = || fs::exists(format!("/proc/{pid}")).unwrap_or(false);
    if !is_there() {
        return Err(NotReadable::Gone(pid));
    }
    // what is the matter with the one that was asked for says more than of one that it has started, and that may be gone
    let mut first = None;
    for pid in tree(pid) {
        let refused = match Process::attach(pid, 1.0) {
            Ok(mut process) => match process.problem() {
                None => return Ok(()),
                Some(why) => NotReadable::Hidden { pid, why },
            },
            Err(Refused::Hidden(why)) => NotReadable::Hidden { pid, why },
            Err(Refused::Unreadable(why)) => NotReadable::Unreadable { pid, why },
        };
        first.get_or_insert(refused);
    }
    // it may have ended meanwhile
    let refused = first.filter(|_| is_there());
    Err(refused.unwrap_or(NotReadable::Gone(pid)))
}
