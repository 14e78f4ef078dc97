//! What befalls a stack while it is loaded, and what became of it.

use serde::{Deserialize, Serialize};

use crate::LoadFacts;

/// Something that is done to processes of the app server, at a time of the measured window.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(try_from = "FaultTable", into = "FaultTable")]
#[schemars(with = "FaultTable")]
pub struct Fault {
    /// Seconds after the window opens; above 0, and before it closes.
    pub at: f64,
    /// What is done.
    pub blow: Blow,
    /// To whom.
    pub victim: Victim,
}

/// What a fault does to a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blow {
    /// It is killed (`SIGKILL`), as by a crash or by the kernel when memory is short.
    Kill,
    /// It is stopped (`SIGSTOP`): it keeps its sockets and answers nobody.
    Hang,
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

/// A fault as plans write it: `{ at = 3, kill = "worker" }`.
#[derive(Clone, Copy, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FaultTable {
    at: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kill: Option<Victim>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hang: Option<Victim>,
}

impl TryFrom<FaultTable> for Fault {
    type Error = &'static str;

    fn try_from(table: FaultTable) -> Result<Self, Self::Error> {
        let (blow, victim) = match (table.kill, table.hang) {
            (Some(victim), None) => (Blow::Kill, victim),
            (None, Some(victim)) => (Blow::Hang, victim),
            _ => {
                return Err(
                    "a fault is `{ at = 3, kill = \"worker\" }`, or with `hang` in place of `kill`",
                );
            }
        };
        Ok(Self {
            at: table.at,
            blow,
            victim,
        })
    }
}

impl From<Fault> for FaultTable {
    fn from(fault: Fault) -> Self {
        let given = |blow| (fault.blow == blow).then_some(fault.victim);
        Self {
            at: fault.at,
            kill: given(Blow::Kill),
            hang: given(Blow::Hang),
        }
    }
}

impl Fault {
    /// As a person says it: `a worker is killed`.
    pub fn words(&self) -> &'static str {
        match (self.blow, self.victim) {
            (Blow::Kill, Victim::Worker) => "a worker is killed",
            (Blow::Kill, Victim::Main) => "the main process is killed",
            (Blow::Kill, Victim::All) => "all processes are killed",
            (Blow::Hang, Victim::Worker) => "a worker hangs",
            (Blow::Hang, Victim::Main) => "the main process hangs",
            (Blow::Hang, Victim::All) => "all processes hang",
        }
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
}

