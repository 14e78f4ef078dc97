use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Link, Target, Transport};

/// What was started to serve one trial.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct StackFacts {
    /// Programs, from the one that clients speak to inwards; services last.
    pub servers: Vec<ServerFacts>,
    /// Where clients connect.
    pub address: Target,
    /// Seconds from the first spawn to the first correct response.
    pub ready_after: f64,
    /// What was compared before the load.
    pub verified: Verified,
}

impl StackFacts {
    /// The programs that requests pass, from the one that clients speak to inwards: no services.
    pub fn passed(&self) -> impl DoubleEndedIterator<Item = &ServerFacts> {
        self.servers
            .iter()
            .filter(|server| server.service.is_none())
    }

    /// The program that answers, one of several instances if there are: of a stack without an app its front end.
    pub fn innermost(&self) -> Option<&ServerFacts> {
        self.passed().next_back()
    }

    /// The entries of the programs that pass requests on, each once.
    pub fn fronts(&self) -> Vec<&str> {
        let innermost = self.innermost().map(|server| server.entry.as_str());
        let entries = self.passed().map(|server| server.entry.as_str());
        let mut fronts: Vec<_> = entries.filter(|entry| Some(*entry) != innermost).collect();
        fronts.dedup();
        fronts
    }
}

/// One program of a stack.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct ServerFacts {
    /// Name of its catalogue entry.
    pub entry: String,
    /// What the app calls it, where it is a service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service: Option<String>,
    /// How the program before it reaches it, or clients do; absent in what was stored when nobody wrote that down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<Link>,
    /// Whether it keeps a connection open after a response, as it is set, and works on other requests meanwhile; absent where its
    /// entry does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keeps: Option<bool>,
    /// Whether it is for development, and not for deployment.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub development: bool,
    /// The version it reports of itself.
    pub version: String,
    /// Argument vector as executed.
    pub argv: Vec<String>,
    /// The argument vector by which it is deployed, if that is another one; else empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deployed: Vec<String>,
    /// What starts it and starts it again, by name and version, where that is not weir: then `argv` is its command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supervisor: Option<String>,
    /// Environment added to weir's own.
    pub env: Vec<(String, String)>,
    /// Every knob with the value it ran with, defaults included.
    pub knobs: Vec<(String, crate::Knob)>,
    /// Requests that it works on at once, where it runs the app; absent where nothing bounds them, or nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slots: Option<f64>,
    /// The knobs that give it more of something.
    #[serde(default, skip_serializing_if = "Scale::is_empty")]
    pub scale: Scale,
    /// Files written for it.
    pub files: Vec<RenderedFile>,
    /// Where it was seen to listen, if it runs the app: the address of most reach, such as `0.0.0.0` or `127.0.0.1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub listened: Option<String>,
    /// Last lines it logged, warnings included.
    pub log_tail: Vec<String>,
    /// The last of these that tells of an error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub complaint: Option<String>,
}

impl ServerFacts {
    /// Over what it is reached; `None` where nobody wrote that down.
    pub fn transport(&self) -> Option<Transport> {
        let link = self.link?;
        Some(link.transport.unwrap_or_default())
    }
}

/// The knobs that give a program more of something, by their names: what is raised where it lacks that.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Scale {
    /// Processes, each of which does all that it does (of HAProxy: threads).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processes: Option<String>,
    /// Requests that it works on at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slots: Option<String>,
    /// Connections that may wait to be accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backlog: Option<String>,
    /// Requests that it hands to each server behind it at once; the others wait in its queue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handed: Option<String>,
    /// Requests of one kept connection that it answers before others get their turn: less of them is fairer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<String>,
    /// Connections without a request that it keeps to the servers behind it: with 0 it opens one for each request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<String>,
}

impl Scale {
    /// Each that there is, with what it is of.
    pub fn each(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let all = [
            ("processes", &self.processes),
            ("slots", &self.slots),
            ("backlog", &self.backlog),
            ("handed", &self.handed),
            ("turn", &self.turn),
            ("kept", &self.kept),
        ];
        all.into_iter()
            .filter_map(|(of, knob)| Some((of, knob.as_deref()?)))
    }

    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A file rendered from a catalogue template.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct RenderedFile {
    /// Path below the stack's own folder.
    pub path: String,
    /// SHA-256 of the content, hexadecimal.
    pub sha256: String,
    /// The content.
    pub content: String,
}

/// What the answers were compared with before any timed request.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Verified {
    /// Requests compared with the reference.
    pub requests: u32,
    /// Where the reference came from ("gunicorn alone", "file static/hello.html").
    pub reference: String,
    /// Status of the loaded route's answer.
    pub status: u16,
    /// Seconds from opening a connection to the last byte of that answer, when nothing else was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alone: Option<f64>,
    /// Bytes in the loaded route's body.
    pub body_bytes: u64,
    /// Whether bodies were compared whole; if not, why.
    pub body_compared: Option<String>,
    /// Of each route whose body differs from the reference's in times and dates alone, which are not compared, the first of
    /// these as it was and as it is ("`/`: `10:01` and `10:02`").
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<String>,
}

/// What one process cost over the measured window.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct ProcessCost {
    /// Process id; 0 of several that have ended, of which no more is told than what they used together.
    pub pid: u32,
    /// Short command name as the kernel knows it.
    pub command: String,
    /// Which program of the stack it belongs to (entry name), or `weir`.
    pub owner: String,
    /// Its place among the processes of its program; absent of one that is alone there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// CPU seconds in user mode over the window.
    pub cpu_user: f64,
    /// CPU seconds in the kernel over the window.
    pub cpu_system: f64,
    /// Largest resident memory so far, bytes.
    pub peak_rss: u64,
    /// Resident memory when the window opened and when it closed, in bytes; absent of one that began later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resident: Option<[u64; 2]>,
    /// Bytes of its resident memory that count with the other processes that share them, when that was looked at last;
    /// absent where it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared: Option<u64>,
    /// What else the kernel counted of it over the window, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub counts: BTreeMap<String, u64>,
    /// The runtime of its language; absent where it is of none that weir knows, and where nobody looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runtime: Option<Runtime>,
}

/// A process's place among those of its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// It has begun others, which live: a master, or whoever looks after one.
    Main,
    /// One of the others has begun it, and it none.
    Worker,
}

/// The runtime of a process's language.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Runtime {
    /// Its name: `python`.
    pub name: String,
    /// Who runs one thread at a time, where such a process does, in words: `a Python process`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub one_thread: Option<String>,
}

/// The count of a process that is the microseconds in which its threads were ready to run and had no core.
pub const RUN_QUEUE_WAIT: &str = "run-queue-wait";

/// The count of a process that is the CPU microseconds of that of its threads that used most in the window.
pub const BUSIEST_THREAD: &str = "busiest-thread";

impl ProcessCost {
    /// The owner of weir's own process.
    pub const OWN: &str = "weir";

    /// Leaves this share of what it used, 0 to 1; its memory stays.
    pub fn scale(&mut self, share: f64) {
        self.cpu_user *= share;
        self.cpu_system *= share;
        for count in self.counts.values_mut() {
            *count = (*count as f64 * share).round() as u64;
        }
    }

    /// Largest memory, in bytes: what was resident, less what counts with others.
    pub fn memory(&self) -> u64 {
        self.peak_rss.saturating_sub(self.shared.unwrap_or(0))
    }

    /// CPU seconds in both modes.
    pub fn cpu(&self) -> f64 {
        self.cpu_user + self.cpu_system
    }
}
