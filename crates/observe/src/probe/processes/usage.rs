use procfs::ProcError;
use procfs::process::{Process, Stat};
use record::{CounterKind, Moment, ProcessCost};

use crate::samples::{Figure, Samples};

/// What `/proc/PID/io` is asked for: bytes of calls, and bytes that storage gave and took, caches left out.
pub(super) const MOVED: [&str; 4] = ["rchar", "wchar", "read_bytes", "write_bytes"];

const MINOR_FAULTS: &str = "minor-faults";
const MAJOR_FAULTS: &str = "major-faults";
/// The counts that are followed over time as they are, with their units.
const FOLLOWED: [(&str, &str); 6] = [
    (ProcessCost::VOLUNTARY_SWITCHES, "switches"),
    (ProcessCost::INVOLUNTARY_SWITCHES, "switches"),
    (MINOR_FAULTS, "faults"),
    (MAJOR_FAULTS, "faults"),
    (ProcessCost::BYTES_READ, "bytes"),
    (ProcessCost::BYTES_WRITTEN, "bytes"),
];

/// What a process has used since it began.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Usage {
    /// When it began, in clock ticks since boot: tells a reused process id from the old one.
    pub(super) began: u64,
    pub(super) command: String,
    /// The process that has begun it, or has adopted it since.
    pub(super) parent: u32,
    /// CPU seconds in user mode.
    pub(super) user: f64,
    /// CPU seconds in the kernel.
    pub(super) system: f64,
    /// CPU seconds, in user mode and in the kernel, of children that have ended and that it has waited for.
    pub(super) children: [f64; 2],
    /// Resident memory now, bytes.
    pub(super) rss: u64,
    /// Threads that it has.
    pub(super) threads: u64,
    /// Largest resident memory so far, bytes.
    pub(super) peak_rss: u64,
    /// What else the kernel has counted, where it tells: a figure more is one line in [`Usage::of`].
    pub(super) counts: [(&'static str, Option<u64>); 11],
}

/// What the scheduler did for threads.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Scheduled {
    /// CPU nanoseconds.
    pub(super) ran: u64,
    /// CPU nanoseconds of the one that has used most since they were looked at first.
    pub(super) most: u64,
    /// Nanoseconds in which they were ready to run and had no core.
    pub(super) waited: u64,
    /// How often they were given one.
    pub(super) runs: u64,
    /// How often they gave it up, as they waited for something.
    pub(super) voluntary: u64,
    /// How often it was taken from them.
    pub(super) involuntary: u64,
}

impl Scheduled {
    /// With what it did for another.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            ran: self.ran + other.ran,
            most: self.most.max(other.most),
            waited: self.waited + other.waited,
            runs: self.runs + other.runs,
            voluntary: self.voluntary + other.voluntary,
            involuntary: self.involuntary + other.involuntary,
        }
    }
}

impl Usage {
    /// Of what was read of it: its state, what its threads had, what was [`MOVED`] (none where that may not be read), and its resident
    /// memory, now and at most.
    ///
    /// `/proc/PID/stat` counts in ticks of 10 ms, too coarse for a window of 100 ms, so the total comes
    /// from the scheduler's nanoseconds (`/proc/PID/task/*/schedstat`) and only its split into user
    /// and kernel mode from the ticks. Threads that nobody saw are in the ticks alone, hence the larger of
    /// the two counts.
    pub(super) fn of(
        stat: Stat,
        scheduled: Scheduled,
        moved: Option<[u64; 4]>,
        [rss, peak_rss]: [u64; 2],
    ) -> Self {
        let ticks_per_second = procfs::ticks_per_second() as f64;
        let user = stat.utime as f64 / ticks_per_second;
        let system = stat.stime as f64 / ticks_per_second;
        let total = (scheduled.ran as f64 / 1e9).max(user + system);
        let share = if user + system > 0.0 {
            user / (user + system)
        } else {
            0.5
        };
        // whatever is there had a core before: who never had one is of a kernel that does not count that
        let of_scheduler = |count: u64| (scheduled.runs > 0).then_some(count);
        Self {
            began: stat.starttime,
            command: stat.comm,
            parent: stat.ppid.cast_unsigned(),
            user: total * share,
            system: total * (1.0 - share),
            children: [stat.cutime, stat.cstime].map(|ticks| ticks as f64 / ticks_per_second),
            rss,
            threads: stat.num_threads.unsigned_abs(),
            peak_rss,
            counts: [
                (MINOR_FAULTS, Some(stat.minflt)),
                (MAJOR_FAULTS, Some(stat.majflt)),
                (
                    record::RUN_QUEUE_WAIT,
                    of_scheduler(scheduled.waited / 1_000),
                ),
                (record::BUSIEST_THREAD, of_scheduler(scheduled.most / 1_000)),
                // how often its threads were given a core
                ("runs", of_scheduler(scheduled.runs)),
                (ProcessCost::VOLUNTARY_SWITCHES, Some(scheduled.voluntary)),
                (
                    ProcessCost::INVOLUNTARY_SWITCHES,
                    Some(scheduled.involuntary),
                ),
                (ProcessCost::BYTES_READ, moved.map(|of| of[0])),
                (ProcessCost::BYTES_WRITTEN, moved.map(|of| of[1])),
                ("storage-read", moved.map(|of| of[2])),
                ("storage-written", moved.map(|of| of[3])),
            ],
        }
    }

    /// CPU seconds that it leaves to whoever waits for it: its own, and those of children that it waited for itself.
    pub(super) fn left(&self) -> f64 {
        self.user + self.system + self.children.iter().sum::<f64>()
    }

    /// What the kernel has counted under this name; none where it does not tell.
    pub(super) fn count(&self, name: &str) -> Option<u64> {
        let mut counts = self.counts.iter();
        counts.find(|(of, _)| *of == name)?.1
    }

    /// Adds what of it is followed over time.
    pub(super) fn add_to(&self, samples: &mut Samples, of: &str, pid: u32, at: Moment) {
        use CounterKind::{Gauge, Total};
        let mut add = |name: &str, kind: CounterKind, unit: &str, value: f64| {
            let figure = Figure::new(of, name, kind, unit);
            let pid = Some(pid);
            samples.add(Figure { pid, ..figure }, at, value);
        };
        add("cpu-user", Total, "seconds", self.user);
        add("cpu-system", Total, "seconds", self.system);
        if let Some(micros) = self.count(record::RUN_QUEUE_WAIT) {
            let waited = micros as f64 / 1e6;
            add(record::RUN_QUEUE_WAIT, Total, "seconds", waited);
        }
        add("rss", Gauge, "bytes", self.rss as f64);
        add("threads", Gauge, "threads", self.threads as f64);
        for (name, unit) in FOLLOWED {
            if let Some(count) = self.count(name) {
                add(name, Total, unit, count as f64);
            }
        }
    }
}

/// Whether a process has ended. Of one that cannot be looked at nobody knows, and it is presumed to go on.
pub(super) fn has_ended(pid: u32, began: u64) -> bool {
    match Process::new(pid.cast_signed()).and_then(|process| process.stat()) {
        Ok(stat) => stat.starttime != began,
        Err(error) => matches!(error, ProcError::NotFound(_)),
    }
}
