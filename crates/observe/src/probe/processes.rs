//! CPU time and memory of the processes below some guardians, and of weir's own.

mod ended;
mod files;
mod roles;
mod trees;
mod usage;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use record::{CounterKind, Moment, ProcessCost, Series};

use self::files::Reader;
pub(super) use self::trees::{Trees, descendants};
use self::usage::{Usage, has_ended};
use super::Probe;
use crate::Seen;
use crate::samples::{Figure, Samples};

/// The name under which weir's own process is listed.
const OWN: &str = ProcessCost::OWN;
/// Processes of which series are kept; of others the cost alone.
pub(super) const MOST_SERIES: usize = 32;
/// Seconds between two looks, at least: somewhat less than between two times that it is called.
const GAP: f64 = 0.08;

/// A process id, and when that process began: ids are given again.
type Key = (u32, u64);

/// A process that begins inside the window counts from zero; one that ends inside it counts up to
/// its last sample, and what it used from there to its end counts with the process that waited for it, as does all that
/// one used which nobody saw. What guardians wait for, as nobody else did, is lost.
pub(super) struct Processes {
    trees: Trees,
    reader: Reader,
    seen: BTreeMap<Key, Process>,
    /// Of those that have ended what is told as one, by their owners.
    folded: BTreeMap<String, ProcessCost>,
    /// Of each program how many processes began in the window and how many ended, as far as they were seen.
    turnover: BTreeMap<String, Turnover>,
    /// How often they were looked at.
    looks: u32,
    /// When they were looked at last; none while the window is not open.
    at: Option<Moment>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Turnover {
    begun: u64,
    ended: u64,
}

#[derive(Default)]
struct Process {
    owner: String,
    at_open: Option<Usage>,
    last: Usage,
    /// The number of the last look in which it was there.
    look: u32,
    /// Seconds of the window between looks in which it was there.
    watched: f64,
    /// CPU seconds that processes left to it as they ended in the window, and that are counted with these.
    known: f64,
    /// Whether it has ended, and what it left is known to whoever waited for it.
    ended: bool,
}

impl Processes {
    /// Those of these programs.
    pub(super) fn of(trees: Trees) -> Self {
        Self {
            trees,
            reader: Reader::default(),
            seen: BTreeMap::new(),
            folded: BTreeMap::new(),
            turnover: BTreeMap::new(),
            looks: 0,
            at: None,
        }
    }

    fn look(&mut self, opening: bool, at: Moment, samples: &mut Samples) {
        self.looks += 1;
        let look = self.looks;
        let passed = self.at.replace(at).map_or(0.0, |then| at.since(then));
        let alive = self.reader.look(&self.trees);
        for (number, (pid, owner, now)) in alive.into_iter().enumerate() {
            if number < MOST_SERIES {
                now.add_to(samples, &owner, pid, at);
            }
            match self.seen.entry((pid, now.began)) {
                Entry::Occupied(mut known) => known.get_mut().see(now, look, passed),
                Entry::Vacant(new) => {
                    if let Some(of) = self.turnover.get_mut(&owner).filter(|_| !opening) {
                        of.begun += 1;
                    }
                    new.insert(Process {
                        owner,
                        at_open: opening.then(|| now.clone()),
                        last: now,
                        look,
                        ..Process::default()
                    });
                }
            }
        }
        self.settle();
        for (program, of) in &self.turnover {
            let figure = |name| Figure::new(program, name, CounterKind::Total, "processes");
            samples.add(figure(Series::FORKS), at, of.begun as f64);
            samples.add(figure(Series::EXITS), at, of.ended as f64);
        }
    }
}

impl Probe for Processes {
    fn name(&self) -> &'static str {
        "processes"
    }

    fn gap(&self) -> f64 {
        GAP
    }

    fn start(&mut self, at: Moment, samples: &mut Samples) {
        let programs = self.trees.programs();
        self.turnover = programs.map(|of| (of, Turnover::default())).collect();
        self.reader = Reader::with_room();
        self.seen.clear();
        self.folded.clear();
        self.look(true, at, samples);
    }

