//! What befalls a stack while it is loaded, and what became of it.

use serde::{Deserialize, Serialize};

use crate::{Cause, LoadFacts};

/// Something that is done to the stack, at a time of the measured window.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(try_from = "FaultTable", into = "FaultTable")]
#[schemars(with = "FaultTable")]
pub struct Fault {
    /// Seconds after the window opens; above 0, and before it closes.
    pub at: f64,
    /// What is done.
    pub blow: Blow,
}

/// What a fault does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Blow {
    /// These processes are killed (`SIGKILL`), as by a crash or by the kernel when memory is short.
    Kill(Victim),
    /// These are killed, and the server's pid files that named one of them name another process that lives: as after a crash,
    /// once the system has given the id away again.
    StalePid(Victim),
    /// These are stopped (`SIGSTOP`): they keep their sockets and answer nobody.
    Hang(Victim),
    /// Connections without a request are opened at once, where the load is sent to.
    Connect {
        /// How many.
        connections: u32,
        /// Seconds for which they stay open: they fill the accept queue. 0 for a burst, which is closed as soon as it is
        /// open.
        held: f64,
    },
}

/// Which processes of the app server a fault befalls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Victim {
    /// The one below the main process that has used the most CPU time; where there is none, the main process.
    Worker,
    /// The main process; a supervisor is none.
    Main,
    /// The main process and all below it.
    All,
}

/// A fault as plans write it: `{ at = 3, kill = "worker" }`, or `{ at = 3, connections = 500, held = 2 }`.
#[derive(Clone, Copy, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FaultTable {
    at: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kill: Option<Victim>,
    #[serde(rename = "stale-pid", default, skip_serializing_if = "Option::is_none")]
    stale_pid: Option<Victim>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hang: Option<Victim>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    connections: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    held: Option<f64>,
}

impl TryFrom<FaultTable> for Fault {
    type Error = &'static str;

    fn try_from(table: FaultTable) -> Result<Self, Self::Error> {
        let struck = [
            table.kill.map(Blow::Kill),
            table.stale_pid.map(Blow::StalePid),
            table.hang.map(Blow::Hang),
        ];
        let mut struck = struck.into_iter().flatten();
        let blow = match (struck.next(), struck.next(), table.connections, table.held) {
            (Some(blow), None, None, None) => blow,
            (None, None, Some(connections), held) => Blow::Connect {
                connections,
                held: held.unwrap_or(0.0),
            },
            _ => {
                return Err(
                    "a fault is `{ at = 3, kill = \"worker\" }`, or with `hang` or `stale-pid` in place of `kill`, or \
                     `{ at = 3, connections = 500, held = 2 }`",
                );
            }
        };
        Ok(Self { at: table.at, blow })
    }
}

impl From<Fault> for FaultTable {
    fn from(fault: Fault) -> Self {
        let mut table = Self {
            at: fault.at,
            ..Self::default()
        };
        match fault.blow {
            Blow::Kill(victim) => table.kill = Some(victim),
            Blow::StalePid(victim) => table.stale_pid = Some(victim),
            Blow::Hang(victim) => table.hang = Some(victim),
            Blow::Connect { connections, held } => {
                table.connections = Some(connections);
                table.held = (held > 0.0).then_some(held);
            }
        }
        table
    }
}

impl Fault {
    /// As a person says it: `a worker is killed`.
    pub fn words(&self) -> String {
        let (victim, done, and) = match self.blow {
            Blow::Kill(victim) => (victim, ["is killed", "are killed"], ""),
            Blow::StalePid(victim) => (victim, ["is killed", "are killed"], LEFT),
            Blow::Hang(victim) => (victim, ["hangs", "hang"], ""),
            Blow::Connect { connections, held } => return connected(connections, held),
        };
        match victim {
            Victim::Worker => format!("a worker {}{and}", done[0]),
            Victim::Main => format!("the main process {}{and}", done[0]),
            Victim::All => format!("all processes {}{and}", done[1]),
        }
    }

    /// Whether pid files are to name another process.
    pub fn leaves_stale_pids(&self) -> bool {
        matches!(self.blow, Blow::StalePid(_))
    }

    /// Whether it kills the main process.
    pub fn kills_main(&self) -> bool {
        match self.blow {
            Blow::Kill(victim) | Blow::StalePid(victim) => victim != Victim::Worker,
            Blow::Hang(_) | Blow::Connect { .. } => false,
        }
    }

    /// Connections that it opens; 0 where it befalls processes.
    pub fn connections(&self) -> u32 {
        match self.blow {
            Blow::Connect { connections, .. } => connections,
            Blow::Kill(_) | Blow::StalePid(_) | Blow::Hang(_) => 0,
        }
    }

    /// Seconds after the window opens at which it is over, as far as it is its own doing.
    pub fn until(&self) -> f64 {
        match self.blow {
            Blow::Connect { held, .. } => self.at + held,
            Blow::Kill(_) | Blow::StalePid(_) | Blow::Hang(_) => self.at,
        }
    }
}

/// What is said of a pid file that names another process.
const LEFT: &str = " and a stale pid file is left";

/// `500 connections are held open (2 s)`.
fn connected(connections: u32, held: f64) -> String {
    let what = match connections {
        1 => "1 connection is".to_owned(),
        many => format!("{many} connections are"),
    };
    if held > 0.0 {
        format!("{what} held open ({held} s)")
    } else {
        format!("{what} opened and closed")
    }
}

