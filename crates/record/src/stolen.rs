use serde::{Deserialize, Serialize};

/// What the hypervisor took of the machine's CPU time while a load ran, from the opening of the window to
/// the end of the drain after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stolen {
    /// Share of the CPU time of all processors, 0 to 1.
    pub share: f64,
    /// Seconds of one processor.
    pub seconds: f64,
}
