//! Whether a CPU quota kept programs from running: of the control group that weir is in, and what it starts with it, or of
//! one around that.

use std::path::{Path, PathBuf};

use procfs::ProcessCGroups;
use procfs::process::Process;
use record::{CounterKind, Moment};

use super::Probe;
use super::grown::Grown;
use crate::Seen;
use crate::samples::{Figure, Samples};

/// Where control groups are mounted.
const MOUNTED: &str = "/sys/fs/cgroup";

/// Seconds in which threads of a control group had used up its quota and were kept from running.
#[derive(Default)]
pub(super) struct Quota {
    files: Vec<PathBuf>,
    seconds: Grown<1>,
}

impl Probe for Quota {
    fn name(&self) -> &'static str {
        "quota"
    }

    fn start(&mut self, at: Moment, samples: &mut Samples) {
        let groups = Process::myself().and_then(|own| own.cgroups());
        self.files =
            groups.map_or_else(|_| Vec::new(), |groups| files(Path::new(MOUNTED), &groups));
        self.seconds.open(throttled(&self.files));
        self.sample(at, samples);
    }

    fn sample(&mut self, at: Moment, samples: &mut Samples) {
        let now = throttled(&self.files);
        self.seconds.at(now);
        if let Some([now]) = now {
            let figure = Figure::new("machine", "throttled", CounterKind::Total, "seconds");
            samples.add(figure, at, now);
        }
    }

    fn pause(&mut self, at: Moment, samples: &mut Samples) {
        self.sample(at, samples);
    }

    fn resume(&mut self) {
        self.seconds.resume(throttled(&self.files));
    }

    fn tell(self: Box<Self>, seen: &mut Seen) {
        seen.throttled = self.seconds.grown().map(|[seconds]| seconds);
    }
}

/// The statistics of each control group that weir is in, up to the root: of version 2, and of the `cpu` controller of
/// version 1. Which are there depends on the system and on its container.
fn files(mounted: &Path, groups: &ProcessCGroups) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for group in groups {
        let cpu = group
            .controllers
            .iter()
            .any(|controller| controller == "cpu");
        let roots: &[&str] = match group.hierarchy {
            0 => &["", "unified"],
            _ if cpu => &["cpu", "cpu,cpuacct"],
            _ => continue,
        };
        let within = Path::new(group.pathname.trim_start_matches('/'));
        for root in roots {
            let root = mounted.join(root);
            let levels = within
                .ancestors()
                .map(|level| root.join(level).join("cpu.stat"));
            files.extend(levels.filter(|file| file.is_file()));
        }
    }
    files
}

/// The most that a group tells of so far: what a group around it holds back is held back in both.
fn throttled(files: &[PathBuf]) -> Option<[f64; 1]> {
    let texts = files
        .iter()
        .filter_map(|file| std::fs::read_to_string(file).ok());
    let seconds = texts.filter_map(|text| seconds(&text));
    seconds.reduce(f64::max).map(|most| [most])
}

/// As version 2 tells it, in microseconds, or version 1, in nanoseconds.
fn seconds(stat: &str) -> Option<f64> {
    stat.lines().find_map(|line| {
        let (name, value) = line.split_once(' ')?;
        let unit = match name {
            "throttled_usec" => 1e-6,
            "throttled_time" => 1e-9,
            _ => return None,
        };
        value.trim().parse::<f64>().ok().map(|value| value * unit)
    })
}

#[cfg(test)]
mod tests {
    use procfs::FromBufRead as _;

    use super::*;

    #[test]
    fn the_group_that_was_held_back_most_tells() {
        let mounted = tempfile::tempdir().unwrap();
        let write = |at: &str, text: &str| {
            let file = mounted.path().join(at);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        };
        write(
            "a/b/cpu.stat",
            "usage_usec 9\nnr_throttled 2\nthrottled_usec 1500000\n",
        );
        write(
            "cpu/c/cpu.stat",
            "nr_throttled 3\nthrottled_time 2500000000\n",
        );
        write("cpu/c/d/cpu.stat", "nr_throttled 0\nthrottled_time 0\n");
        write("memory/c/cpu.stat", "throttled_time 9000000000\n");
        let told = |lines: &str| {
            let groups = ProcessCGroups::from_buf_read(lines.as_bytes()).unwrap();
            throttled(&files(mounted.path(), &groups))
        };
        assert_eq!(told("0::/a/b\n"), Some([1.5]));
        assert_eq!(told("2:cpu:/c/d\n0::/a\n"), Some([2.5]));
        assert_eq!(told("2:memory:/c\n0::/\n"), None);
    }

    #[test]
    fn a_root_without_a_quota_has_nothing_to_tell() {
        assert_eq!(seconds("usage_usec 123\nuser_usec 100\n"), None);
    }
}
