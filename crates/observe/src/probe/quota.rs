//! Whether a CPU quota kept programs from running: of the control group that weir is in, and what it starts with it, of that
//! of a server that somebody else started, or of one around these.

use std::collections::BTreeSet;
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
    /// A server that somebody else started.
    server: Option<u32>,
    /// By the file of each group that tells of it. A group may have been held back for long before the window, and no longer.
    groups: Vec<(PathBuf, Grown<1>)>,
}

impl Quota {
    /// That of a server which somebody else started, too: it may be in another group than weir.
    pub(super) fn of_server(pid: u32) -> Self {
        Self {
            server: Some(pid),
            groups: Vec::new(),
        }
    }

    /// The window opens over the groups that these files tell of.
    fn open(&mut self, files: BTreeSet<PathBuf>) {
        let groups = files.into_iter().map(|file| {
            let mut seconds = Grown::default();
            seconds.open(throttled(&file));
            (file, seconds)
        });
        self.groups = groups.collect();
    }

    fn look(&mut self) {
        for (file, seconds) in &mut self.groups {
            seconds.at(throttled(file));
        }
    }

    /// Seconds of the group that was held back for longest: what a group around another holds back is held back in both.
    fn most(&self) -> Option<f64> {
        let grown = self
            .groups
            .iter()
            .filter_map(|(_, seconds)| seconds.grown());
        grown.map(|[seconds]| seconds).reduce(f64::max)
    }
}

impl Probe for Quota {
    fn name(&self) -> &'static str {
        "quota"
    }

    fn start(&mut self, at: Moment, samples: &mut Samples) {
        let server = self.server.map(|pid| Process::new(pid.cast_signed()));
        let processes = [Process::myself()].into_iter().chain(server);
        let groups = processes.filter_map(|process| process.ok()?.cgroups().ok());
        let files = groups.flat_map(|groups| files(Path::new(MOUNTED), &groups));
        self.open(files.collect());
        self.sample(at, samples);
    }

    fn sample(&mut self, at: Moment, samples: &mut Samples) {
        self.look();
        if let Some(now) = self.most() {
            let figure = Figure::new("machine", "throttled", CounterKind::Total, "seconds");
            samples.add(figure, at, now);
        }
    }

    fn pause(&mut self, at: Moment, samples: &mut Samples) {
        self.sample(at, samples);
    }

    fn resume(&mut self) {
        for (file, seconds) in &mut self.groups {
            seconds.resume(throttled(file));
        }
    }

    fn tell(self: Box<Self>, seen: &mut Seen) {
        seen.throttled = self.most();
    }
}

/// The statistics of each control group that a process is in, up to the root: of version 2, and of the `cpu` controller of
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

/// What the file of a group tells so far; nothing where that has no quota.
fn throttled(file: &Path) -> Option<[f64; 1]> {
    let text = std::fs::read_to_string(file).ok()?;
    seconds(&text).map(|seconds| [seconds])
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
    use tempfile::TempDir;

    use super::*;

    /// Files of control groups, with what they tell.
    fn write(mounted: &TempDir, files: &[(&str, &str)]) {
        for (at, told) in files {
            let file = mounted.path().join(at);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, format!("nr_throttled 2\n{told}\n")).unwrap();
        }
    }

    /// A window that opens over the groups of such a process.
    fn opened(mounted: &TempDir, lines: &str) -> Quota {
        let groups = ProcessCGroups::from_buf_read(lines.as_bytes()).unwrap();
        let mut quota = Quota::default();
        quota.open(files(mounted.path(), &groups).into_iter().collect());
        quota
    }

    fn assert_near(seconds: Option<f64>, wanted: f64) {
        let near = seconds.is_some_and(|seconds| (seconds - wanted).abs() < 1e-9);
        assert!(near, "{seconds:?} instead of {wanted}");
    }

    #[test]
    fn the_group_that_was_held_back_most_in_the_window_tells() {
        let mounted = tempfile::tempdir().unwrap();
        let before = [
            // for long before the window, and hardly any longer
            ("a/b/cpu.stat", "throttled_usec 9000000"),
            ("a/cpu.stat", "throttled_usec 1500000"),
            ("cpu/c/cpu.stat", "throttled_time 2500000000"),
            ("cpu/c/d/cpu.stat", "throttled_time 0"),
            ("memory/c/cpu.stat", "throttled_time 0"),
        ];
        write(&mounted, &before);
        let groups = ["0::/a/b\n", "2:cpu:/c/d\n0::/a\n", "2:memory:/c\n0::/\n"];
        let mut quotas = groups.map(|lines| opened(&mounted, lines));
        let after = [
            ("a/b/cpu.stat", "throttled_usec 9200000"),
            ("a/cpu.stat", "throttled_usec 2000000"),
            ("cpu/c/cpu.stat", "throttled_time 5500000000"),
            ("memory/c/cpu.stat", "throttled_time 9000000000"),
        ];
        write(&mounted, &after);
        quotas.iter_mut().for_each(Quota::look);
        assert_near(quotas[0].most(), 0.5);
        assert_near(quotas[1].most(), 3.0);
        assert_eq!(quotas[2].most(), None);
    }

    #[test]
    fn what_a_group_was_held_back_in_a_pause_does_not_count() {
        let mounted = tempfile::tempdir().unwrap();
        let told = |told| write(&mounted, &[("a/cpu.stat", told)]);
        told("throttled_usec 0");
        let mut quota = opened(&mounted, "0::/a\n");
        told("throttled_usec 1000000");
        quota.look();
        told("throttled_usec 5000000");
        quota.resume();
        told("throttled_usec 5500000");
        quota.look();
        assert_near(quota.most(), 1.5);
    }

    #[test]
    fn a_root_without_a_quota_has_nothing_to_tell() {
        assert_eq!(seconds("usage_usec 123\nuser_usec 100\n"), None);
    }
}
