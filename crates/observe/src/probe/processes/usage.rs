use procfs::ProcError;
use procfs::process::{Process, Status, Task};
use record::{CounterKind, Moment, ProcessCost};

use crate::samples::{Figure, Samples};

/// What a process has used since it began.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::probe) struct Usage {
    /// When it began, in clock ticks since boot: tells a reused process id from the old one.
    pub(in crate::probe) began: u64,
    pub(in crate::probe) command: String,
    /// The process that has begun it, or has adopted it since.
    pub(in crate::probe) parent: u32,
    /// CPU seconds in user mode.
    pub(in crate::probe) user: f64,
    /// CPU seconds in the kernel.
    pub(in crate::probe) system: f64,
    /// CPU seconds, in user mode and in the kernel, of children that have ended and that it has waited for.
    pub(in crate::probe) children: [f64; 2],
    /// Resident memory now, bytes.
    pub(in crate::probe) rss: u64,
    /// Threads that it has.
    pub(in crate::probe) threads: u64,
    /// Largest resident memory so far, bytes.
    pub(in crate::probe) peak_rss: u64,
    /// What else the kernel has counted: a figure more is one line in [`usage`].
    pub(in crate::probe) counts: [(&'static str, u64); 9],
}

/// Reads a living process; `None` when it is gone.
///
/// `/proc/PID/stat` counts in ticks of 10 ms, too coarse for a window of 100 ms, so the total comes
/// from the scheduler's nanoseconds (`/proc/PID/task/*/schedstat`) and only its split into user
/// and kernel mode from the ticks. Threads that ended are in the ticks alone, hence the larger of
/// the two counts.
pub(in crate::probe) fn usage(pid: u32) -> Option<Usage> {
    let process = Process::new(pid.cast_signed()).ok()?;
    let stat = process.stat().ok()?;
    let ticks_per_second = procfs::ticks_per_second() as f64;
    let user = stat.utime as f64 / ticks_per_second;
    let system = stat.stime as f64 / ticks_per_second;
    let scheduled = scheduled(&process);
    let total = scheduled.seconds.max(user + system);
    let share = if user + system > 0.0 {
        user / (user + system)
    } else {
        0.5
    };
    let status = process.status().ok();
    let storage = process.io().ok();
    let storage = storage.as_ref();
    let memory = |of: fn(&Status) -> Option<u64>| status.as_ref().and_then(of).unwrap_or(0) * 1024;
    Some(Usage {
        began: stat.starttime,
        command: stat.comm,
        parent: stat.ppid.cast_unsigned(),
        user: total * share,
        system: total * (1.0 - share),
        children: [stat.cutime, stat.cstime].map(|ticks| ticks as f64 / ticks_per_second),
        rss: memory(|of| of.vmrss),
        threads: stat.num_threads.unsigned_abs(),
        peak_rss: memory(|of| of.vmhwm),
        counts: [
            ("minor-faults", stat.minflt),
            ("major-faults", stat.majflt),
            (record::RUN_QUEUE_WAIT, scheduled.waited / 1_000),
            (record::BUSIEST_THREAD, scheduled.most / 1_000),
            // how often its threads were given a core
            ("runs", scheduled.runs),
            // bytes that storage gave and took for it, caches left out
            ("storage-read", storage.map_or(0, |of| of.read_bytes)),
            ("storage-written", storage.map_or(0, |of| of.write_bytes)),
            (ProcessCost::BYTES_READ, storage.map_or(0, |of| of.rchar)),
            (ProcessCost::BYTES_WRITTEN, storage.map_or(0, |of| of.wchar)),
        ],
    })
}

impl Usage {
    /// CPU seconds that it leaves to whoever waits for it: its own, and those of children that it waited for itself.
    pub(in crate::probe) fn left(&self) -> f64 {
        self.user + self.system + self.children.iter().sum::<f64>()
    }

    /// Adds what of it is followed over time.
    pub(super) fn add_to(&self, samples: &mut Samples, of: &str, pid: u32, at: Moment) {
        use CounterKind::{Gauge, Total};
        let count = |name: &str| {
            let mut counts = self.counts.iter();
            let count = counts.find(|(of, _)| *of == name);
            count.map_or(0.0, |(_, count)| *count as f64)
        };
        let waited = count(record::RUN_QUEUE_WAIT) / 1e6;
        let (read, written) = (ProcessCost::BYTES_READ, ProcessCost::BYTES_WRITTEN);
        let figures = [
            ("cpu-user", Total, "seconds", self.user),
            ("cpu-system", Total, "seconds", self.system),
            (record::RUN_QUEUE_WAIT, Total, "seconds", waited),
            (read, Total, "bytes", count(read)),
            (written, Total, "bytes", count(written)),
            ("rss", Gauge, "bytes", self.rss as f64),
            ("threads", Gauge, "threads", self.threads as f64),
        ];
        for (name, kind, unit, value) in figures {
            let pid = Some(pid);
            let figure = Figure::new(of, name, kind, unit);
            samples.add(Figure { pid, ..figure }, at, value);
        }
    }
}

/// Whether a process has ended. Of one that cannot be looked at nobody knows, and it is presumed to go on.
pub(in crate::probe) fn has_ended(pid: u32, began: u64) -> bool {
    match Process::new(pid.cast_signed()).and_then(|process| process.stat()) {
        Ok(stat) => stat.starttime != began,
        Err(error) => matches!(error, ProcError::NotFound(_)),
    }
}

/// Bytes of a process's resident memory that the kernel counts with the other processes that share them: resident less
/// proportional memory (`smaps_rollup`). Its page tables are walked, which takes milliseconds where they are large.
/// `None` where that may not be read, or the process is gone.
pub(in crate::probe) fn shared(pid: u32) -> Option<u64> {
    let process = Process::new(pid.cast_signed()).ok()?;
    let maps = process.smaps_rollup().ok()?.memory_map_rollup;
    let figures = &maps.0.first()?.extension.map;
    let (resident, proportional) = (figures.get("Rss")?, figures.get("Pss")?);
    Some(resident.saturating_sub(*proportional))
}

/// Files and sockets that a process has open; `None` where that may not be read, or the process is gone.
pub(in crate::probe) fn descriptors(pid: u32) -> Option<usize> {
    Process::new(pid.cast_signed()).ok()?.fd_count().ok()
}

/// What the scheduler did for the living threads of a process.
#[derive(Default)]
struct Scheduled {
    /// CPU seconds.
    seconds: f64,
    /// CPU nanoseconds of the one that has used most.
    most: u64,
    /// Nanoseconds in which they were ready to run and had no core.
    waited: u64,
    /// How often they were given one.
    runs: u64,
}

fn scheduled(process: &Process) -> Scheduled {
    let stats = tasks(process).flat_map(|task| task.schedstat());
    stats.fold(Scheduled::default(), |all, of| Scheduled {
        seconds: all.seconds + of.sum_exec_runtime as f64 / 1e9,
        most: all.most.max(of.sum_exec_runtime),
        waited: all.waited + of.run_delay,
        runs: all.runs + of.pcount,
    })
}

/// The threads of a process, as far as they are still there.
pub(super) fn tasks(process: &Process) -> impl Iterator<Item = Task> + use<> {
    process.tasks().into_iter().flatten().flatten()
}

/// Every living descendant of `root`, `root` itself left out.
///
/// The kernel lists children per thread, because any thread may fork. Processes that end while
/// they are read are left out.
pub(in crate::probe) fn descendants(root: u32) -> Vec<u32> {
    let mut found = Vec::new();
    let mut unread = vec![root];
    while let Some(pid) = unread.pop() {
        let children = children(pid);
        found.extend(&children);
        unread.extend(children);
    }
    found
}

fn children(pid: u32) -> Vec<u32> {
    let process = Process::new(pid.cast_signed()).ok();
    let children = process.iter().flat_map(tasks).map(|task| task.children());
    children.flatten().flatten().collect()
}
