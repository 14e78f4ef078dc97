use std::collections::BTreeMap;

use record::ProcessCost;

use crate::cpu::{Usage, usage};
use crate::tree::descendants;

/// Watches the processes below some supervisors, and weir's own process, over one window.
///
/// A process that begins inside the window counts from zero; one that ends inside it counts up to
/// its last sample, so what it used between that sample and its end is lost.
pub struct Watch {
    supervisors: Vec<(u32, String)>,
    processes: BTreeMap<(u32, u64), Seen>,
    /// Our own share is what the engine's window cost, read from the same place.
    own: u32,
}

struct Seen {
    owner: String,
    at_open: Option<Usage>,
    last: Usage,
}

/// The name under which weir's own process is listed.
const OWN: &str = "weir";

impl Watch {
    /// Prepares to watch every descendant of each `(supervisor pid, entry name)`; supervisors
    /// themselves are weir's own and are left out.
    pub fn attach(supervisors: Vec<(u32, String)>) -> Self {
        Self {
            supervisors,
            processes: BTreeMap::new(),
            own: std::process::id(),
        }
    }

    /// The window opens: what was used before does not count.
    pub fn open(&mut self) {
        self.processes.clear();
        self.look(true);
    }

    /// Looks again, so that processes which come and go inside the window are seen. Cheap enough
    /// for ten times a second.
    pub fn sample(&mut self) {
        self.look(false);
    }

    /// The window closes: what is used from now on does not count.
    pub fn close(&mut self) {
        self.look(false);
    }

    /// The cost of each process, weir's own last.
    pub fn costs(self) -> Vec<ProcessCost> {
        let mut costs: Vec<ProcessCost> = self
            .processes
            .into_iter()
            .map(|((pid, _), seen)| seen.cost(pid))
            .collect();
        costs.sort_by_key(|cost| (cost.owner == OWN, cost.owner.clone(), cost.pid));
        costs
    }

    fn look(&mut self, opening: bool) {
        let mut alive = vec![(self.own, OWN.to_owned())];
        for (supervisor, owner) in &self.supervisors {
            alive.extend(
                descendants(*supervisor)
                    .into_iter()
                    .map(|pid| (pid, owner.clone())),
            );
        }
        for (pid, owner) in alive {
            if let Some(now) = usage(pid) {
                self.note(pid, owner, now, opening);
            }
        }
    }

    fn note(&mut self, pid: u32, owner: String, now: Usage, opening: bool) {
        let at_open = opening.then(|| now.clone());
        self.processes
            .entry((pid, now.began))
            .and_modify(|seen| seen.last = now.clone())
            .or_insert(Seen {
                owner,
                at_open,
                last: now,
            });
    }
}

impl Seen {
    fn cost(self, pid: u32) -> ProcessCost {
        let (user, system) = self
            .at_open
            .map_or((0.0, 0.0), |usage| (usage.user, usage.system));
        ProcessCost {
            pid,
            command: self.last.command,
            owner: self.owner,
            cpu_user: (self.last.user - user).max(0.0),
            cpu_system: (self.last.system - system).max(0.0),
            peak_rss: self.last.peak_rss,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader};
    use std::process::{Command, Stdio};

    use super::*;

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

        let mut watch = Watch::attach(vec![(shell.id(), "burner".to_owned())]);
        watch.open();
        std::io::Write::write_all(&mut tell, b"go\n").unwrap();
        assert_eq!(said.next().unwrap().unwrap(), "done");
        watch.close();
        let costs = watch.costs();

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
        let mut watch = Watch::attach(vec![(child.id(), "gone".to_owned())]);
        watch.open();
        watch.close();
        let costs = watch.costs();
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
