//! What probes saw beside a load: what programs count themselves, samples over time, and what looking cost.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::units::count;
use crate::{JointFacts, PortFacts, ProcessCost, QueueFacts, SocketFacts, Stacks};

/// What was observed over a trial's window.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Observed {
    /// What each probe cost.
    pub probes: Vec<ProbeCost>,
    /// What programs count themselves, from the one that clients connect to inwards.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counters: Vec<ProgramCounters>,
    /// What other programs took of the machine; absent where nobody looked, and where nobody knows which program is loaded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub others: Option<Others>,
    /// What programs took that weir did not start and that the stack was connected to, as a database that the system runs, or that
    /// stood behind these: they are not among the others. Absent where there were none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partners: Option<Others>,
    /// How fast the cores were just before: rounds of a fixed computation in a second of CPU time, all cores at once. It says
    /// something only beside that of other trials; absent where nobody looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pace: Option<f64>,
    /// What servers' sockets looked like; absent where nobody looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sockets: Option<SocketFacts>,
    /// The accept queues of the stack's programs, by where they listen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub queues: Vec<QueueFacts>,
    /// The address that most local ports were in use to; absent where nobody looked, and where there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ports: Option<PortFacts>,
    /// The connections between the stack's programs, as far as they are kept, over TCP.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub joints: Vec<JointFacts>,
    /// Processes and threads that began on the machine, whoever's they are; absent where the system does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begun: Option<u64>,
    /// Where packets were captured; absent where they were not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capture: Option<CaptureFacts>,
    /// Samples over time. The store keeps them apart from the trial.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub series: Vec<Series>,
    /// The stacks of a profile. The store keeps them apart from the trial.
    #[serde(default, skip_serializing_if = "Stacks::is_empty")]
    pub stacks: Stacks,
}

/// What was captured of a trial, from before its first program starts until after its last one has ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct CaptureFacts {
    /// The file (pcap).
    pub file: String,
    /// Packets in it. Over loopback several segments of TCP may travel in one.
    pub packets: u64,
    /// Packets that came when it was full.
    pub left_out: u64,
    /// Packets that the kernel lost, as they were not read in time.
    pub lost: u64,
}

impl Observed {
    /// Whether nothing was observed, as in what was stored before there were probes.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Seconds that a program counted itself under a name.
    pub fn seconds(&self, program: &str, name: &str) -> Option<f64> {
        let of = self.counters.iter().find(|of| of.program == program)?;
        of.values.get(name)?.seconds()
    }

    /// Attempts to connect that the stack's listeners turned away; `None` where that is not known of each of them.
    pub fn turned_away(&self) -> Option<u64> {
        let over_tcp = self.queues.iter().filter(|of| !of.is_unix());
        let each: Option<Vec<u64>> = over_tcp.map(|of| of.dropped).collect();
        each?.into_iter().reduce(|sum, more| sum + more)
    }

    /// Requests of which a program of the stack had read nothing, on average over the looks at its sockets, and how many looks that
    /// were; `None` where nobody looked.
    pub fn unread(&self, program: &str) -> Option<(f64, u32)> {
        self.each_look(program, |of| of.unread)
    }

    /// Of the requests that it had not read those on connections that it had not accepted, on average over the looks at its sockets;
    /// `None` where nobody looked.
    pub fn unaccepted(&self, program: &str) -> Option<f64> {
        let (unaccepted, _) = self.each_look(program, |of| of.unaccepted)?;
        Some(unaccepted)
    }

    /// Connections over TCP that a program of the stack had accepted, on average over the looks at its sockets; `None` where nobody
    /// looked.
    pub fn accepted(&self, program: &str) -> Option<f64> {
        let (accepted, _) = self.each_look(program, |of| of.accepted)?;
        Some(accepted)
    }

    /// What was counted at the queues of a program in all looks at connections together, for each look, and how many these were.
    fn each_look(
        &self,
        program: &str,
        counted: impl Fn(&QueueFacts) -> Option<u64>,
    ) -> Option<(f64, u32)> {
        let looks = self.sockets.map_or(0, |of| of.looks);
        let own = self.queues.iter().filter(|of| of.program == program);
        let all = own.filter_map(counted).reduce(|sum, more| sum + more)?;
        (looks > 0).then(|| (all as f64 / f64::from(looks), looks))
    }

    /// The sum of a counter over all programs that have it; `None` where none has.
    pub fn counted(&self, name: &str) -> Option<f64> {
        let values = self.counters.iter().filter_map(|of| of.values.get(name));
        values.map(|of| of.value).reduce(|sum, value| sum + value)
    }
}

