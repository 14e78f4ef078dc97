//! CPU time and memory of the processes below some guardians, and of weir's own.

mod usage;

use std::collections::BTreeMap;

use record::{CounterKind, Moment, ProcessCost};

use self::usage::{Usage, descendants, usage};
use super::Probe;
use crate::samples::{Figure, Samples};
use crate::{Listener, Seen};

/// The name under which weir's own process is listed.
const OWN: &str = ProcessCost::OWN;
/// Processes of which series are kept; of others the cost alone.
const MOST_SERIES: usize = 36;
/// Seconds between two close looks at processes, at least.
const SHARED: f64 = 2.5;

/// A process that begins inside the window counts from zero; one that ends inside it counts up to
/// its last sample, so what it used between that sample and its end is lost.
pub(super) struct Processes {
    guardians: Vec<(u32, String)>,
    /// A server that somebody else started, itself and its descendants.
    server: Option<Listener>,
    /// By process id and begin.
    seen: BTreeMap<(u32, u64), Process>,
    /// When they were looked at closely.
    looked: Moment,
}

struct Process {
    owner: String,
    at_open: Option<Usage>,
    last: Usage,
    /// Bytes of its memory that are counted with others.
    shared: Option<u64>,
}

impl Processes {
    /// Every descendant of each `(guardian pid, entry name)`; guardians themselves are weir's own and are
    /// left out.
    pub(super) fn new(guardians: Vec<(u32, String)>) -> Self {
        Self {
            guardians,
            server: None,
            seen: BTreeMap::new(),
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
        for (number, (pid, owner)) in alive.into_iter().enumerate() {
            let Some(now) = usage(pid) else { continue };
            if number < MOST_SERIES {
                now.add_to(samples, &owner, pid, at);
            }
            let at_open = opening.then(|| now.clone());
            self.seen
                .entry((pid, now.began))
                .and_modify(|process| process.last = now.clone())
                .or_insert(Process {
                    owner,
                    at_open,
                    last: now,
                    shared: None,
                });
        }
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
        self.look(true, at, samples);
        self.look_closely(at, samples);
    }

    fn sample(&mut self, at: Moment, samples: &mut Samples) {
        self.look(false, at, samples);
        if at.since(self.looked) >= SHARED {
            self.look_closely(at, samples);
        }
    }

    fn pause(&mut self, at: Moment, samples: &mut Samples) {
        self.look(false, at, samples);
    }

    fn resume(&mut self) {
        for ((pid, began), process) in &mut self.seen {
            if let Some(now) = usage(*pid).filter(|now| now.began == *began) {
                process.skip_to(now);
            }
        }
    }

    fn stop(&mut self, at: Moment, samples: &mut Samples) {
        self.look(false, at, samples);
        self.look_closely(at, samples);
    }

    fn tell(self: Box<Self>, seen: &mut Seen) {
        let costs = self.seen.into_iter();
        let mut costs: Vec<_> = costs.map(|((pid, _), process)| process.cost(pid)).collect();
        costs.sort_by_key(|cost| (cost.owner == OWN, cost.owner.clone(), cost.pid));
        seen.processes = costs;
    }
}

impl Usage {
    fn add_to(&self, samples: &mut Samples, of: &str, pid: u32, at: Moment) {
        let figures = [
            ("cpu-user", CounterKind::Total, "seconds", self.user),
            ("cpu-system", CounterKind::Total, "seconds", self.system),
            ("rss", CounterKind::Gauge, "bytes", self.rss as f64),
            (
                "threads",
                CounterKind::Gauge,
                "threads",
                self.threads as f64,
            ),
        ];
        for (name, kind, unit, value) in figures {
            let pid = Some(pid);
            let figure = Figure::new(of, name, kind, unit);
            samples.add(Figure { pid, ..figure }, at, value);
        }
    }
}

impl Process {
    /// What it has used since it was looked at last does not count.
    fn skip_to(&mut self, now: Usage) {
        let before = self.at_open.get_or_insert_default();
        before.user += now.user - self.last.user;
        before.system += now.system - self.last.system;
        for (at, (_, before)) in before.counts.iter_mut().enumerate() {
            *before += now.counts[at].1.saturating_sub(self.last.counts[at].1);
        }
        self.last = now;
    }

