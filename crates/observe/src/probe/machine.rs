//! What the machine's processors did meanwhile.

use procfs::{CpuTime, CurrentSI as _, KernelStats};
use record::{CounterKind, Moment, Stolen};

use super::Probe;
use super::grown::Grown;
use crate::Seen;
use crate::samples::{Figure, Samples};

/// Processors of which series are kept.
const MOST_SERIES: usize = 16;
/// What `/proc/stat` counts as `processes`.
const BEGUN: &str = "processes and threads";

/// CPU time that the hypervisor took of the machine, what each processor did, and what began on them.
#[derive(Default)]
pub(super) struct Machine {
    /// Ticks of all processors: stolen by the hypervisor, and in all. Then processes and threads that were begun.
    counts: Grown<3>,
}

impl Probe for Machine {
    fn name(&self) -> &'static str {
        "machine"
    }

    fn start(&mut self, at: Moment, samples: &mut Samples) {
        self.counts.open(look().as_ref().and_then(counts));
        self.sample(at, samples);
    }

    fn sample(&mut self, at: Moment, samples: &mut Samples) {
        let now = look();
        self.counts.at(now.as_ref().and_then(counts));
        let Some(now) = now else { return };
        let stolen = now.total.steal.unwrap_or(0);
        add(samples, "machine", ("stolen", stolen), at);
        let begun = Figure::new("machine", "begun", CounterKind::Total, BEGUN);
        samples.add(begun, at, now.processes as f64);
        for (number, core) in now.cpu_time.iter().enumerate().take(MOST_SERIES) {
            let of = format!("core {number}");
            // one that waits for storage has nothing to do, either
            add(
                samples,
                &of,
                ("idle", core.idle + core.iowait.unwrap_or(0)),
                at,
            );
            add(samples, &of, ("softirq", core.softirq.unwrap_or(0)), at);
        }
    }

    fn pause(&mut self, at: Moment, samples: &mut Samples) {
        self.sample(at, samples);
    }

    fn resume(&mut self) {
        self.counts.resume(look().as_ref().and_then(counts));
    }

    fn tell(self: Box<Self>, seen: &mut Seen) {
        let grown = self.counts.grown();
        seen.stolen = grown.map(|[stolen, all, _]| self::stolen([stolen, all]));
        seen.observed.begun = grown.map(|[_, _, begun]| begun as u64);
    }
}

/// Adds a figure in ticks, as seconds.
fn add(samples: &mut Samples, of: &str, (name, ticks): (&str, u64), at: Moment) {
    let figure = Figure::new(of, name, CounterKind::Total, "seconds");
    samples.add(figure, at, seconds(ticks as f64));
}

fn seconds(ticks: f64) -> f64 {
    ticks / procfs::ticks_per_second() as f64
}

fn look() -> Option<KernelStats> {
    KernelStats::current().ok()
}

/// Since boot: ticks of all processors, stolen by the hypervisor and in all, and what was begun; none where the system does
/// not tell.
fn counts(of: &KernelStats) -> Option<[f64; 3]> {
    let stolen = of.total.steal?;
    Some([stolen as f64, all(&of.total) as f64, of.processes as f64])
}

fn all(cpu: &CpuTime) -> u64 {
    let ours = cpu.user + cpu.nice + cpu.system + cpu.idle;
    let rest = [cpu.iowait, cpu.irq, cpu.softirq, cpu.steal];
    ours + rest.into_iter().flatten().sum::<u64>()
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
        let [stolen, all, begun] = look().as_ref().and_then(counts).unwrap();
        assert!(all > stolen && begun > 0.0);
    }

    #[test]
    fn what_begins_in_the_window_is_counted_and_each_core_has_series() {
        let mut probe = Box::new(Machine::default());
        let (at, mut samples) = (Moment::now(), Samples::default());
        probe.start(at, &mut samples);
        for _ in 0..5 {
            std::process::Command::new("true").status().unwrap();
        }
        probe.sample(Moment::now(), &mut samples);
        let mut seen = Seen::default();
        probe.tell(&mut seen);
        assert!(seen.observed.begun >= Some(5), "{:?}", seen.observed.begun);
        let series = samples.series(at);
        for wanted in [("core 0", "idle"), ("machine", "begun")] {
            let mut names = series.iter().map(|of| (&*of.of, &*of.name));
            assert!(names.any(|of| of == wanted), "{series:?}");
        }
    }
}
