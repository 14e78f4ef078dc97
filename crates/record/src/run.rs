use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::Plan;

/// One execution of a plan: what its trials have in common.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
}

/// How far a run came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunStatus {
    /// Begun; still running, or killed on the way. `--resume` goes on from there.
    Begun,
    /// Every planned trial was done.
    Finished,
    /// Ended by an error or by the user.
    Stopped,
}

/// The machine a run was measured on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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