    fn cost(self, pid: u32) -> ProcessCost {
        let Self {
            owner,
            at_open,
            last,
            shared,
        } = self;
        let at_begin = at_open.as_ref().map(|usage| usage.rss);
        let before = at_open.unwrap_or_default();
        let counts = last.counts.iter().zip(before.counts);
        ProcessCost {
            pid,
            owner,
            cpu_user: (last.user - before.user).max(0.0),
            cpu_system: (last.system - before.system).max(0.0),
            peak_rss: last.peak_rss,
            resident: at_begin.filter(|rss| *rss > 0).map(|rss| [rss, last.rss]),
            shared,
            counts: counts
                .map(|(&(name, now), (_, then))| (name.to_owned(), now.saturating_sub(then)))
                .collect(),
            command: last.command,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader};
    use std::process::{Command, Stdio};

    use super::*;
    use crate::Watch;

    /// A shell whose grandchild burns CPU: the cost is found below the supervisor.
    #[test]
    fn finds_what_a_grandchild_used() {
        let mut shell = Command::new("sh")
            .args(["-c", "sh -c 'echo ready; read go; i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo done; read end'; true"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(shell.stdout.take().unwrap()).lines();
        let mut tell = shell.stdin.take().unwrap();
        assert_eq!(said.next().unwrap().unwrap(), "ready");

        let mut watch = Watch::of_stack(vec![(shell.id(), "burner".to_owned())]);
        watch.open();
        std::io::Write::write_all(&mut tell, b"go\n").unwrap();
        assert_eq!(said.next().unwrap().unwrap(), "done");
        watch.close();
        let costs = watch.seen(Moment::now()).processes;

        drop(tell);
        shell.wait().unwrap();
        let burner = costs.iter().find(|cost| cost.owner == "burner").unwrap();
        assert!(burner.cpu() > 0.0, "{burner:?}");
        assert!(burner.peak_rss > 100_000, "{burner:?}");
        assert_eq!(costs.last().unwrap().owner, OWN);
        assert_eq!(
            costs.len(),
            2,
            "the supervisor itself is left out: {costs:?}"
        );
    }

    /// Four children of a program of 40 MB, which they share with it, are not 200 MB.
    #[test]
    fn what_forked_children_share_is_counted_once() {
        let forks = "import os, sys\n\
                     held = bytearray(40_000_000)\n\
                     held[::4096] = b'x' * len(held[::4096])\n\
                     for _ in range(4):\n    \
                         if os.fork() == 0:\n        \
                             sys.stdin.read(); os._exit(0)\n\
                     print('ready', flush=True)\n\
                     sys.stdin.read()\n";
        let mut shell = Command::new("sh")
            .args(["-c", "python3 -c \"$1\"; true", "sh", forks])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(shell.stdout.take().unwrap()).lines();
        assert_eq!(said.next().unwrap().unwrap(), "ready");
        let mut watch = Watch::of_stack(vec![(shell.id(), "forks".to_owned())]);
        watch.open();
        watch.close();
        let costs = watch.seen(Moment::now()).processes;
        drop(shell.stdin.take());
        shell.wait().unwrap();
        let forks: Vec<_> = costs.iter().filter(|cost| cost.owner == "forks").collect();
        assert_eq!(forks.len(), 5, "{forks:?}");
        let sum = |of: fn(&ProcessCost) -> u64| forks.iter().map(|cost| of(cost)).sum::<u64>();
        assert!(sum(|cost| cost.peak_rss) > 200_000_000, "{forks:?}");
        let memory = sum(ProcessCost::memory);
        assert!((40_000_000..80_000_000).contains(&memory), "{forks:?}");
    }

    #[test]
    fn a_vanished_supervisor_costs_nothing() {
        let mut child = Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        let mut watch = Watch::of_stack(vec![(child.id(), "gone".to_owned())]);
        watch.open();
        watch.close();
        let costs = watch.seen(Moment::now()).processes;
        assert!(costs.iter().all(|cost| cost.owner == OWN));
    }

    #[test]
    fn the_host_is_described() {
        let host = crate::host();
        assert!(host.cores >= 1);
        assert!(host.memory > 0);
        assert!(!host.kernel.is_empty());
    }
}
