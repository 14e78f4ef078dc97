//! What is dear to ask of processes: how much of their memory they share, and how many files they have open.

use std::collections::BTreeMap;

use procfs::process::Process;
use record::{CounterKind, Moment};

use super::Probe;
use super::processes::{MOST_SERIES, Trees};
use crate::Seen;
use crate::samples::{Figure, Samples};

/// Of one that has ended, what was seen of it last counts.
pub(super) struct Memory {
    trees: Trees,
    /// Bytes of resident memory that the kernel counts with the other processes that share them, by process and when that began.
    shared: BTreeMap<(u32, u64), u64>,
}

impl Memory {
    /// That of these programs.
    pub(super) fn of(trees: Trees) -> Self {
        Self {
            trees,
            shared: BTreeMap::new(),
        }
    }

    /// Looks at so many of their processes.
    fn look(&mut self, most: usize, at: Moment, samples: &mut Samples) {
        let alive = self.trees.alive().into_iter().take(most);
        for (number, (pid, owner)) in alive.enumerate() {
            let Ok(process) = Process::new(pid.cast_signed()) else {
                continue;
            };
            let mut add = |name: &str, unit: &str, value: f64| {
                let figure = Figure::new(&owner, name, CounterKind::Gauge, unit);
                let pid = Some(pid).filter(|_| number < MOST_SERIES);
                if pid.is_some() {
                    samples.add(Figure { pid, ..figure }, at, value);
                }
            };
            if let Some([resident, proportional]) = mapped(&process) {
                add("pss", "bytes", proportional as f64);
                if let Ok(stat) = process.stat() {
                    let shared = resident.saturating_sub(proportional);
                    self.shared.insert((pid, stat.starttime), shared);
                }
            }
            if let Ok(open) = process.fd_count() {
                add("descriptors", "files", open as f64);
            }
        }
    }
}

impl Probe for Memory {
    fn name(&self) -> &'static str {
        "memory"
    }

    fn start(&mut self, at: Moment, samples: &mut Samples) {
        self.shared.clear();
        self.look(usize::MAX, at, samples);
    }

    fn sample(&mut self, at: Moment, samples: &mut Samples) {
        self.look(MOST_SERIES, at, samples);
    }

    fn stop(&mut self, at: Moment, samples: &mut Samples) {
        self.look(usize::MAX, at, samples);
    }

    fn tell(self: Box<Self>, seen: &mut Seen) {
        seen.shared = self.shared;
    }
}

/// Resident and proportional memory of a process, bytes (`smaps_rollup`). Its page tables are walked, which takes milliseconds
/// where they are large. `None` where that may not be read, or the process is gone.
fn mapped(process: &Process) -> Option<[u64; 2]> {
    let maps = process.smaps_rollup().ok()?.memory_map_rollup;
    let figures = &maps.0.first()?.extension.map;
    Some([*figures.get("Rss")?, *figures.get("Pss")?])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Listener;

    #[test]
    fn a_process_has_memory_and_open_files() {
        let own = Listener {
            pid: std::process::id(),
            name: "server".to_owned(),
        };
        let mut probe = Box::new(Memory::of(Trees::of_server(own)));
        let (at, mut samples) = (Moment::now(), Samples::default());
        probe.start(at, &mut samples);
        let mut seen = Seen::default();
        probe.tell(&mut seen);
        let own = Process::myself().unwrap().stat().unwrap();
        let key = (std::process::id(), own.starttime);
        assert!(seen.shared.contains_key(&key));
        let series = samples.series(at);
        for name in ["pss", "descriptors"] {
            let of = |of: &&record::Series| of.pid == Some(std::process::id()) && of.name == name;
            let found = series.iter().find(of).unwrap();
            assert!(found.of == "server" && found.values[0] > 0.0, "{found:?}");
        }
    }
}