/// Counts of a process that are the probe's own, beside what the kernel counted of it.
impl ProcessCost {
    /// The microseconds in which it was watched: of one that began or ended in the window fewer than the window has.
    pub const WATCHED: &str = "watched";
    /// The CPU microseconds, among its own, of children that ended in the window: those that nobody saw, and what the others
    /// used after they were seen last.
    pub const ENDED_CHILDREN: &str = "ended-children";
    /// How often its threads left a core, as they waited for something.
    pub const VOLUNTARY_SWITCHES: &str = "voluntary-switches";
    /// How often a core was taken from its threads, which could have gone on.
    pub const INVOLUNTARY_SWITCHES: &str = "involuntary-switches";
    /// Bytes that it read from files, pipes and sockets, those of calls left out that sockets alone know (`rchar` of `proc(5)`).
    pub const BYTES_READ: &str = "bytes-read";
    /// The same that it wrote (`wchar`).
    pub const BYTES_WRITTEN: &str = "bytes-written";
}

/// CPU time of programs that are neither the stack nor weir, from the opening of the window to the end of the drain.
/// Threads of the kernel are nobody's.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Others {
    /// Seconds of one processor.
    pub seconds: f64,
    /// Share of the CPU time of all processors that weir may use, 0 to 1.
    pub share: f64,
    /// The programs that took most of it, the greatest first: three at most.
    pub programs: Vec<OtherProgram>,
    /// Seconds of it that the kernel counts and no process that weir can see has used: programs in other PID namespaces,
    /// as those of other containers are, and short ones whose parents do not wait for them. 0 where these may be the stack's.
    #[serde(default)]
    pub unseen: f64,
}

/// A program that ran beside a load.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct OtherProgram {
    /// Its short name as the kernel knows it; text of others.
    pub name: String,
    /// CPU seconds of all processes of that name, and of what they waited for.
    pub seconds: f64,
    /// How many processes of that name were seen to use some of it; 0 in what was stored when they were not counted.
    #[serde(default)]
    pub processes: u32,
    /// The id of the process; absent where there were several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
}

impl Others {
    /// What took it, in these words for a program, and its seconds: the greatest first. What weir cannot see is one of them.
    pub fn each(&self, words: impl Fn(&OtherProgram) -> String) -> Vec<(String, f64)> {
        let programs = self.programs.iter();
        let mut all: Vec<(String, f64)> = programs.map(|of| (words(of), of.seconds)).collect();
        if self.unseen > 0.0 {
            all.push(("programs that weir cannot see".to_owned(), self.unseen));
            all.sort_by(|a, b| b.1.total_cmp(&a.1));
        }
        all
    }
}

impl OtherProgram {
    /// Its name, and how its processes are found: `` `dpkg` (PID 4711)``, `` `cc1` (12 processes)``.
    pub fn located(&self) -> String {
        let name = self.name.as_str();
        match (self.pid, self.processes) {
            (Some(pid), _) => format!("`{name}` (PID {pid})"),
            (None, 0) => format!("`{name}`"),
            (None, several) => format!("`{name}` ({} processes)", count(u64::from(several))),
        }
    }
}

/// What a probe cost weir itself.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct ProbeCost {
    /// The probe's name.
    pub probe: String,
    /// How often it looked, at the window's begin and end included.
    pub samples: u32,
    /// CPU seconds of all its samples.
    pub cpu: f64,
    /// Seconds that the longest sample took.
    pub longest: f64,
}

/// What one program counted.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct ProgramCounters {
    /// The program's name in its stack.
    pub program: String,
    /// Counters by name.
    pub values: BTreeMap<String, Counted>,
    /// Why some or all could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// A counter over a window.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Counted {
    /// What its figure is.
    pub kind: CounterKind,
    /// What it counts.
    pub unit: String,
    /// Of a total, its increase over the window and the drain after it; of a gauge, the largest value that was read; of an
    /// average, the mean of what was read in the window.
    pub value: f64,
}

impl Counted {
    /// Seconds, where it is a time.
    pub fn seconds(&self) -> Option<f64> {
        match self.unit.as_str() {
            "s" => Some(self.value),
            "ms" => Some(self.value / 1e3),
            "us" => Some(self.value / 1e6),
            _ => None,
        }
    }
}

/// How a figure behaves over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CounterKind {
    /// It only grows: what counts is its increase.
    Total,
    /// It rises and falls.
    Gauge,
    /// What a request took or had on average.
    Average,
}

/// One figure over time.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Series {
    /// The program that it is of; `weir` for weir's own process, `load` for what the load engine saw.
    pub of: String,
    /// The process that it is of, if it is of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    /// The figure's name.
    pub name: String,
    /// How it behaves. A total runs from its own begin, not from the window's.
    pub kind: CounterKind,
    /// What it is measured in.
    pub unit: String,
    /// When it was sampled, in seconds since the window opened; the first sample lies just before.
    pub at: Vec<f64>,
    /// Its values then.
    pub values: Vec<f64>,
}

impl Series {
    /// Most samples of a series: beyond, every second one is dropped and the gaps are doubled.
    pub const MOST_SAMPLES: usize = 240;
    /// Most series of a trial; others are not kept.
    pub const MOST: usize = 512;
    /// The name of how many processes of a program have begun in the window, as far as they were seen.
    pub const FORKS: &str = "forks";
    /// The same of those that have ended.
    pub const EXITS: &str = "exits";
}
