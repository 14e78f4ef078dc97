use serde::{Deserialize, Serialize};

use crate::Reactor;

/// What the load engine itself cost, so that nobody takes its limits for the server's.
#[derive(Clone, Copy, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct EngineCost {
    /// Worker threads.
    pub threads: u32,
    /// How they learnt what their sockets brought.
    #[serde(default, skip_serializing_if = "Reactor::is_auto")]
    pub reactor: Reactor,
    /// CPU seconds of all worker threads in user mode.
    pub cpu_user: f64,
    /// CPU seconds of all worker threads in the kernel.
    pub cpu_system: f64,
    /// CPU seconds beside these in which worker threads waited awake for what was to fall due soon, on cores that nobody else needed;
    /// absent where none did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub busy_waited: Option<f64>,
    /// Busy share (0 to 1) of the busiest worker thread.
    pub busiest: f64,
}

impl EngineCost {
    /// CPU seconds in both modes.
    pub fn cpu(&self) -> f64 {
        self.cpu_user + self.cpu_system
    }
}
