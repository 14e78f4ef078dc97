use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::Plan;

/// One execution of a plan: what its trials have in common.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Run {
    /// Number given by the store; what users type.
    pub id: i64,
    /// When it began.
    pub started: Timestamp,
    /// What was to be done, resolved.
    pub plan: Plan,
    /// The machine it ran on.
    pub host: Host,
    /// weir's own version.
    pub weir: String,
    /// How far it came.
    pub status: RunStatus,
    /// What it left out to keep to its time, if anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut: Option<Cut>,
}

/// What a run left out of its plan to keep to a time.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Cut {
    /// Seconds that it was given.
    pub budget: f64,
    /// Seconds that it took.
    pub spent: f64,
    /// Blocks that are whole.
    pub blocks: u32,
    /// Trials of a block that the end of the time cut through.
    pub trials: u32,
    /// Seconds that a whole block takes, by what was measured.
    pub block: f64,
}

/// How far a run came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunStatus {
    /// Begun; still running, or killed on the way. `--resume` goes on from there.
    Begun,
    /// Every planned trial was done, or every one for which there was time.
    Finished,
    /// Ended by an error or by the user.
    Stopped,
}

/// The machine a run was measured on.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Host {
    /// Kernel release.
    pub kernel: String,
    /// Distribution as it names itself.
    pub system: String,
    /// Processor model.
    pub cpu: String,
    /// Cores that this process may use.
    pub cores: u32,
    /// Memory in bytes.
    pub memory: u64,
}
