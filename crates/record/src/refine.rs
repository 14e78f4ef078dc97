use serde::{Deserialize, Serialize};

/// Points that a run adds to a sweep, where its curve turns in the first block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refine {
    /// The family of stages.
    pub family: String,
    /// The factor that they are added along, by its name in the family (`connections`).
    pub factor: String,
    /// The same as a key of a stage (`load.connections`).
    pub path: String,
    /// Most points that are added to each of its curves.
    pub points: u32,
    /// Whether they have been chosen: they are stages of the plan then.
    #[serde(default)]
    pub decided: bool,
}
