use rustix::time::{ClockId, clock_gettime};

/// CPU time of the calling thread so far, in seconds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ThreadCost {
    pub(crate) user: f64,
    pub(crate) system: f64,
}

impl ThreadCost {
    /// The sum is the scheduler's, exact to the nanosecond; how it splits into user and system is
    /// what `/proc` says in ticks (zero user time where that cannot be read).
    pub(crate) fn now() -> Self {
        let total = Self::cpu();
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
        let total = self.total() - earlier.total();
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
