use serde::{Deserialize, Serialize};

/// A window in slices.
#[derive(Clone, Copy, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct SliceFacts {
    /// How many there were.
    pub count: u32,
    /// Seconds of load before each that led in to it, and are in no figure.
    pub lead: f64,
    /// Requests that ended in them.
    pub led: u64,
}

/// One slice of the measured window.
#[derive(Clone, Copy, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Interval {
    /// End of the slice, seconds since the window opened.
    pub until: f64,
    /// Requests completed in it.
    pub completed: u64,
}

/// The load that was applied and thrown away before measuring.
#[derive(Clone, Copy, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct WarmUp {
    /// Requests answered.
    pub requests: u64,
    /// Requests that failed or timed out; a warm-up that only fails is a doubt.
    pub failed: u64,
    /// Seconds it took.
    pub seconds: f64,
    /// Whether rate and median had become stationary, if it was to last until then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stationary: Option<bool>,
}
