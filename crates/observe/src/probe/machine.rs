//! What the machine's processors did meanwhile.

use procfs::CurrentSI as _;
use record::{CounterKind, Moment, Stolen};

use super::Probe;
use super::grown::Grown;
use crate::Seen;
use crate::samples::{Figure, Samples};

/// CPU time that the hypervisor took of the machine.
#[derive(Default)]
pub(super) struct Machine {
    /// Ticks of all processors: stolen by the hypervisor, and in all.
    ticks: Grown<2>,
}

impl Probe for Machine {
    fn name(&self) -> &'static str {
        "machine"
    }

    fn start(&mut self, at: Moment, samples: &mut Samples) {
        self.ticks.open(ticks());
        self.sample(at, samples);
    }

    fn sample(&mut self, at: Moment, samples: &mut Samples) {
        let now = ticks();
        self.ticks.at(now);
        let Some([stolen, _]) = now else { return };
        let figure = Figure::new("machine", "stolen", CounterKind::Total, "seconds");
        samples.add(figure, at, seconds(stolen));
    }

    fn pause(&mut self, at: Moment, samples: &mut Samples) {
        self.sample(at, samples);
    }

    fn resume(&mut self) {
        self.ticks.resume(ticks());
    }

    fn tell(self: Box<Self>, seen: &mut Seen) {
        seen.stolen = self.ticks.grown().map(stolen);
    }
}

fn seconds(ticks: f64) -> f64 {
    ticks / procfs::ticks_per_second() as f64
}

/// Ticks of all processors since boot: stolen by the hypervisor, and in all; none where the system does not tell.
fn ticks() -> Option<[f64; 2]> {
    let cpu = procfs::KernelStats::current().ok()?.total;
    let stolen = cpu.steal?;
    let ours = cpu.user + cpu.nice + cpu.system + cpu.idle;
    let rest = [cpu.iowait, cpu.irq, cpu.softirq, Some(stolen)];
    let all = ours + rest.into_iter().flatten().sum::<u64>();
    Some([stolen as f64, all as f64])
}

fn stolen([stolen, all]: [f64; 2]) -> Stolen {
    Stolen {
        share: stolen / all.max(1.0),
        seconds: seconds(stolen),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_of_all_processors_and_seconds_are_of_one() {
        let seen = stolen([20.0, 400.0]);
        assert!((seen.share - 0.05).abs() < 1e-9, "{seen:?}");
        let ticks = procfs::ticks_per_second() as f64;
        assert!((seen.seconds - 20.0 / ticks).abs() < 1e-9, "{seen:?}");
        assert_eq!(stolen([0.0, 0.0]), Stolen::default());
        assert!(super::ticks().is_some_and(|[stolen, all]| all > stolen));
    }
}
