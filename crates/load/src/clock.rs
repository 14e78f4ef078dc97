use std::time::{Duration, Instant};

use record::Moment;

/// The monotonic clock, in nanoseconds since the load began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    began: Instant,
    origin: Moment,
}

impl Clock {
    pub(crate) fn start() -> Self {
        Self {
            began: Instant::now(),
            origin: Moment::now(),
        }
    }

    #[inline]
    pub(crate) fn now(self) -> u64 {
        self.began.elapsed().as_nanos() as u64
    }

    /// The machine's own name for a time of this clock.
    pub(crate) fn moment(self, nanoseconds: u64) -> Moment {
        self.origin.plus(nanoseconds)
    }
}

/// Seconds as nanoseconds; callers have checked the range.
pub(crate) fn nanoseconds(seconds: f64) -> u64 {
    Duration::from_secs_f64(seconds).as_nanos() as u64
}

/// Nanoseconds as seconds.
pub(crate) fn seconds(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / 1e9
}
