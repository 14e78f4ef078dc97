//! Which of the looks at threads that could run saw them run.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use record::Doing;

use crate::clock::Clock;
use crate::process::{Frame, Look};
use crate::thread::numbers;

/// Most looks of a process that wait to be told apart.
const MOST_LOOKS: usize = 512;
/// Most threads of a process whose clocks are read before they were seen.
const MOST_THREADS: usize = 512;
/// Looks at threads whose numbers are not known from one time to the next that the clocks of all threads are read.
const EACH: usize = 16;

/// Looks at threads of a process that ran, or that could have run if a core had been free.
///
/// Of most it is known that they had a core ([`crate::cores::Cores`]). The others waited for one, or had one until the profiler
/// took it to look at them. How many these were follows from the scheduler, which knows how long the threads ran: of so many rounds of
/// looks in so much time, as many looks found a thread on CPU as threads ran on average. Where rounds are not known, as large a part of
/// the looks is on CPU as the threads ran of the time in which they ran or waited for a core. What lacks for that is spread evenly over
/// the looks at threads that had no core: a system call that goes to sleep is finished before the kernel lets the profiler look, so
/// the short ones of those that run would be found too seldom.
pub(crate) struct Runnable {
    pid: u32,
    /// Clocks of threads when they were read last, by their numbers.
    clocks: BTreeMap<u64, Clock>,
    waiting: Waiting,
    /// The part of a look that is on CPU and that no look was told for yet, -0.5 to 0.5.
    owed: f64,
    /// Since when time counts that is not yet among what it has had.
    counts_since: Option<Instant>,
}

/// Looks that wait to be told apart, and the time that they are of.
#[derive(Default)]
struct Waiting {
    looks: Vec<Seen>,
    /// What has passed on the clocks of all threads since looks were told last.
    had: Clock,
    /// How much time this was, and how often all threads were looked at in it; 0: not known.
    time: Duration,
    rounds: u32,
}

/// A thread that could run.
struct Seen {
    frames: Vec<Frame>,
    /// Whether it surely had a core.
    has_core: bool,
}

impl Runnable {
    pub(crate) fn of(pid: u32) -> Self {
        Self {
            pid,
            clocks: BTreeMap::new(),
            waiting: Waiting::default(),
            owed: 0.0,
            counts_since: None,
        }
    }

    /// From now on the time of its threads counts, or no longer.
    pub(crate) fn count(&mut self, counts: bool) {
        if counts == self.counts() {
            return;
        }
        if counts {
            self.counts_since = Some(Instant::now());
            // a thread that is not among them begins later, and its clock with it
            let there = numbers(self.pid).take(MOST_THREADS);
            let clocks = there.map(|of| (of, Clock::of(self.pid, of).unwrap_or_default()));
            self.clocks = clocks.collect();
        } else {
            self.advance_known();
            self.counts_since = None;
        }
    }

    /// Takes notice that all threads were looked at once.
    pub(crate) fn end_round(&mut self) {
        self.waiting.rounds += u32::from(self.counts());
    }

    fn counts(&self) -> bool {
        self.counts_since.is_some()
    }

    /// Keeps what a look at a thread saw that could run: surely with a core, or perhaps without one.
    pub(crate) fn add(&mut self, thread: Option<u64>, frames: Vec<Frame>, has_core: bool) {
        // it may have ended before its looks are told
        match thread {
            Some(thread) if self.counts() => self.advance(thread),
            None if self.counts() && self.waiting.looks.len().is_multiple_of(EACH) => {
                let there = numbers(self.pid).take(MOST_THREADS);
                there.for_each(|of| self.advance(of));
            }
            _ => {}
        }
        self.waiting.looks.push(Seen { frames, has_core });
    }

    /// What was kept, once that is much.
    pub(crate) fn look(&mut self) -> Vec<Look> {
        if self.waiting.looks.len() < MOST_LOOKS {
            return Vec::new();
        }
        self.rest()
    }

    /// What was kept until now.
    pub(crate) fn rest(&mut self) -> Vec<Look> {
        if self.counts() {
            self.advance_known();
        }
        self.waiting.told(&mut self.owed)
    }

    fn advance(&mut self, thread: u64) {
        if let Some(now) = Clock::of(self.pid, thread) {
            let before = self.clocks.insert(thread, now);
            self.waiting.had += now.since(before.unwrap_or_default());
        }
    }

