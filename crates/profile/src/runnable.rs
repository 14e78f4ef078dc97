//! Which of the looks at threads that could run saw them run.

use std::collections::BTreeMap;

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
/// A look does not tell these two apart. How long each thread ran and how long it waited for a core is known from the scheduler. So
/// of a thread's looks the same share is on CPU, and the others waited for a core. Which of them is not known: they are spread evenly
/// over the looks of the thread.
pub(crate) struct Runnable {
    pid: u32,
    /// By their numbers; those whose number is not known are one, with the clocks of all threads.
    threads: BTreeMap<Option<u64>, Account>,
    /// Threads that have ended are one: many have too few looks to be divided.
    ended: Account,
    /// Looks that wait.
    kept: usize,
    /// The part of a look that is on CPU and that no look was told for yet, -0.5 to 0.5.
    owed: f64,
    counts: bool,
}

/// The looks at a thread that wait, and the time that they are of.
#[derive(Default)]
struct Account {
    /// Its clock when that was read last.
    before: Clock,
    /// What has passed on its clock since its looks were told last.
    had: Clock,
    looks: Vec<Vec<Frame>>,
}

impl Runnable {
    pub(crate) fn of(pid: u32) -> Self {
        Self {
            pid,
            threads: BTreeMap::new(),
            ended: Account::default(),
            kept: 0,
            owed: 0.0,
            counts: false,
        }
    }

    /// From now on the time of its threads counts, or no longer.
    pub(crate) fn count(&mut self, counts: bool) {
        if counts == self.counts {
            return;
        }
        self.counts = counts;
        if counts {
            // a thread that is not among them begins later, and its clock with it
            let there = numbers(self.pid).take(MOST_THREADS).map(Some);
            for thread in there.chain([None]) {
                let account = self.threads.entry(thread).or_default();
                account.before = clock(self.pid, thread).unwrap_or_default();
            }
        } else {
            for (&thread, account) in &mut self.threads {
                account.advance(clock(self.pid, thread));
            }
        }
    }

    /// Keeps what a look at a thread saw that could run.
    pub(crate) fn add(&mut self, thread: Option<u64>, frames: Vec<Frame>) {
        let account = self.threads.entry(thread).or_default();
        let is_due = thread.is_some() || account.looks.len().is_multiple_of(EACH);
        if self.counts && is_due {
            // it may have ended before its looks are told
            account.advance(clock(self.pid, thread));
        }
        account.looks.push(frames);
        self.kept += 1;
    }

    /// What was kept, once that is much.
    pub(crate) fn look(&mut self) -> Vec<Look> {
        if self.kept < MOST_LOOKS {
            return Vec::new();
        }
        self.rest()
    }

    /// What was kept until now.
    pub(crate) fn rest(&mut self) -> Vec<Look> {
        self.kept = 0;
        let mut looks = Vec::new();
        for (thread, mut account) in std::mem::take(&mut self.threads) {
            let now = clock(self.pid, thread);
            if now.is_none() {
                self.ended.join(account);
                continue;
            }
            if self.counts {
                account.advance(now);
            }
            account.tell(&mut self.owed, &mut looks);
            self.threads.insert(thread, account);
        }
        self.ended.tell(&mut self.owed, &mut looks);
        looks
    }
}

impl Account {
    fn advance(&mut self, now: Option<Clock>) {
        let Some(now) = now else {
            return;
        };
        self.had += now.since(self.before);
        self.before = now;
    }

    fn join(&mut self, other: Self) {
        self.had += other.had;
        self.looks.extend(other.looks);
    }

    /// Tells its looks apart. Where the kernel keeps no clocks, all of them are on CPU.
    fn tell(&mut self, owed: &mut f64, looks: &mut Vec<Look>) {
        if self.looks.is_empty() {
            return;
        }
        let Clock { ran, queued } = std::mem::take(&mut self.had);
        let on_cpu = match ran + queued {
            0 => 1.0,
            all => ran as f64 / all as f64,
        };
        for frames in self.looks.drain(..) {
            *owed += on_cpu;
            let doing = if *owed >= 0.5 {
                *owed -= 1.0;
                Doing::OnCpu
            } else {
                Doing::WaitsForCore
            };
            looks.push(Look {
                doing,
                samples: 1,
                frames,
            });
        }
    }
}

/// The clock of a thread, or those of all threads of the process.
fn clock(pid: u32, thread: Option<u64>) -> Option<Clock> {
    match thread {
        Some(thread) => Clock::of(pid, thread),
        None => Clock::of_all(pid),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many looks at a thread that had so many nanoseconds.
    fn account(looks: usize, ran: u64, queued: u64) -> Account {
        Account {
            had: Clock { ran, queued },
            looks: vec![Vec::new(); looks],
            ..Account::default()
        }
    }

    /// How many looks were on CPU, and how many waited for a core.
    fn told(accounts: Vec<Account>) -> [usize; 2] {
        let (mut owed, mut looks) = (0.0, Vec::new());
        for mut account in accounts {
            account.tell(&mut owed, &mut looks);
            assert!(account.looks.is_empty());
        }
        [Doing::OnCpu, Doing::WaitsForCore]
            .map(|doing| looks.iter().filter(|of| of.doing == doing).count())
    }

    #[test]
    fn as_large_a_part_is_on_cpu_as_the_scheduler_says() {
        assert_eq!(told(vec![account(400, 1_000, 3_000)]), [100, 300]);
        assert_eq!(told(vec![account(400, 1_000, 0)]), [400, 0]);
        assert_eq!(told(vec![account(400, 0, 1_000)]), [0, 400]);
        assert_eq!(told(vec![account(400, 0, 0)]), [400, 0], "no clocks");
    }

    #[test]
    fn threads_with_few_looks_are_not_rounded_each_by_itself() {
        let many = |ran: u64| -> Vec<Account> {
            let accounts = (0..400).map(|_| account(1, ran, 4 - ran));
            accounts.collect()
        };
        assert_eq!(told(many(1)), [100, 300]);
        assert_eq!(told(many(3)), [300, 100]);
    }

    #[test]
    fn threads_that_have_ended_count_with_their_last_clocks() {
        // no process has this number
        let mut runnable = Runnable::of(u32::MAX);
        for thread in 1..=4 {
            runnable.threads.insert(Some(thread), account(25, 1, 1));
        }
        let looks = runnable.rest();
        let on_cpu = looks.iter().filter(|of| of.doing == Doing::OnCpu);
        assert_eq!((on_cpu.count(), looks.len()), (50, 100));
        assert!(runnable.rest().is_empty());
    }
}
