//! Which of the threads that could run have a core.

use std::collections::BTreeMap;
use std::fs;

/// Says of threads of a process that could run whether they have a core.
///
/// The kernel does not say it: to it one that runs and one that waits for a core are both running. But it counts how often a thread
/// was given a core (the third figure of `schedstat`), and how often it lost one (the switches of `status`). One that has a core
/// was given one once more than it lost one. To read both takes some 20 µs.
///
/// Of a thread that has lived long they may have drifted apart by a few, so where they say that it has no core their difference is
/// taken anew when it is next seen to wait.
pub(crate) struct Cores {
    pid: u32,
    /// Threads that have been asked for.
    threads: BTreeMap<u64, Known>,
}

#[derive(Default)]
struct Known {
    /// How much oftener it was given a core than it lost one, while it waits.
    at_rest: i64,
    /// Whether that may be another number by now.
    is_doubtful: bool,
}

/// What is counted of a thread.
#[derive(Debug, PartialEq, Eq)]
struct Switches {
    /// Whether it could run.
    is_runnable: bool,
    /// How much oftener it was given a core than it lost one.
    given: i64,
}

impl Cores {
    pub(crate) fn of(pid: u32) -> Self {
        Self {
            pid,
            threads: BTreeMap::new(),
        }
    }

    /// Whether a thread that could run a moment ago surely had a core: not where nothing is told, or where it waited for one, be it
    /// because the profiler had taken it.
    pub(crate) fn has(&mut self, thread: u64) -> bool {
        let switches = Switches::of(self.pid, thread);
        let known = self.threads.entry(thread).or_default();
        switches.is_some_and(|of| known.has_core(&of))
    }

    /// Takes notice of a thread that waits.
    pub(crate) fn waits(&mut self, thread: u64) {
        let Some(known) = self.threads.get_mut(&thread).filter(|of| of.is_doubtful) else {
            return;
        };
        let twice = [(); 2].map(|()| Switches::of(self.pid, thread));
        if let [Some(first), Some(second)] = twice {
            known.rests(&first, &second);
        }
    }

    /// Forgets the other threads.
    pub(crate) fn keep(&mut self, is_there: impl Fn(u64) -> bool) {
        self.threads.retain(|thread, _| is_there(*thread));
    }
}

impl Known {
    fn has_core(&mut self, now: &Switches) -> bool {
        // it has gone to sleep since, which none does without a core
        let has = !now.is_runnable || now.given == self.at_rest + 1;
        self.is_doubtful |= !has;
        has
    }

    /// It was looked at twice while it waited; if it woke meanwhile, these are not the same, or say so.
    fn rests(&mut self, first: &Switches, second: &Switches) {
        if first == second && !first.is_runnable {
            *self = Self {
                at_rest: first.given,
                is_doubtful: false,
            };
        }
    }
}

impl Switches {
    /// `None` where the thread has ended, or nothing is counted.
    fn of(pid: u32, thread: u64) -> Option<Self> {
        let of = format!("/proc/{pid}/task/{thread}");
        // in this order one that is given a core meanwhile seems to have none, and the other way round what has none would seem to
        let given = fs::read_to_string(format!("{of}/schedstat")).ok()?;
        let status = fs::read(format!("{of}/status")).ok()?;
        Self::read(&given, &String::from_utf8_lossy(&status))
    }

    fn read(schedstat: &str, status: &str) -> Option<Self> {
        let given: i64 = schedstat.split_ascii_whitespace().nth(2)?.parse().ok()?;
        let value = |name: &str| {
            let mut lines = status.lines();
            lines.find_map(|line| Some(line.strip_prefix(name)?.trim_start()))
        };
        let lost = |name: &str| value(name)?.parse::<i64>().ok();
        let lost = lost("voluntary_ctxt_switches:")? + lost("nonvoluntary_ctxt_switches:")?;
        // 0: the kernel keeps none
        (given > 0).then_some(Self {
            is_runnable: value("State:")?.starts_with('R'),
            given: given - lost,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn switches(is_runnable: bool, given: i64) -> Switches {
        Switches { is_runnable, given }
    }

    #[test]
    fn what_the_kernel_counts_is_read() {
        let status = "Name:\tState: R\nState:\tS (sleeping)\nTgid:\t7\n\
            voluntary_ctxt_switches:\t40\nnonvoluntary_ctxt_switches:\t3\n";
        let read = Switches::read("1200 34 44\n", status);
        assert_eq!(read, Some(switches(false, 1)));
        assert_eq!(Switches::read("0 0 0\n", status), None, "none is kept");
        assert_eq!(Switches::read("1200 34 44\n", ""), None);
    }

    #[test]
    fn one_that_was_given_a_core_oftener_than_it_lost_one_has_it() {
        let mut known = Known::default();
        assert!(known.has_core(&switches(true, 1)));
        assert!(known.has_core(&switches(false, 0)), "it slept since");
        assert!(!known.is_doubtful);
        assert!(!known.has_core(&switches(true, 0)));
        assert!(known.is_doubtful);
    }

    #[test]
    fn a_difference_that_has_drifted_is_taken_anew_while_it_waits() {
        let mut known = Known::default();
        assert!(!known.has_core(&switches(true, -2)));
        known.rests(&switches(false, -3), &switches(false, -2));
        known.rests(&switches(true, -2), &switches(true, -2));
        assert_eq!((known.at_rest, known.is_doubtful), (0, true), "it woke");
        known.rests(&switches(false, -3), &switches(false, -3));
        assert!(known.has_core(&switches(true, -2)));
        assert!(!known.has_core(&switches(true, -3)));
    }

    #[test]
    fn a_thread_that_asks_has_a_core() {
        let pid = std::process::id();
        let own = u64::try_from(rustix::thread::gettid().as_raw_pid()).unwrap();
        // between the two readings it may be interrupted
        let mut cores = Cores::of(pid);
        assert!((0..1_000).any(|_| cores.has(own)));
    }
}