    /// Reads the clocks of all threads that were seen, and forgets those that have ended.
    fn advance_known(&mut self) {
        let now = Instant::now();
        if let Some(since) = self.counts_since.replace(now) {
            self.waiting.time += now.duration_since(since);
        }
        for (thread, before) in std::mem::take(&mut self.clocks) {
            if let Some(now) = Clock::of(self.pid, thread) {
                self.waiting.had += now.since(before);
                self.clocks.insert(thread, now);
            }
        }
    }
}

impl Waiting {
    /// Tells its looks apart. Where the kernel keeps no clocks, all of them are on CPU.
    fn told(&mut self, owed: &mut f64) -> Vec<Look> {
        if self.looks.is_empty() {
            return Vec::new();
        }
        let Self {
            looks,
            had,
            time,
            rounds,
        } = std::mem::take(self);
        let ran = match had.ran + had.queued {
            0 => looks.len() as f64,
            _ if rounds > 0 => had.ran as f64 / time.as_nanos().max(1) as f64 * f64::from(rounds),
            all => had.ran as f64 / all as f64 * looks.len() as f64,
        };
        let sure = looks.iter().filter(|of| of.has_core).count();
        let others = (looks.len() - sure).max(1);
        let lacks = (ran - sure as f64).max(0.0);
        let each = (lacks / others as f64).min(1.0);
        let told = looks.into_iter().map(|seen| Look {
            doing: if seen.has_core || is_due(owed, each) {
                Doing::OnCpu
            } else {
                Doing::WaitsForCore
            },
            samples: 1,
            frames: seen.frames,
        });
        told.collect()
    }
}

/// Whether the next of several counts, of each of which this part does.
fn is_due(owed: &mut f64, part: f64) -> bool {
    *owed += part;
    let is_due = *owed >= 0.5;
    if is_due {
        *owed -= 1.0;
    }
    is_due
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many looks were on CPU, and how many waited for a core: of so many that surely had one and so many others, in so many
    /// nanoseconds.
    fn told(sure: usize, others: usize, ran: u64, queued: u64) -> [usize; 2] {
        let seen = |at: usize| Seen {
            frames: Vec::new(),
            has_core: at < sure,
        };
        let mut waiting = Waiting {
            looks: (0..sure + others).map(seen).collect(),
            had: Clock { ran, queued },
            ..Waiting::default()
        };
        let looks = waiting.told(&mut 0.0);
        assert!(waiting.looks.is_empty());
        [Doing::OnCpu, Doing::WaitsForCore]
            .map(|doing| looks.iter().filter(|of| of.doing == doing).count())
    }

    #[test]
    fn as_large_a_part_is_on_cpu_as_the_scheduler_says() {
        assert_eq!(told(0, 400, 1_000, 3_000), [100, 300]);
        assert_eq!(told(0, 400, 1_000, 0), [400, 0]);
        assert_eq!(told(0, 400, 0, 1_000), [0, 400]);
        assert_eq!(told(0, 400, 0, 0), [400, 0], "no clocks");
    }

    #[test]
    fn what_surely_had_a_core_is_a_part_of_that() {
        assert_eq!(told(60, 340, 1_000, 3_000), [100, 300]);
        assert_eq!(told(100, 300, 1_000, 3_000), [100, 300]);
        assert_eq!(told(150, 250, 1_000, 3_000), [150, 250], "by chance more");
        assert_eq!(told(400, 0, 1_000, 3_000), [400, 0]);
    }

    #[test]
    fn of_rounds_in_a_time_as_many_found_a_thread_on_cpu_as_ran() {
        let mut waiting = Waiting {
            looks: (0..10)
                .map(|at| Seen {
                    frames: Vec::new(),
                    has_core: at < 2,
                })
                .collect(),
            // half a core, all the time
            had: Clock {
                ran: 500,
                queued: 9_500,
            },
            time: Duration::from_micros(1),
            rounds: 12,
        };
        let looks = waiting.told(&mut 0.0);
        let on_cpu = looks.iter().filter(|of| of.doing == Doing::OnCpu);
        assert_eq!((on_cpu.count(), looks.len()), (6, 10));
    }

    #[test]
    fn what_was_kept_is_told_once() {
        // no process has this number
        let mut runnable = Runnable::of(u32::MAX);
        for thread in 1..=4 {
            runnable.waiting.had += Clock { ran: 1, queued: 1 };
            runnable.add(Some(thread), Vec::new(), false);
        }
        let looks = runnable.rest();
        let on_cpu = looks.iter().filter(|of| of.doing == Doing::OnCpu);
        assert_eq!((on_cpu.count(), looks.len()), (2, 4));
        assert!(runnable.rest().is_empty());
    }
}
