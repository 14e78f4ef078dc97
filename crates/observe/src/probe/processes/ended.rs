//! What processes used that ended before anybody looked again: an app that runs a command for each request begins hundreds in a
//! second, which are over between two looks.
//!
//! The kernel adds what a process has used, and what it has waited for itself, to what its parent has waited for, as that learns
//! of its end. Of the growth of that sum over the window this takes what was seen of those processes while they were there, and
//! so is counted with them; the rest is the parent's.

use std::collections::{BTreeMap, BTreeSet};

use record::{BUSIEST_THREAD, ProcessCost};

use super::{Key, OWN, Process, Processes, has_ended};

/// Most processes that have ended and are told each by itself: an app may begin any number of them. The others of an owner are
/// told as one.
const TOLD: usize = 256;
/// What these are called, as a command.
const FOLDED: &str = "(ended)";

impl Processes {
    /// After a look: who has waited for those that ended since the one before is told of what is counted with them.
    pub(super) fn settle(&mut self) {
        let look = self.looks;
        let missed = self.seen.iter();
        let missed = missed.filter(|(_, of)| of.look != look && !of.ended);
        // one that others have adopted is no longer found, and goes on
        let gone = missed.filter(|((pid, began), _)| has_ended(*pid, *began));
        let gone: BTreeSet<Key> = gone.map(|(key, _)| *key).collect();
        self.end(&gone);
        self.fold();
    }

    /// Puts those together that have ended and used least, beyond [`TOLD`]. Nothing is added to one of them any more.
    fn fold(&mut self) {
        let used = |of: &Process| of.last.user + of.last.system;
        let ended = self.seen.iter().filter(|(_, of)| of.ended);
        let mut ended: Vec<(f64, Key)> = ended.map(|(key, of)| (used(of), *key)).collect();
        if ended.len() <= TOLD {
            return;
        }
        ended.sort_by(|one, other| other.0.total_cmp(&one.0));
        for (_, key) in &ended[TOLD..] {
            if let Some(process) = self.seen.remove(key) {
                // what one of them shared is nothing that all of them did
                let cost = process.cost(*key, &BTreeMap::new());
                let of_owner = self.folded.entry(cost.owner.clone());
                add(of_owner.or_default(), cost);
            }
        }
    }

    fn end(&mut self, gone: &BTreeSet<Key>) {
        let left = gone.iter().filter_map(|key| {
            let process = self.seen.get(key)?;
            Some((self.survivor(process, gone)?, process.last.left()))
        });
        let left: Vec<(Key, f64)> = left.collect();
        for key in gone {
            if let Some(process) = self.seen.get_mut(key) {
                process.ended = true;
                if let Some(of) = self.turnover.get_mut(&process.owner) {
                    of.ended += 1;
                }
            }
        }
        for (key, seconds) in left {
            if let Some(process) = self.seen.get_mut(&key) {
                process.known += seconds;
            }
        }
    }

    /// The nearest of those above a process that is gone which is still there: it has waited for it, or for one that has.
    fn survivor(&self, process: &Process, gone: &BTreeSet<Key>) -> Option<Key> {
        let mut parent = process.last.parent;
        // an id that was given again may lead in a circle
        for _ in 0..=gone.len() {
            let called = self.seen.range((parent, 0)..=(parent, u64::MAX));
            let (key, process) = called.rev().find(|(_, of)| !of.ended)?;
            if !gone.contains(key) {
                return Some(*key);
            }
            parent = process.last.parent;
        }
        None
    }
}

/// Adds a process that has ended to those that are told as one. All that they used is that of children that ended, as they were
/// no process that had it to itself; and as they were not there together, their memory is that of the largest.
fn add(all: &mut ProcessCost, of: ProcessCost) {
    let used = (of.cpu() * 1e6) as u64;
    all.cpu_user += of.cpu_user;
    all.cpu_system += of.cpu_system;
    all.peak_rss = all.peak_rss.max(of.peak_rss);
    for (name, count) in of.counts {
        let of_one = [BUSIEST_THREAD, ProcessCost::ENDED_CHILDREN].contains(&name.as_str());
        if !of_one {
            *all.counts.entry(name).or_default() += count;
        }
    }
    let ended = ProcessCost::ENDED_CHILDREN.to_owned();
    *all.counts.entry(ended).or_default() += used;
    all.owner = of.owner;
    FOLDED.clone_into(&mut all.command);
}

