use serde::{Deserialize, Serialize};

/// How the load engine and the kernel tell each other what sockets bring and take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reactor {
    /// [`Reactor::Ring`] where a calibration of this machine found it to be surely cheaper for such a load, else [`Reactor::Poll`].
    #[default]
    Auto,
    /// The kernel says which sockets are ready (`epoll`), and each is read and written by a call of its own.
    Poll,
    /// The kernel reads and writes, many sockets in one call (`io_uring`).
    Ring,
}

impl Reactor {
    /// The name used in plans and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Poll => "poll",
            Self::Ring => "ring",
        }
    }

    /// Whether nobody has chosen.
    pub fn is_auto(&self) -> bool {
        *self == Self::Auto
    }
}
