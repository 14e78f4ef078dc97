//! CPU time of programs.

use std::ops::Sub;

use serde::{Deserialize, Serialize};

/// CPU time, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CpuTime {
    /// In programs themselves.
    pub user: f64,
    /// In the kernel, for them.
    pub system: f64,
}

impl CpuTime {
    /// Both.
    pub fn total(self) -> f64 {
        self.user + self.system
    }
}

impl Sub for CpuTime {
    type Output = Self;

    /// What was used since then. The kernel's clocks tick, so that one part may seem to have shrunk: it is 0 then.
    fn sub(self, before: Self) -> Self {
        Self {
            user: (self.user - before.user).max(0.0),
            system: (self.system - before.system).max(0.0),
        }
    }
}
