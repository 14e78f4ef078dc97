//! What the threads of a process wait for, where its stacks are of threads on CPU alone.

use std::collections::BTreeMap;
use std::fs;

use record::Doing;

use crate::clock::Clock;
use crate::process::{Frame, Look};
use crate::thread::{doing, numbers};

/// Most threads of a process whose waits are counted.
const MOST_THREADS: usize = 256;
/// Most of them that one look reads: of more, each look reads its share.
const MOST_AT_ONCE: usize = 32;

/// The threads of a process, and what each of them was seen to wait for.
///
/// A look costs a short text of the kernel for each thread and stops none of them. What a thread did is counted with it until it
/// ends or all is over, since only then it is known whether it ever ran: most of those that wait for another thread are spare
/// workers.
pub(crate) struct Waits {
    pid: u32,
    /// Looks per second.
    rate: f64,
    threads: BTreeMap<u64, Thread>,
    looks: usize,
    counts: bool,
}

#[derive(Default)]
struct Thread {
    name: String,
    /// Its clock when that was read last.
    before: Clock,
    /// Whether it ran while that counted.
    ran: bool,
    /// Nanoseconds that it waited for a core while that counted.
    queued: u64,
    /// How often it was seen to do what.
    seen: BTreeMap<Doing, u64>,
}

impl Waits {
    /// Of a process that is looked at so many times a second.
    pub(crate) fn of(pid: u32, rate: f64) -> Self {
        let mut waits = Self {
            pid,
            rate,
            threads: BTreeMap::new(),
            looks: 0,
            counts: false,
        };
        waits.refresh();
        waits
    }

    /// Takes notice of new threads and of new names.
    pub(crate) fn refresh(&mut self) {
        for number in numbers(self.pid).take(MOST_THREADS) {
            let is_known = self.threads.contains_key(&number);
            if !is_known && self.threads.len() >= MOST_THREADS {
                continue;
            }
            if let Some(name) = name(self.pid, number) {
                self.threads.entry(number).or_default().name = name;
            }
        }
    }

    /// From now on what its threads do counts, or no longer.
    pub(crate) fn count(&mut self, counts: bool) {
        if counts == self.counts {
            return;
        }
        self.counts = counts;
        for (&number, thread) in &mut self.threads {
            let now = Clock::of(self.pid, number);
            if counts {
                thread.before = now.unwrap_or_default();
            } else {
                thread.settle(now);
            }
        }
    }

    /// Looks at its threads, and tells what those did that have ended.
    pub(crate) fn look(&mut self) -> Vec<Look> {
        let step = self.threads.len().div_ceil(MOST_AT_ONCE).max(1);
        self.looks += 1;
        let turn = self.looks % step;
        let mut ended = Vec::new();
        for (&number, thread) in self.threads.iter_mut().skip(turn).step_by(step) {
            match doing(self.pid, number, |_| false) {
                // stacks tell of that
                Some(Doing::OnCpu) => {}
                Some(doing) => *thread.seen.entry(doing).or_default() += step as u64,
                None => ended.push(number),
            }
        }
        let mut looks = Vec::new();
        for number in ended {
            if let Some(mut thread) = self.threads.remove(&number) {
                thread.settle(None);
                looks.extend(thread.looks(self.rate));
            }
        }
        looks
    }

    /// What its threads did that has not been told yet.
    pub(crate) fn rest(&mut self) -> Vec<Look> {
        self.count(false);
        let threads = std::mem::take(&mut self.threads).into_values();
        threads.flat_map(|of| of.looks(self.rate)).collect()
    }
}

impl Thread {
    /// Adds what it had since its clock was looked at last. Of one that has none any more, or none at all, it is not known that it
    /// never ran.
    fn settle(&mut self, now: Option<Clock>) {
        let Some(now) = now else {
            self.ran = true;
            return;
        };
        self.ran |= now.ran != self.before.ran;
        self.queued += now.since(self.before).queued;
        self.before = now;
    }

    /// What it did, as looks so many times a second; its name stands for the functions on its stack.
    fn looks(self, rate: f64) -> impl Iterator<Item = Look> {
        let queued = (self.queued as f64 / 1e9 * rate).round() as u64;
        let queued = (queued > 0).then_some((Doing::WaitsForCore, queued));
        let seen = self.seen.into_iter().chain(queued);
        seen.map(move |(doing, samples)| Look {
            doing: if self.ran { doing } else { idle(doing) },
            samples,
            frames: vec![Frame {
                name: self.name.clone(),
                file: "<thread>".to_owned(),
                line: 0,
            }],
        })
    }
}

/// What a thread did that never ran meanwhile: where others may have given it work, nobody had any.
fn idle(doing: Doing) -> Doing {
    match doing {
        Doing::WaitsForSocket | Doing::WaitsForThread | Doing::Waits => Doing::Idle,
        of => of,
    }
}

/// A thread's name, or that of its pool: `None` where it has ended.
fn name(pid: u32, thread: u64) -> Option<String> {
    let name = fs::read(format!("/proc/{pid}/task/{thread}/comm")).ok()?;
    let name = String::from_utf8_lossy(&name);
    let name = name.trim_end();
    // the first has the name of the program
    if thread == u64::from(pid) {
        return Some(name.to_owned());
    }
    Some(pool(name))
}

/// Threads of a pool differ by the number at the end of their names: `worker-12` is one of `worker-*`.
fn pool(name: &str) -> String {
    let pool = name.trim_end_matches(|of: char| of.is_ascii_digit());
    if pool.len() == name.len() {
        name.to_owned()
    } else {
        format!("{pool}*")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_of_a_pool_have_one_name() {
        assert_eq!(pool("worker-12"), "worker-*");
        assert_eq!(pool("GC Thread#0"), "GC Thread#*");
        assert_eq!(pool("v8 worker"), "v8 worker");
        assert_eq!(pool(""), "");
    }

    /// What a thread is told to have done, that waited 30 looks for another one and slept for 5.
    fn told(clocks: [Option<Clock>; 2]) -> Vec<(Doing, u64)> {
        let mut thread = Thread {
            seen: BTreeMap::from([(Doing::WaitsForThread, 30), (Doing::Sleeps, 5)]),
            before: clocks[0].unwrap_or_default(),
            ..Thread::default()
        };
        thread.settle(clocks[1]);
        let looks = thread.looks(50.0);
        looks.map(|of| (of.doing, of.samples)).collect()
    }

    #[test]
    fn what_never_ran_was_idle_and_what_sleeps_sleeps() {
        let at = |ran, queued| Some(Clock { ran, queued });
        let same = told([at(7, 9), at(7, 9)]);
        assert_eq!(same, [(Doing::Idle, 30), (Doing::Sleeps, 5)]);
        let waits = [(Doing::WaitsForThread, 30), (Doing::Sleeps, 5)];
        assert_eq!(told([at(7, 9), at(8, 9)]), waits);
        assert_eq!(told([at(7, 9), None]), waits, "it has ended");
        assert_eq!(told([None, None]), waits, "the kernel keeps no clocks");
    }

    #[test]
    fn time_without_a_core_is_as_many_looks() {
        let at = |ran, queued| Some(Clock { ran, queued });
        let queued = told([at(7, 1_000_000_000), at(8, 3_000_000_000)]);
        assert_eq!(queued[2], (Doing::WaitsForCore, 100));
    }
}
