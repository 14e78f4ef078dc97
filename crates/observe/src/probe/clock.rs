//! How fast the processors' clocks run, where the system tells: not inside most virtual machines.

use std::fs;
use std::path::{Path, PathBuf};

use record::{ClockFacts, CounterKind, Moment};

use super::Probe;
use super::grown::Grown;
use crate::Seen;
use crate::samples::{Figure, Samples};

/// Where processors are told of.
const PROCESSORS: &str = "/sys/devices/system/cpu";

/// Most processors that are asked: some machines have hundreds, and each has to be woken for its answer.
const MOST: usize = 8;

/// The fastest clock of the machine's processors, and how often they were slowed down against heat.
pub(super) struct Clock {
    processors: Vec<PathBuf>,
    /// The slowest and the fastest that the fastest clock was, in Hz.
    range: Option<(f64, f64)>,
    slowed: Grown<1>,
}

impl Default for Clock {
    fn default() -> Self {
        Self::of(Path::new(PROCESSORS))
    }
}

impl Clock {
    fn of(folder: &Path) -> Self {
        let all = (0..MOST).map(|number| folder.join(format!("cpu{number}")));
        Self {
            processors: all.filter(|processor| processor.is_dir()).collect(),
            range: None,
            slowed: Grown::default(),
        }
    }

    /// Hz of the fastest of them: of those with nothing to do the clock says nothing.
    fn fastest(&self) -> Option<f64> {
        let clocks = self.processors.iter();
        let kilohertz = clocks.filter_map(|of| number(&of.join("cpufreq/scaling_cur_freq")));
        kilohertz.reduce(f64::max).map(|of| of * 1e3)
    }

    fn slowed(&self) -> Option<[f64; 1]> {
        let files = ["core_throttle_count", "package_throttle_count"];
        let counts = self.processors.iter().flat_map(|of| {
            let heat = of.join("thermal_throttle");
            files.map(|file| number(&heat.join(file)))
        });
        counts.flatten().reduce(|sum, of| sum + of).map(|of| [of])
    }
}

fn number(file: &Path) -> Option<f64> {
    fs::read_to_string(file).ok()?.trim().parse().ok()
}

impl Probe for Clock {
    fn name(&self) -> &'static str {
        "clock"
    }

    fn start(&mut self, _at: Moment, _samples: &mut Samples) {
        // its clock before the load is not its clock under load
        self.slowed.open(self.slowed());
    }

    fn sample(&mut self, at: Moment, samples: &mut Samples) {
        self.slowed.at(self.slowed());
        let Some(now) = self.fastest() else { return };
        let (slowest, fastest) = self.range.unwrap_or((now, now));
        self.range = Some((slowest.min(now), fastest.max(now)));
        let figure = Figure::new("machine", "clock", CounterKind::Gauge, "Hz");
        samples.add(figure, at, now);
    }

    fn resume(&mut self) {
        self.slowed.resume(self.slowed());
    }

    fn stop(&mut self, _at: Moment, _samples: &mut Samples) {
        self.slowed.at(self.slowed());
    }

    fn tell(self: Box<Self>, seen: &mut Seen) {
        let slowed = self.slowed.grown().map_or(0, |[times]| times as u64);
        seen.clock = self.range.map(|(slowest, fastest)| ClockFacts {
            slowest,
            fastest,
            slowed,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fastest_clock_is_followed_and_what_heat_did_is_counted() {
        let place = tempfile::tempdir().unwrap();
        let write = |at: &str, text: &str| {
            let file = place.path().join(at);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        };
        let clocks = |first: &str, second: &str, slowed: &str| {
            write("cpu0/cpufreq/scaling_cur_freq", first);
            write("cpu1/cpufreq/scaling_cur_freq", second);
            write("cpu1/thermal_throttle/core_throttle_count", slowed);
        };
        clocks("800000\n", "3400000\n", "7\n");
        let (mut clock, mut samples) = (Clock::of(place.path()), Samples::default());
        clock.start(Moment::now(), &mut samples);
        clock.sample(Moment::now(), &mut samples);
        clocks("2100000\n", "1900000\n", "9\n");
        clock.sample(Moment::now(), &mut samples);
        clocks("800000\n", "800000\n", "10\n");
        clock.stop(Moment::now(), &mut samples);
        let mut seen = Seen::default();
        Box::new(clock).tell(&mut seen);
        let told = ClockFacts {
            slowest: 2.1e9,
            fastest: 3.4e9,
            slowed: 3,
        };
        assert_eq!(seen.clock, Some(told));
    }

    #[test]
    fn a_machine_that_does_not_tell_has_none() {
        let place = tempfile::tempdir().unwrap();
        let (mut clock, mut samples) = (Clock::of(place.path()), Samples::default());
        clock.start(Moment::now(), &mut samples);
        clock.sample(Moment::now(), &mut samples);
        let mut seen = Seen::default();
        Box::new(clock).tell(&mut seen);
        assert_eq!(seen.clock, None);
    }
}
