use std::time::{Duration, Instant};

/// The monotonic clock, in nanoseconds since the load began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock(Instant);

impl Clock {
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    #[inline]
    pub(crate) fn now(self) -> u64 {
        self.0.elapsed().as_nanos() as u64
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