/// A fault that came to pass.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Struck {
    /// What was to be done, and when.
    pub fault: Fault,
    /// Seconds after the window opened when it was.
    pub at: f64,
    /// Processes that it befell; 0 where none was there.
    pub processes: u32,
    /// Connections that it opened; fewer than it was to where the target or this machine refused the rest.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub connections: u32,
    /// Pid files that name another process since then; 0 where it is no such fault, and where no file named what was killed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub pid_files: u32,
    /// Whether a main process was killed that nobody had started again by the end of the load.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gone: bool,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

impl Struck {
    /// Whether it befell a process, or opened a connection.
    pub fn befell(&self) -> bool {
        self.processes > 0 || self.connections > 0
    }
}

/// Seconds over which responses are counted to tell whether a stack is back.
const OVER: f64 = 1.0;
/// The share of the rate before the first fault at which it is.
const BACK: f64 = 0.8;
/// Responses that would have come in an interval, of which it is no accident that none did.
const SEVERAL: f64 = 10.0;

/// How a stack got over a fault.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recovery {
    /// Seconds from the fault until correct responses came at four fifths of the rate before the first fault again, over a
    /// second; 0 where the rate never fell.
    pub seconds: f64,
    /// Whether they did before the next fault and the end of the window; else the truth is at least those seconds.
    pub back: bool,
}

impl LoadFacts {
    /// Whether a fault befell anything.
    pub fn was_struck(&self) -> bool {
        self.struck.iter().any(Struck::befell)
    }

    /// The slowest recovery from a fault; one that never came is slower than any that did. `None` without faults that befell
    /// anything, and where nothing was answered before.
    pub fn recovery(&self) -> Option<Recovery> {
        let each = self.recoveries().into_iter().map(|(_, of)| of);
        each.max_by(|one, other| {
            let never = one.back.cmp(&other.back).reverse();
            never.then(one.seconds.total_cmp(&other.seconds))
        })
    }

    /// From when until when each fault that befell anything was at work, in seconds since the window opened: until it is over and
    /// the stack is back, and for the second by which that is told. None where nothing was answered before the first.
    pub fn under_faults(&self) -> Vec<[f64; 2]> {
        let at_work = |(struck, recovery): (&Struck, Recovery)| {
            let own = struck.fault.until() - struck.fault.at;
            [struck.at, struck.at + own.max(recovery.seconds) + OVER]
        };
        self.recoveries().into_iter().map(at_work).collect()
    }

    /// The faults that befell anything, and how the stack got over each; none where nothing was answered before the first.
    fn recoveries(&self) -> Vec<(&Struck, Recovery)> {
        let struck = self.struck.iter().filter(|of| of.befell());
        let struck: Vec<&Struck> = struck.collect();
        let first = struck.first().map_or(0.0, |of| of.at);
        let answered = self.completed_in(0.0, first);
        if answered <= 0.0 {
            return Vec::new();
        }
        let wanted = BACK * answered / first;
        let ends = struck.iter().skip(1).map(|of| of.at);
        let ends: Vec<f64> = ends.chain([self.seconds]).collect();
        let faults = struck.into_iter().zip(ends);
        faults
            .map(|(struck, end)| (struck, self.back_after(struck.at, end, wanted)))
            .collect()
    }

    /// Responses with another body than they should have.
    pub fn wrong_bodies(&self) -> u64 {
        let causes = [Cause::Body, Cause::Check, Cause::Malformed];
        causes.iter().filter_map(|of| self.failed.get(of)).sum()
    }

    /// When the first second with so many responses per second began, after `from` and before `end`.
    fn back_after(&self, from: f64, end: f64, wanted: f64) -> Recovery {
        let begins = self.intervals.iter().map(|of| of.until);
        let begins = [from].into_iter().chain(begins.filter(|at| *at > from));
        let mut whole = begins.take_while(|at| at + OVER <= end);
        let back = whole.find(|at| self.completed_in(*at, at + OVER) / OVER >= wanted);
        let silent = self.silent_until(from, from + OVER, wanted);
        Recovery {
            seconds: back.unwrap_or(end).max(silent) - from,
            back: back.is_some(),
        }
    }

    /// The end of the last interval between these times without a response in which several would have come, so that a pause which
    /// a whole second makes up for is seen; `from` without one.
    fn silent_until(&self, from: f64, to: f64, wanted: f64) -> f64 {
        let begins = self.intervals.iter().map(|of| of.until);
        let begins = [0.0].into_iter().chain(begins);
        let within = begins.zip(&self.intervals);
        let within = within.filter(|(begin, of)| *begin >= from && of.until <= to);
        let silent = within
            .filter(|(begin, of)| of.completed == 0 && wanted * (of.until - begin) >= SEVERAL);
        silent.last().map_or(from, |(_, of)| of.until)
    }

    /// Correct responses from one time of the window to another; those of an interval are spread evenly over it.
    fn completed_in(&self, from: f64, to: f64) -> f64 {
        let mut begin = 0.0;
        let mut sum = 0.0;
        for of in &self.intervals {
            let length = of.until - begin;
            let shared = of.until.min(to) - begin.max(from);
            if shared > 0.0 && length > 0.0 {
                sum += of.completed as f64 * shared / length;
            }
            begin = of.until;
        }
        sum
    }
}

#[cfg(test)]
mod tests;
