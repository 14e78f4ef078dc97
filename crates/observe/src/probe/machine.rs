//! What the machine's processors did meanwhile.

use procfs::CurrentSI as _;
use record::{CounterKind, Moment, Stolen};

use super::Probe;
use crate::Seen;
use crate::samples::{Figure, Samples};

/// CPU time that the hypervisor took of the machine.
#[derive(Default)]
pub(super) struct Machine {
    before: Option<Ticks>,
    now: Option<Ticks>,
}

impl Probe for Machine {
    fn name(&self) -> &'static str {
        "machine"
    }

    fn start(&mut self, at: Moment, samples: &mut Samples) {
        self.sample(at, samples);
        self.before = self.now;
    }

    fn sample(&mut self, at: Moment, samples: &mut Samples) {
        self.now = Ticks::now();
        let Some(now) = self.now else { return };
        let figure = Figure::new("machine", "stolen", CounterKind::Total, "seconds");
        samples.add(figure, at, seconds(now.stolen));
    }

    fn pause(&mut self, at: Moment, samples: &mut Samples) {
        self.sample(at, samples);
    }

    fn resume(&mut self) {
        let (paused, now) = (self.now, Ticks::now());
        if let (Some(before), Some(paused), Some(now)) = (&mut self.before, paused, now) {
            before.stolen += now.stolen.saturating_sub(paused.stolen);
            before.all += now.all.saturating_sub(paused.all);
        }
        self.now = now;
    }

    fn tell(self: Box<Self>, seen: &mut Seen) {
        let ticks = self.now.zip(self.before);
        seen.stolen = ticks.map(|(now, before)| now.since(before));
    }
}

fn seconds(ticks: u64) -> f64 {
    ticks as f64 / procfs::ticks_per_second() as f64
}

/// Ticks of all processors since boot: stolen by the hypervisor, and in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ticks {
    stolen: u64,
    all: u64,
}

impl Ticks {
    /// Those so far; none where the system does not tell.
    fn now() -> Option<Self> {
        let cpu = procfs::KernelStats::current().ok()?.total;
        let stolen = cpu.steal?;
        let ours = cpu.user + cpu.nice + cpu.system + cpu.idle;
        let rest = [cpu.iowait, cpu.irq, cpu.softirq, Some(stolen)];
        Some(Self {
            stolen,
            all: ours + rest.into_iter().flatten().sum::<u64>(),
        })
    }

    /// What was stolen since earlier.
    fn since(self, earlier: Self) -> Stolen {
        let stolen = self.stolen.saturating_sub(earlier.stolen);
        let all = self.all.saturating_sub(earlier.all);
        Stolen {
            share: stolen as f64 / all.max(1) as f64,
            seconds: seconds(stolen),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_of_all_processors_and_seconds_are_of_one() {
        let of = |stolen, all| Ticks { stolen, all };
        let seen = of(30, 1_400).since(of(10, 1_000));
        assert!((seen.share - 0.05).abs() < 1e-9, "{seen:?}");
        let ticks = procfs::ticks_per_second() as f64;
        assert!((seen.seconds - 20.0 / ticks).abs() < 1e-9, "{seen:?}");
        assert_eq!(of(10, 1_000).since(of(10, 1_000)), Stolen::default());
        assert!(Ticks::now().is_some_and(|now| now.all > now.stolen));
    }
}
