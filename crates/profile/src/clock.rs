//! What the scheduler says of a thread.

use std::fs;
use std::ops::AddAssign;

/// Nanoseconds that a thread has run, and that it could have run and had no core.
#[derive(Clone, Copy, Default)]
pub(crate) struct Clock {
    pub(crate) ran: u64,
    pub(crate) queued: u64,
}

impl Clock {
    /// That of a thread: `None` where it has ended, or where the kernel keeps none, so that all is 0.
    pub(crate) fn of(pid: u32, thread: u64) -> Option<Self> {
        let text = fs::read_to_string(format!("/proc/{pid}/task/{thread}/schedstat")).ok()?;
        let mut figures = text.split_ascii_whitespace();
        let mut next = || figures.next()?.parse::<u64>().ok();
        let (ran, queued) = (next()?, next()?);
        (ran > 0).then_some(Self { ran, queued })
    }

    /// What has passed on it since it was as earlier.
    pub(crate) fn since(self, earlier: Self) -> Self {
        Self {
            ran: self.ran.saturating_sub(earlier.ran),
            queued: self.queued.saturating_sub(earlier.queued),
        }
    }
}

impl AddAssign for Clock {
    fn add_assign(&mut self, other: Self) {
        self.ran += other.ran;
        self.queued += other.queued;
    }
}
