use std::time::Duration;

use record::Moment;
use rustix::time::{ClockId, clock_gettime};

/// The monotonic clock, in nanoseconds since the load began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    began: u64,
    origin: Moment,
}

impl Clock {
    pub(crate) fn start() -> Self {
        Self {
            began: monotonic(),
            origin: Moment::now(),
        }
    }

    #[inline]
    pub(crate) fn now(self) -> u64 {
        monotonic() - self.began
    }

    /// The machine's own name for a time of this clock.
    pub(crate) fn moment(self, nanoseconds: u64) -> Moment {
        self.origin.plus(nanoseconds)
    }
}

/// The machine's monotonic clock in nanoseconds. Not by way of `Instant`, which makes whole seconds of each difference and then
/// nanoseconds again, twice for each request.
#[inline]
fn monotonic() -> u64 {
    let time = clock_gettime(ClockId::Monotonic);
    time.tv_sec.cast_unsigned() * 1_000_000_000 + time.tv_nsec.cast_unsigned()
}

/// Seconds as nanoseconds; callers have checked the range.
pub(crate) fn nanoseconds(seconds: f64) -> u64 {
    Duration::from_secs_f64(seconds).as_nanos() as u64
}

/// Nanoseconds as seconds.
pub(crate) fn seconds(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / 1e9
}

/// CPU time of the calling thread so far, in seconds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ThreadCost {
    pub(crate) user: f64,
    pub(crate) system: f64,
}

impl ThreadCost {
    /// The sum is the scheduler's, exact to the nanosecond, but for so many nanoseconds of busy waiting; how it splits into
    /// user and system is what `/proc` says in ticks (zero user time where that cannot be read).
    pub(crate) fn now(busy_waited: u64) -> Self {
        let total = (Self::cpu() - seconds(busy_waited)).max(0.0);
        let user = total * user_share().unwrap_or(0.0);
        Self {
            user,
            system: total - user,
        }
    }

    /// CPU seconds of the calling thread so far.
    pub(crate) fn cpu() -> f64 {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
    }

    pub(crate) fn since(self, earlier: Self) -> Self {
        // The split is estimated anew each time, hence never let it run backwards.
        let total = (self.total() - earlier.total()).max(0.0);
        let user = (self.user - earlier.user).clamp(0.0, total);
        Self {
            user,
            system: total - user,
        }
    }

    pub(crate) fn total(self) -> f64 {
        self.user + self.system
    }
}

fn user_share() -> Option<f64> {
    let thread = rustix::thread::gettid().as_raw_nonzero().get();
    let process = procfs::process::Process::myself().ok()?;
    let stat = process.task_from_tid(thread).ok()?.stat().ok()?;
    let ticks = stat.utime + stat.stime;
    (ticks > 0).then(|| stat.utime as f64 / ticks as f64)
}
