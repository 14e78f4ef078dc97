//! What weir and a guardian say to each other: one JSON value on each line.

use std::path::PathBuf;

use rustix::process::Signal;
use serde::{Deserialize, Serialize};

use crate::process::cpu::CpuTime;

/// From weir to the guardian, on its standard input.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Order {
    /// Remove this folder if weir dies without a `Bye`.
    Watch {
        #[serde(with = "crate::path")]
        folder: PathBuf,
    },
    /// Clear this folder away once weir is dead and no guardian uses it any more.
    Keep {
        #[serde(with = "crate::path")]
        folder: PathBuf,
    },
    /// Start the server.
    Spawn(Spawn),
    /// End it and everything it started; kill what is left after so many milliseconds.
    Stop { grace: u64 },
    /// All is cleared away; go.
    Bye,
}

/// What to start, and how it is ended.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Spawn {
    pub(crate) argv: Vec<String>,
    pub(crate) env: Vec<(String, String)>,
    pub(crate) unset: Vec<String>,
    #[serde(with = "crate::path")]
    pub(crate) cwd: PathBuf,
    /// Standard output and error go to the end of this file.
    pub(crate) log: PathBuf,
    /// Where standard error goes instead.
    #[serde(default)]
    pub(crate) errors: Option<PathBuf>,
    /// Processors, by number, on which it and what it starts run; empty for all.
    #[serde(default)]
    pub(crate) cpus: Vec<usize>,
    pub(crate) signal: StopSignal,
    /// Milliseconds between the signal and the kill, should weir die.
    pub(crate) grace: u64,
}

/// From the guardian to weir, on its standard output.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Report {
    /// The server runs under this process id.
    Spawned { pid: u32 },
    /// It could not be started; the system's number of the reason, if it gave one.
    NotSpawned {
        problem: String,
        #[serde(default)]
        number: Option<i32>,
    },
    /// The server itself ended; what it started may still run.
    Exited(Exit),
    /// Nothing of it is left.
    Gone {
        /// So many had to be killed.
        killed: u32,
        /// CPU time of it and of all that it started.
        #[serde(default)]
        cpu: CpuTime,
    },
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Exit {
    /// By itself, with this code.
    Code(i32),
    /// By a signal.
    Signal(i32),
}

impl Exit {
    /// As a person says it.
    pub(crate) fn words(self) -> String {
        match self {
            Self::Code(code) => format!("ended with code {code}"),
            Self::Signal(signal) => format!("was ended by signal {signal}"),
        }
    }
}

/// Signals that ask a server to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum StopSignal {
    Term,
    Int,
    Quit,
    Hup,
    Usr1,
    Usr2,
    Winch,
}

impl StopSignal {
    /// Its name as a shell has it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Term => "TERM",
            Self::Int => "INT",
            Self::Quit => "QUIT",
            Self::Hup => "HUP",
            Self::Usr1 => "USR1",
            Self::Usr2 => "USR2",
            Self::Winch => "WINCH",
        }
    }

    pub(crate) fn signal(self) -> Signal {
        match self {
            Self::Term => Signal::TERM,
            Self::Int => Signal::INT,
            Self::Quit => Signal::QUIT,
            Self::Hup => Signal::HUP,
            Self::Usr1 => Signal::USR1,
            Self::Usr2 => Signal::USR2,
            Self::Winch => Signal::WINCH,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt as _;

    use super::*;

    #[test]
    fn any_path_can_be_ordered() {
        for bytes in [
            b"/plain".to_vec(),
            b"/a b\n\"'".to_vec(),
            b"/\xff\xfe".to_vec(),
        ] {
            let folder = PathBuf::from(OsString::from_vec(bytes));
            let line = serde_json::to_string(&Order::Watch {
                folder: folder.clone(),
            });
            let line = line.unwrap();
            assert!(!line.contains('\n'));
            match serde_json::from_str(&line).unwrap() {
                Order::Watch { folder: heard } => assert_eq!(heard, folder),
                other => panic!("{other:?}"),
            }
        }
    }
}