impl Process {
    /// CPU seconds, in user mode and in the kernel, of children that ended in the window, as far as they are counted nowhere
    /// else. Weir itself has none: what it waits for are whole stacks.
    pub(super) fn of_children(&self) -> [f64; 2] {
        if self.owner == OWN {
            return [0.0; 2];
        }
        let before = self.at_open.as_ref().map_or([0.0; 2], |of| of.children);
        let now = self.last.children;
        let grown = [now[0] - before[0], now[1] - before[1]].map(|of| of.max(0.0));
        let all = grown[0] + grown[1];
        let uncounted = (all - self.known).max(0.0);
        let share = if all > 0.0 { uncounted / all } else { 0.0 };
        grown.map(|of| of * share)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Trees;
    use super::super::usage::Usage;
    use super::*;
    use crate::Seen;
    use crate::probe::Probe as _;

    /// A process that was there as the window opened, and has used so many seconds since.
    fn process(parent: u32, used: f64) -> Process {
        let before = Usage {
            parent,
            user: 100.0,
            children: [40.0, 10.0],
            ..Usage::default()
        };
        Process {
            owner: "app".to_owned(),
            last: Usage {
                user: 100.0 + used,
                ..before.clone()
            },
            at_open: Some(before),
            ..Process::default()
        }
    }

    /// A master with a worker that has a helper, each with its seconds.
    fn seen(master: f64, worker: f64, helper: f64) -> Processes {
        let mut all = Processes::of(Trees::of_stack(Vec::new()));
        let processes = [(1, master), (10, worker), (11, helper)];
        for (pid, (parent, used)) in (10..).zip(processes) {
            all.seen.insert((pid, 1), process(parent, used));
        }
        all
    }

    /// What a process has of children that ended, if the sum over all it waited for has grown by so many seconds.
    fn of_children(all: &mut Processes, pid: u32, grown: f64) -> f64 {
        let process = all.seen.get_mut(&(pid, 1)).unwrap();
        process.last.children[0] = 40.0 + grown;
        process.of_children().iter().sum()
    }

    fn assert_near(seconds: f64, wanted: f64) {
        assert!(
            (seconds - wanted).abs() < 1e-9,
            "{seconds} instead of {wanted}"
        );
    }

    #[test]
    fn what_nobody_saw_is_the_parents() {
        let mut all = seen(0.0, 3.0, 0.0);
        assert_near(of_children(&mut all, 11, 2.5), 2.5);
        assert_near(of_children(&mut all, 10, 0.0), 0.0);
    }

    #[test]
    fn what_was_seen_of_one_that_ended_is_counted_with_it() {
        let mut all = seen(0.0, 3.0, 1.0);
        all.end(&BTreeSet::from([(12, 1)]));
        // 101 and 50 s were seen of the helper; then it used 0.2 more
        assert_near(of_children(&mut all, 11, 151.2), 0.2);
        // and that the worker was told of more than it waited for takes nothing from it
        assert_near(of_children(&mut all, 11, 150.0), 0.0);
    }

    #[test]
    fn whose_parent_has_ended_too_is_known_to_the_one_above() {
        let mut all = seen(0.0, 3.0, 1.0);
        all.end(&BTreeSet::from([(11, 1), (12, 1)]));
        assert_near(of_children(&mut all, 10, 151.0 + 153.0 + 0.4), 0.4);
    }

    #[test]
    fn what_ends_in_a_pause_is_neither_counted_nor_taken_away() {
        let mut all = seen(0.0, 3.0, 1.0);
        all.seen.get_mut(&(12, 1)).unwrap().ended = true;
        let worker = all.seen.get_mut(&(11, 1)).unwrap();
        let mut now = worker.last.clone();
        now.children[0] += 151.2;
        worker.skip_to(now);
        all.end(&BTreeSet::new());
        assert_near(of_children(&mut all, 11, 151.2 + 0.7), 0.7);
    }

    /// 600 commands that a worker has begun and waited for, each of 10 ms but for one of a second.
    #[test]
    fn of_many_that_have_ended_no_time_is_lost() {
        let mut all = seen(0.0, 0.0, 0.0);
        let gone: BTreeSet<Key> = (1_000..1_600).map(|pid| (pid, 2)).collect();
        for key in &gone {
            let last = Usage {
                parent: 11,
                user: if key.0 == 1_300 { 1.0 } else { 0.01 },
                peak_rss: u64::from(key.0),
                ..Usage::default()
            };
            let command = Process {
                owner: "app".to_owned(),
                last,
                watched: 0.5,
                ..Process::default()
            };
            all.seen.insert(*key, command);
        }
        all.end(&gone);
        all.fold();
        let mut told = Seen::default();
        Box::new(all).tell(&mut told);
        let rows = &told.processes;
        assert_eq!(rows.len(), 3 + TOLD + 1);
        assert_near(rows.iter().map(ProcessCost::cpu).sum(), 1.0 + 5.99);
        assert!(rows.iter().any(|of| of.pid == 1_300), "it used most");
        let folded = rows.last().unwrap();
        assert_eq!(
            (&*folded.owner, &*folded.command, folded.pid),
            ("app", FOLDED, 0)
        );
        assert_near(folded.cpu(), 3.44);
        assert_eq!(folded.counts[ProcessCost::ENDED_CHILDREN], 3_440_000);
        assert_eq!(folded.counts[ProcessCost::WATCHED], 344 * 500_000);
        assert!((1_000..1_600).contains(&folded.memory()), "{folded:?}");
    }

    #[test]
    fn what_weir_waits_for_is_no_cost_of_its_own() {
        let mut all = seen(0.0, 0.0, 0.0);
        all.seen.get_mut(&(10, 1)).unwrap().owner = OWN.to_owned();
        assert_near(of_children(&mut all, 10, 5.0), 0.0);
    }
}
