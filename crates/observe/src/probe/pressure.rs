//! What programs of the machine had to wait for beside each other: memory, storage, cores. The kernel's pressure stall
//! information (<https://docs.kernel.org/accounting/psi.html>), and what went through swap.

use procfs::{CpuPressure, Current as _, IoPressure, MemoryPressure, VmStat};
use record::{CounterKind, Moment, Pressure};

use super::Probe;
use super::grown::Grown;
use crate::Seen;
use crate::samples::{Figure, Samples};

/// The names of what is waited for, as series have them, in the order of the totals.
const WAITED: [&str; 3] = [
    "waited-for-memory",
    "waited-for-storage",
    "waited-for-a-core",
];

#[derive(Default)]
pub(super) struct Pressed {
    /// Seconds in which some program waited, for each of [`WAITED`].
    waited: Grown<3>,
    /// Pages that went to swap or came from it, and that were read back as a program touched them.
    pages: Grown<2>,
}

impl Probe for Pressed {
    fn name(&self) -> &'static str {
        "pressure"
    }

    fn start(&mut self, at: Moment, samples: &mut Samples) {
        self.waited.open(waited());
        self.pages.open(pages());
        self.sample(at, samples);
    }

    fn sample(&mut self, at: Moment, samples: &mut Samples) {
        let (now, moved) = (waited(), pages());
        self.waited.at(now);
        self.pages.at(moved);
        for (name, seconds) in WAITED.into_iter().zip(now.iter().flatten()) {
            let figure = Figure::new("machine", name, CounterKind::Total, "seconds");
            samples.add(figure, at, *seconds);
        }
        if let Some([swapped, faults]) = moved {
            let figure = |name| Figure::new("machine", name, CounterKind::Total, "pages");
            samples.add(figure("swapped"), at, swapped);
            samples.add(figure("major-faults"), at, faults);
        }
    }

    fn pause(&mut self, at: Moment, samples: &mut Samples) {
        self.sample(at, samples);
    }

    fn resume(&mut self) {
        self.waited.resume(waited());
        self.pages.resume(pages());
    }

    fn tell(self: Box<Self>, seen: &mut Seen) {
        let waited = self.waited.grown();
        seen.pressure = self.pages.grown().map(|[swapped, faults]| Pressure {
            memory: waited.map(|of| of[0]),
            storage: waited.map(|of| of[1]),
            cpu: waited.map(|of| of[2]),
            swapped: swapped as u64,
            major_faults: faults as u64,
        });
    }
}

/// Seconds since boot, or since the container's begin; none where the kernel keeps no such account.
fn waited() -> Option<[f64; 3]> {
    let micros = [
        MemoryPressure::current().ok()?.some.total,
        IoPressure::current().ok()?.some.total,
        CpuPressure::current().ok()?.some.total,
    ];
    Some(micros.map(|of| of as f64 / 1e6))
}

fn pages() -> Option<[f64; 2]> {
    let VmStat(of) = VmStat::current().ok()?;
    let count = |name| of.get(name).map_or(0.0, |count| *count as f64);
    Some([count("pswpin") + count("pswpout"), count("pgmajfault")])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_told_everywhere() {
        let [swapped, faults] = pages().unwrap();
        assert!(swapped >= 0.0 && faults > 0.0);
    }
}
