//! Whether cores were lacking, whoever had them.

use record::{BUSIEST_THREAD, ProcessCost, RUN_QUEUE_WAIT};

use super::cores::seconds;
use super::facts::Facts;

/// Share of cores none of which was idle, from which on those who had it would have taken more.
const PART: f64 = 0.25;
/// Share of the time of requests from which on they took longer for what threads waited for a core.
const LONGER: f64 = 0.25;

/// Share of the window in which a thread ran or was ready to, from which on it would have run all the time.
const ALL: f64 = 0.9;
/// Share of the window that such a thread waited for a core at least.
const WAITED: f64 = 0.1;
/// Share of its process's CPU time from which on what the threads of that waited was what this thread waited.
const MOST: f64 = 0.75;

/// Share of what the stack used, from which on the rest of it is not what holds it back.
const NEARLY_ALL: f64 = 0.9;

impl Facts<'_> {
    /// Whether the stack or the load generator would have been faster with more of the cores. Where the kernel does not count what
    /// threads wait for one, they may have been.
    pub(super) fn lacks_cores(&self) -> bool {
        let all = &self.measured.processes;
        if !all.iter().any(|of| of.counts.contains_key(RUN_QUEUE_WAIT)) {
            return true;
        }
        if self.is_held_to_its_cores() {
            return false;
        }
        let had = self.own_cores() + self.stolen();
        let waited = all.iter().map(|of| self.counted(of, RUN_QUEUE_WAIT));
        let waited: f64 = waited.sum();
        (had >= PART * self.cores && self.none_is_idle())
            || waited >= LONGER * self.in_progress()
            || all.iter().any(|of| self.has_a_thread_that_lacks_a_core(of))
    }

    /// Whether the stack could use no more cores than it had: nearly all that it used is of processes that run one thread at a time,
    /// each of which had one.
    fn is_held_to_its_cores(&self) -> bool {
        let hot = self.with_a_whole_core();
        let locked = hot.iter().filter(|of| self.lock(of).is_some());
        let used: f64 = locked.map(|of| self.cores_of(of)).sum();
        (hot.len() as f64) < self.cores && used > 0.0 && used >= NEARLY_ALL * self.stack_cores()
    }

    /// Whether the thread that does most of a process would have run all the time, and was kept from it.
    fn has_a_thread_that_lacks_a_core(&self, process: &ProcessCost) -> bool {
        let watched = self.watched(process);
        let thread = seconds(process, BUSIEST_THREAD) / watched;
        let waited = seconds(process, RUN_QUEUE_WAIT) / watched;
        let alone = thread >= MOST * process.cpu() / watched;
        alone && waited >= WAITED && thread + waited >= ALL
    }
}
