use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{LoadFacts, Observed, ProcessCost, StackFacts};

/// One fresh start of a variant, loaded and stopped.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Trial {
    /// The run it belongs to.
    pub run: i64,
    /// Which block (0-based).
    pub block: u32,
    /// Place in the block's random order (0-based).
    pub position: u32,
    /// The variant's name.
    pub variant: String,
    /// Whether this is the second half of the A/A pair: the same variant under another name.
    pub again: bool,
    /// The group of its block that it was in (0-based), where not all variants fit at the same time: the baseline is in
    /// each. 0 too of what is in none, and of what was stored before there were groups.
    #[serde(default, skip_serializing_if = "is_first")]
    pub group: u32,
    /// How often this place of the block was tried before (0: this is the first attempt). The last
    /// attempt is the one that stands; those before it were lost or disturbed, and are kept.
    #[serde(default, skip_serializing_if = "is_first")]
    pub attempt: u32,
    /// When it began.
    pub started: Timestamp,
    /// What came of it.
    pub outcome: Outcome,
}

impl Trial {
    /// Its facts, if it was loaded.
    pub fn measured(&self) -> Option<&Measured> {
        match &self.outcome {
            Outcome::Measured(measured) => Some(measured),
            Outcome::Failed(_) => None,
        }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_first(number: &u32) -> bool {
    *number == 0
}

/// What came of a trial.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Facts.
    Measured(Box<Measured>),
    /// It did not get that far.
    Failed(Failure),
}

/// The facts of a trial that was loaded.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Measured {
    /// What was started.
    pub stack: StackFacts,
    /// What the load did and saw.
    pub load: LoadFacts,
    /// What each process cost over the window, weir's own last.
    pub processes: Vec<ProcessCost>,
    /// Share of the machine's CPU time stolen by the hypervisor over the window, 0 to 1: that of `load`, or
    /// what was stored before loads watched it.
    pub stolen: f64,
    /// What probes saw beside that.
    #[serde(default, skip_serializing_if = "Observed::is_empty")]
    pub observed: Observed,
}

impl Measured {
    /// The processes under load, without weir's own.
    pub fn stack_processes(&self) -> impl Iterator<Item = &ProcessCost> {
        let own = |process: &&ProcessCost| process.owner == ProcessCost::OWN;
        self.processes.iter().filter(move |process| !own(process))
    }
}

/// Why a trial has no facts.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Failure {
    /// How far it came.
    pub step: Step,
    /// What went wrong, one line.
    pub error: String,
    /// Last lines of the log of the process concerned.
    pub log_tail: Vec<String>,
    /// Whether this machine refused something that weir asked it for, so that it says nothing of the variant.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub machine: bool,
}

/// The steps of a trial, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// Rendering and spawning.
    Start,
    /// Waiting for the first correct response.
    Ready,
    /// Comparing answers.
    Verify,
    /// Warm-up and measured window.
    Load,
    /// Ending every process.
    Stop,
}
