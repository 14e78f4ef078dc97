//! Where a program tells what it counts, and how that is read.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{CounterKind, Target};

/// A program's counters, as its catalogue entry describes them for one start.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct CounterSource {
    /// The program's name in its stack.
    pub program: String,
    /// Where and how it is asked.
    pub ask: CounterAsk,
    /// How each is read from its answer.
    pub each: BTreeMap<String, CounterSpec>,
}

/// How a program is asked for its counters.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CounterAsk {
    /// A path, over HTTP.
    Get {
        /// Where it tells.
        at: Target,
        /// The path.
        path: String,
    },
    /// A line of text, which it answers and then closes the connection.
    Send {
        /// Where it tells.
        at: Target,
        /// The line, without its end.
        line: String,
    },
    /// A command that prints them. To start a process takes the CPU time of many requests, so it only runs at the
    /// window's begin and end.
    Run(Vec<String>),
}

/// A file to which a program appends a line for each request that it notes, and how a line is read.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct NotedSource {
    /// The program's name in its stack.
    pub program: String,
    /// The file; it may come with the first line.
    pub file: PathBuf,
    /// How each figure is read from a line.
    pub each: BTreeMap<String, CounterSpec>,
}

/// How one counter is read from an answer: by `pattern`, or by `row` and `column`.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct CounterSpec {
    /// A regular expression whose one group is the value; all matches are added up.
    pub pattern: Option<String>,
    /// Characters: how many of the group are among them is the value, where a program has a letter for each connection.
    #[serde(default)]
    pub letters: Option<String>,
    /// The first cells of its row in a CSV table; all rows that begin so are added up.
    #[serde(default)]
    pub row: Vec<String>,
    /// The heading of its column in a CSV table.
    pub column: Option<String>,
    /// How it behaves over time.
    pub kind: CounterKind,
    /// What it counts, in the plural.
    pub unit: String,
    /// What one reading adds to it: a total grows by so much with each reading, and a gauge has it while it is read.
    #[serde(default)]
    pub own: u32,
}
