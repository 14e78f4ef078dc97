//! CPU time and memory of the processes below some guardians, and of weir's own.

mod usage;

use std::collections::BTreeMap;

use record::{CounterKind, Moment, ProcessCost};

use self::usage::{Usage, descendants, usage};
use super::Probe;
use crate::Seen;
use crate::samples::{Figure, Samples};

/// The name under which weir's own process is listed.
const OWN: &str = "weir";
/// Processes of which series are kept; of others the cost alone.
const MOST_SERIES: usize = 64;

/// A process that begins inside the window counts from zero; one that ends inside it counts up to
/// its last sample, so what it used between that sample and its end is lost.
pub(super) struct Processes {
    guardians: Vec<(u32, String)>,
    /// By process id and begin.
    processes: BTreeMap<(u32, u64), Process>,
}

struct Process {
    owner: String,
    at_open: Option<Usage>,
    last: Usage,
}

impl Processes {
    /// Every descendant of each `(guardian pid, entry name)`; guardians themselves are weir's own and are
    /// left out.
    pub(super) fn new(guardians: Vec<(u32, String)>) -> Self {
        Self {
            guardians,
            processes: BTreeMap::new(),
        }
    }

    fn look(&mut self, opening: bool, at: Moment, samples: &mut Samples) {
        let mut alive = vec![(std::process::id(), OWN.to_owned())];
        for (guardian, owner) in &self.guardians {
            let below = descendants(*guardian).into_iter();
            alive.extend(below.map(|pid| (pid, owner.clone())));
        }
        for (number, (pid, owner)) in alive.into_iter().enumerate() {
            let Some(now) = usage(pid) else { continue };
            if number < MOST_SERIES {
                now.add_to(samples, &owner, pid, at);
            }
            let at_open = opening.then(|| now.clone());
            self.processes
                .entry((pid, now.began))
                .and_modify(|process| process.last = now.clone())
                .or_insert(Process {
                    owner,
                    at_open,
                    last: now,
                });
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
        self.processes.clear();
        self.look(true, at, samples);
    }

    fn sample(&mut self, at: Moment, samples: &mut Samples) {
        self.look(false, at, samples);
    }

    fn tell(self: Box<Self>, seen: &mut Seen) {
        let costs = self.processes.into_iter();
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
        ];
        for (name, kind, unit, value) in figures {
            let pid = Some(pid);
            let figure = Figure::new(of, name, kind, unit);
            samples.add(Figure { pid, ..figure }, at, value);
        }
    }
}

impl Process {
    fn cost(self, pid: u32) -> ProcessCost {
        let Self {
            owner,
            at_open,
            last,
        } = self;
        let before = at_open.unwrap_or_default();
        let counts = last.counts.iter().zip(before.counts);
        ProcessCost {
            pid,
            owner,
            cpu_user: (last.user - before.user).max(0.0),
            cpu_system: (last.system - before.system).max(0.0),
            peak_rss: last.peak_rss,
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

        let mut watch = Watch::of_stack(vec![(shell.id(), "burner".to_owned())], Vec::new());
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

    #[test]
    fn a_vanished_supervisor_costs_nothing() {
        let mut child = Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        let mut watch = Watch::of_stack(vec![(child.id(), "gone".to_owned())], Vec::new());
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
