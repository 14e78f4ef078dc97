//! How often threads left a core, and why. Each has a file of its own that tells it, with much else, so that it is read at the
//! ends of a window alone: of what ended meanwhile nothing is told, and nothing of threads that did.

use procfs::process::{Process as Living, Status};
use record::ProcessCost;

use super::Processes;
use super::usage::tasks;

/// Switches of those that waited for something, and of those that could have gone on.
type Counts = [u64; 2];

/// Before the window, and so far.
#[derive(Clone, Copy)]
pub(super) struct Switches {
    before: Counts,
    now: Counts,
}

impl Switches {
    /// Those of the window, by their names.
    pub(super) fn told(self) -> [(&'static str, u64); 2] {
        let of = |kind: usize| self.now[kind].saturating_sub(self.before[kind]);
        [
            (ProcessCost::VOLUNTARY_SWITCHES, of(0)),
            (ProcessCost::INVOLUNTARY_SWITCHES, of(1)),
        ]
    }

    /// What came since they were counted does not count.
    pub(super) fn skip_to(&mut self, now: Counts) {
        for (kind, before) in self.before.iter_mut().enumerate() {
            *before += now[kind].saturating_sub(self.now[kind]);
        }
        self.now = now;
    }
}

impl Processes {
    /// The window opens, or goes on to here. One that began in it has all of its own in it.
    pub(super) fn count_switches(&mut self, opening: bool) {
        let alive = self.seen.iter_mut().filter(|(_, of)| !of.ended);
        for ((pid, _), process) in alive {
            let Some(now) = counts(*pid) else { continue };
            let before = match process.switches {
                Some(switches) => switches.before,
                None if opening => now,
                None => Counts::default(),
            };
            process.switches = Some(Switches { before, now });
        }
    }
}

/// Those of the living threads of a process so far; `None` when it is gone.
pub(super) fn counts(pid: u32) -> Option<Counts> {
    let process = Living::new(pid.cast_signed()).ok()?;
    let threads = tasks(&process).filter_map(|task| task.status().ok());
    let count = |of: Status| [of.voluntary_ctxt_switches, of.nonvoluntary_ctxt_switches];
    let counts = threads.map(count);
    Some(counts.fold(Counts::default(), |sum, of| {
        std::array::from_fn(|kind| sum[kind] + of[kind].unwrap_or(0))
    }))
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::process::{Command, Stdio};
    use std::time::Duration;

    use testkit::eventually;

    use super::*;

    #[test]
    fn who_waits_for_something_gives_up_its_core() {
        let mut cat = Command::new("cat")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut asks = cat.stdin.take().unwrap();
        let mut answers = BufReader::new(cat.stdout.take().unwrap());
        let mut turn = || {
            asks.write_all(b"line\n").unwrap();
            answers.read_line(&mut String::new()).unwrap();
            counts(cat.id()).unwrap()
        };
        let [before, _] = turn();
        let waited = eventually(Duration::from_secs(10), || turn()[0] > before);
        drop(asks);
        cat.wait().unwrap();
        assert!(waited, "{before}");
    }

    #[test]
    fn what_comes_in_a_pause_does_not_count() {
        let mut switches = Switches {
            before: [100, 10],
            now: [150, 11],
        };
        switches.skip_to([1_000, 11]);
        switches.now = [1_007, 14];
        assert_eq!(switches.told().map(|(_, count)| count), [57, 4]);
    }
}