/// Seconds over which responses are counted to tell whether a stack is back.
const OVER: f64 = 1.0;
/// The share of the rate before the first fault at which it is.
const BACK: f64 = 0.8;

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
    /// Whether a fault befell some process.
    pub fn was_struck(&self) -> bool {
        self.struck.iter().any(|of| of.processes > 0)
    }

    /// The slowest recovery from a fault; one that never came is slower than any that did. `None` without faults that befell
    /// some process, and where nothing was answered before.
    pub fn recovery(&self) -> Option<Recovery> {
        let struck = self.struck.iter().filter(|of| of.processes > 0);
        let struck: Vec<&Struck> = struck.collect();
        let first = struck.first()?.at;
        let before = self.completed_in(0.0, first) / first;
        if before <= 0.0 {
            return None;
        }
        let ends = struck[1..].iter().map(|of| of.at);
        let faults = struck.iter().zip(ends.chain([self.seconds]));
        let each = faults.map(|(struck, end)| self.back_after(struck.at, end, BACK * before));
        each.max_by(|one, other| {
            let never = one.back.cmp(&other.back).reverse();
            never.then(one.seconds.total_cmp(&other.seconds))
        })
    }

    /// When the first second with so many responses per second began, after `from` and before `end`.
    fn back_after(&self, from: f64, end: f64, wanted: f64) -> Recovery {
        let begins = self.intervals.iter().map(|of| of.until);
        let begins = [from].into_iter().chain(begins.filter(|at| *at > from));
        let mut whole = begins.take_while(|at| at + OVER <= end);
        let back = whole.find(|at| self.completed_in(*at, at + OVER) / OVER >= wanted);
        Recovery {
            seconds: back.unwrap_or(end) - from,
            back: back.is_some(),
        }
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
mod tests {
    use super::*;
    use crate::Interval;

    /// Ten seconds at so many responses in each half second.
    fn facts(rates: &[u64], at: &[f64]) -> LoadFacts {
        let interval = |(index, completed): (usize, &u64)| Interval {
            until: (index + 1) as f64 / 2.0,
            completed: *completed,
        };
        let struck = |at: &f64| Struck {
            fault: Fault {
                at: *at,
                blow: Blow::Kill,
                victim: Victim::Worker,
            },
            at: *at,
            processes: 1,
        };
        LoadFacts {
            seconds: rates.len() as f64 / 2.0,
            intervals: rates.iter().enumerate().map(interval).collect(),
            struck: at.iter().map(struck).collect(),
            ..LoadFacts::default()
        }
    }

    #[test]
    fn who_never_fell_was_back_at_once_and_who_never_rose_takes_the_rest() {
        let steady = facts(&[50; 20], &[2.0]);
        let of = |facts: &LoadFacts| facts.recovery().map(|of| (of.seconds, of.back));
        assert_eq!(of(&steady), Some((0.0, true)));
        let mut dead = [50; 20];
        dead[4..].fill(0);
        assert_eq!(of(&facts(&dead, &[2.0])), Some((8.0, false)));
        let mut back = [50; 20];
        back[4..7].fill(0);
        assert_eq!(of(&facts(&back, &[2.0])), Some((1.5, true)));
        assert_eq!(facts(&back, &[]).recovery(), None);
        assert_eq!(facts(&[0; 20], &[2.0]).recovery(), None);
    }

    #[test]
    fn what_befell_nobody_was_not_got_over() {
        let mut missed = facts(&[50; 20], &[2.0, 4.0]);
        missed.struck[0].processes = 0;
        assert!(missed.was_struck() && missed.recovery().is_some());
        missed.struck[1].processes = 0;
        assert_eq!((missed.was_struck(), missed.recovery()), (false, None));
        // nor is a dead server's fault the end of that before
        let mut dead = [50; 20];
        dead[4..].fill(0);
        let mut dead = facts(&dead, &[2.0, 5.0]);
        dead.struck[1].processes = 0;
        let recovery = dead.recovery().unwrap();
        assert_eq!((recovery.seconds, recovery.back), (8.0, false));
    }

    #[test]
    fn the_longest_of_several_counts() {
        let mut rates = [50; 20];
        rates[4..5].fill(0);
        rates[10..14].fill(0);
        let slowest = facts(&rates, &[2.0, 5.0]).recovery().unwrap();
        assert_eq!((slowest.seconds, slowest.back), (2.0, true));
        // back after 3 s, and the second time never in the 2 s that were left
        let mut rates = [50; 20];
        rates[4..10].fill(0);
        rates[16..].fill(0);
        let slowest = facts(&rates, &[2.0, 8.0]).recovery().unwrap();
        assert_eq!((slowest.seconds, slowest.back), (2.0, false));
    }

    #[test]
    fn plans_write_it_in_a_line() {
        let read = |text: &str| serde_json::from_str::<Fault>(text);
        let fault = read(r#"{"at": 3, "kill": "worker"}"#).unwrap();
        assert_eq!((fault.words(), fault.at), ("a worker is killed", 3.0));
        let written = serde_json::to_string(&fault).unwrap();
        assert_eq!(written, r#"{"at":3.0,"kill":"worker"}"#);
        for wrong in [
            r#"{"at": 3}"#,
            r#"{"at": 3, "kill": "worker", "hang": "all"}"#,
            r#"{"at": 3, "kill": "nobody"}"#,
            r#"{"at": 3, "kill": "worker", "then": 1}"#,
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