    fn sample(&mut self, at: Moment, samples: &mut Samples) {
        self.look(false, at, samples);
    }

    fn pause(&mut self, at: Moment, samples: &mut Samples) {
        self.look(false, at, samples);
        self.at = None;
    }

    fn resume(&mut self) {
        let mut alive = BTreeSet::new();
        for (pid, owner, now) in self.reader.look(&self.trees) {
            let key = (pid, now.began);
            alive.insert(key);
            // of one that began in the pause, too, what it has used so far does not count
            let process = self.seen.entry(key).or_insert_with(|| Process {
                owner,
                ..Process::default()
            });
            process.skip_to(now);
        }
        for (key, process) in &mut self.seen {
            if !alive.contains(key) && !process.ended {
                // whatever it left in the pause is skipped where it was left
                process.ended = has_ended(key.0, key.1);
            }
        }
        self.at = Some(Moment::now());
    }

    fn tell(self: Box<Self>, seen: &mut Seen) {
        let roles = roles::of(&self.seen);
        let costs = self.seen.into_iter();
        let costs = costs.map(|(key, process)| ProcessCost {
            role: roles.get(&key).copied(),
            ..process.cost(key, &seen.shared)
        });
        let mut costs: Vec<_> = costs.chain(self.folded.into_values()).collect();
        // what is no process of its own comes after those of its owner
        costs.sort_by_key(|of| (of.owner == OWN, of.owner.clone(), of.pid == 0, of.pid));
        seen.processes = costs;
    }
}

impl Process {
    /// It is there in this look, so many seconds of the window after the one before.
    fn see(&mut self, now: Usage, look: u32, passed: f64) {
        self.last = now;
        self.look = look;
        self.watched += passed;
        self.ended = false;
    }

    /// What it has used since it was looked at last does not count.
    fn skip_to(&mut self, now: Usage) {
        let before = self.at_open.get_or_insert_default();
        before.user += now.user - self.last.user;
        before.system += now.system - self.last.system;
        for (mode, before) in before.children.iter_mut().enumerate() {
            *before += now.children[mode] - self.last.children[mode];
        }
        for (at, (_, before)) in before.counts.iter_mut().enumerate() {
            let [now, then] = [&now, &self.last].map(|of| of.counts[at].1.unwrap_or(0));
            *before = Some(before.unwrap_or(0) + now.saturating_sub(then));
        }
        self.last = now;
    }

    /// With the bytes of each process's memory that count with others.
    fn cost(self, key: Key, shared: &BTreeMap<Key, u64>) -> ProcessCost {
        let [user, system] = self.of_children();
        let Self {
            owner,
            at_open,
            last,
            watched,
            ..
        } = self;
        let at_begin = at_open.as_ref().map(|usage| usage.rss);
        let before = at_open.unwrap_or_default();
        let counts = last.counts.iter().zip(before.counts);
        let counts = counts.filter_map(|(&(name, now), (_, then))| {
            let grown = now?.saturating_sub(then.unwrap_or(0));
            Some((name.to_owned(), grown))
        });
        let own = [
            (ProcessCost::WATCHED, watched),
            (ProcessCost::ENDED_CHILDREN, user + system),
        ];
        let own = own.into_iter().filter(|(_, seconds)| *seconds > 0.0);
        let own = own.map(|(name, seconds)| (name.to_owned(), (seconds * 1e6) as u64));
        ProcessCost {
            pid: key.0,
            owner,
            cpu_user: (last.user - before.user).max(0.0) + user,
            cpu_system: (last.system - before.system).max(0.0) + system,
            peak_rss: last.peak_rss,
            resident: at_begin.filter(|rss| *rss > 0).map(|rss| [rss, last.rss]),
            shared: shared.get(&key).copied(),
            counts: counts.chain(own).collect(),
            command: last.command,
            // whoever knows the others, and runtimes, says these
            role: None,
            runtime: None,
        }
    }
}

#[cfg(test)]
mod tests;
