//! CPU time and memory of the processes below some guardians, and of weir's own.

mod ended;
mod switches;
mod usage;

use std::collections::BTreeMap;

use record::{CounterKind, Moment, ProcessCost};

use self::switches::Switches;
pub(super) use self::usage::descendants;
use self::usage::{Usage, usage};
use super::Probe;
use crate::samples::{Figure, Samples};
use crate::{Listener, Seen};

/// The name under which weir's own process is listed.
const OWN: &str = ProcessCost::OWN;
/// Processes of which series are kept; of others the cost alone.
const MOST_SERIES: usize = 36;
/// Seconds between two close looks at processes, at least.
const SHARED: f64 = 2.5;

/// A process id, and when that process began: ids are given again.
type Key = (u32, u64);

/// A process that begins inside the window counts from zero; one that ends inside it counts up to
/// its last sample, and what it used from there to its end counts with the process that waited for it, as does all that
/// one used which nobody saw. What guardians wait for, as nobody else did, is lost.
pub(super) struct Processes {
    guardians: Vec<(u32, String)>,
    /// A server that somebody else started, itself and its descendants.
    server: Option<Listener>,
    seen: BTreeMap<Key, Process>,
    /// Of those that have ended what is told as one, by their owners.
    folded: BTreeMap<String, ProcessCost>,
    /// How often they were looked at.
    looks: u32,
    /// When they were looked at last; none while the window is not open.
    at: Option<Moment>,
    /// When they were looked at closely.
    looked: Moment,
}

#[derive(Default)]
struct Process {
    owner: String,
    at_open: Option<Usage>,
    last: Usage,
    /// Bytes of its memory that are counted with others.
    shared: Option<u64>,
    /// How often its threads left a core; none where nobody counted it.
    switches: Option<Switches>,
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
    /// Every descendant of each `(guardian pid, entry name)`; guardians themselves are weir's own and are
    /// left out.
    pub(super) fn new(guardians: Vec<(u32, String)>) -> Self {
        Self {
            guardians,
            server: None,
            seen: BTreeMap::new(),
            folded: BTreeMap::new(),
            looks: 0,
            at: None,
            looked: Moment::default(),
        }
    }

    /// A server and every descendant of it.
    pub(super) fn of_server(server: Listener) -> Self {
        Self {
            server: Some(server),
            ..Self::new(Vec::new())
        }
    }

    /// Parents are read before their children: of one that ends meanwhile nothing is counted twice.
    fn look(&mut self, opening: bool, at: Moment, samples: &mut Samples) {
        let mut alive = vec![(std::process::id(), OWN.to_owned())];
        for (guardian, owner) in &self.guardians {
            let below = descendants(*guardian).into_iter();
            alive.extend(below.map(|pid| (pid, owner.clone())));
        }
        if let Some(Listener { pid, name }) = &self.server {
            let tree = std::iter::once(*pid).chain(descendants(*pid));
            alive.extend(tree.map(|pid| (pid, name.clone())));
        }
        self.looks += 1;
        let look = self.looks;
        let passed = self.at.replace(at).map_or(0.0, |then| at.since(then));
        for (number, (pid, owner)) in alive.into_iter().enumerate() {
            let Some(now) = usage(pid) else { continue };
            if number < MOST_SERIES {
                now.add_to(samples, &owner, pid, at);
            }
            let at_open = opening.then(|| now.clone());
            self.seen
                .entry((pid, now.began))
                .and_modify(|process| process.see(now.clone(), look, passed))
                .or_insert(Process {
                    owner,
                    at_open,
                    last: now,
                    look,
                    ..Process::default()
                });
        }
        self.settle();
    }

    /// How much memory those that are alive share, and how many files they have open, which is dear to ask. Of one that ends,
    /// what was seen of it last counts.
    fn look_closely(&mut self, at: Moment, samples: &mut Samples) {
        self.looked = at;
        let of_stack = self.seen.iter_mut().filter(|(_, of)| of.owner != OWN);
        for ((pid, _), process) in of_stack {
            process.shared = usage::shared(*pid).or(process.shared);
            if let Some(open) = usage::descriptors(*pid) {
                let figure =
                    Figure::new(&process.owner, "descriptors", CounterKind::Gauge, "files");
                let pid = Some(*pid);
                samples.add(Figure { pid, ..figure }, at, open as f64);
            }
        }
    }
}

impl Probe for Processes {
    fn name(&self) -> &'static str {
        "processes"
    }

    fn gap(&self) -> f64 {
        0.0
    }

    fn start(&mut self, at: Moment, samples: &mut Samples) {
        self.seen.clear();
        self.folded.clear();
        self.look(true, at, samples);
        self.look_closely(at, samples);
        self.count_switches(true);
    }

    fn sample(&mut self, at: Moment, samples: &mut Samples) {
        self.look(false, at, samples);
        if at.since(self.looked) >= SHARED {
            self.look_closely(at, samples);
        }
    }

    fn pause(&mut self, at: Moment, samples: &mut Samples) {
        self.look(false, at, samples);
        self.count_switches(false);
        self.at = None;
    }

    fn resume(&mut self) {
        for ((pid, began), process) in &mut self.seen {
            if let Some(now) = usage(*pid).filter(|now| now.began == *began) {
                process.skip_to(now);
                let switches = process.switches.as_mut().zip(switches::counts(*pid));
                if let Some((switches, now)) = switches {
                    switches.skip_to(now);
                }
            } else {
                // whatever it left in the pause is skipped where it was left
                process.ended = true;
            }
        }
        self.at = Some(Moment::now());
    }

    fn stop(&mut self, at: Moment, samples: &mut Samples) {
        self.look(false, at, samples);
        self.look_closely(at, samples);
        self.count_switches(false);
    }

    fn tell(self: Box<Self>, seen: &mut Seen) {
        let costs = self.seen.into_iter();
        let costs = costs.map(|((pid, _), process)| process.cost(pid));
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
            *before += now.counts[at].1.saturating_sub(self.last.counts[at].1);
        }
        self.last = now;
    }

    fn cost(self, pid: u32) -> ProcessCost {
        let [user, system] = self.of_children();
        let Self {
            owner,
            at_open,
            last,
            shared,
            switches,
            watched,
            ..
        } = self;
        let at_begin = at_open.as_ref().map(|usage| usage.rss);
        let before = at_open.unwrap_or_default();
        let counts = last.counts.iter().zip(before.counts);
        let counts =
            counts.map(|(&(name, now), (_, then))| (name.to_owned(), now.saturating_sub(then)));
        let switches = switches.into_iter().flat_map(Switches::told);
        let switches = switches.map(|(name, count)| (name.to_owned(), count));
        let own = [
            (ProcessCost::WATCHED, watched),
            (ProcessCost::ENDED_CHILDREN, user + system),
        ];
        let own = own.into_iter().filter(|(_, seconds)| *seconds > 0.0);
        let own = own.map(|(name, seconds)| (name.to_owned(), (seconds * 1e6) as u64));
        ProcessCost {
            pid,
            owner,
            cpu_user: (last.user - before.user).max(0.0) + user,
            cpu_system: (last.system - before.system).max(0.0) + system,
            peak_rss: last.peak_rss,
            resident: at_begin.filter(|rss| *rss > 0).map(|rss| [rss, last.rss]),
            shared,
            counts: counts.chain(switches).chain(own).collect(),
            command: last.command,
            // whoever knows runtimes says it
            runtime: None,
        }
    }
}

#[cfg(test)]
mod tests;
