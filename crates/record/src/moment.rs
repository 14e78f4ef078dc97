use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

/// An instant of the machine's monotonic clock (`CLOCK_MONOTONIC`), in nanoseconds. Events of a load and
/// samples of probes carry it, so that they can be laid over one another; it means nothing on another machine
/// or after a restart.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    JsonSchema,
    Serialize,
    Deserialize,
)]
#[serde(transparent)]
pub struct Moment(u64);

impl Moment {
    /// The present one.
    pub fn now() -> Self {
        let now = clock_gettime(ClockId::Monotonic);
        Self(now.tv_sec.cast_unsigned() * 1_000_000_000 + now.tv_nsec.cast_unsigned())
    }

    /// The one so many nanoseconds later.
    #[must_use]
    pub fn plus(self, nanoseconds: u64) -> Self {
        Self(self.0 + nanoseconds)
    }

    /// Seconds from an origin to this moment, negative before it.
    pub fn since(self, origin: Self) -> f64 {
        if self >= origin {
            (self.0 - origin.0) as f64 / 1e9
        } else {
            -origin.since(self)
        }
    }
}
