//! What else ran on this machine meanwhile: CPU time of programs that are neither the stack nor weir.

use std::collections::BTreeMap;

use procfs::process::{StatFlags, all_processes};
use record::{Moment, OtherProgram, Others};

use super::Probe;
use crate::Seen;
use crate::samples::Samples;

/// Most programs that are named.
const NAMED: usize = 3;

/// Takes all processes at the window's ends, and now and then between them, so that one that has begun and ended
/// between two looks is counted by what its parent waited for. One without a parent that waits is missed.
#[derive(Default)]
pub(super) struct OtherPrograms {
    last: Option<(Moment, Table)>,
    /// Seconds that were looked at.
    seconds: f64,
    used: Used,
}

impl Probe for OtherPrograms {
    fn name(&self) -> &'static str {
        "others"
    }

    fn gap(&self) -> f64 {
        2.5 // all of /proc: milliseconds
    }

    fn start(&mut self, at: Moment, _: &mut Samples) {
        *self = Self {
            last: Table::now().map(|table| (at, table)),
            ..Self::default()
        };
    }

    fn sample(&mut self, at: Moment, _: &mut Samples) {
        let Some(now) = Table::now() else { return };
        if let Some((then, before)) = &self.last {
            self.seconds += at.since(*then);
            now.since(before, &mut self.used);
        }
        self.last = Some((at, now));
    }

    fn tell(self: Box<Self>, seen: &mut Seen) {
        seen.observed.others = self.others(crate::cores());
    }
}

impl OtherPrograms {
    fn others(self, cores: u32) -> Option<Others> {
        let whole = self.seconds * f64::from(cores);
        (whole > 0.0).then(|| {
            let seconds: f64 = self.used.values().sum();
            let mut programs: Vec<OtherProgram> = self.used.into_iter().map(program).collect();
            programs.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
            programs.retain(|of| of.seconds > 0.0);
            programs.truncate(NAMED);
            Others {
                seconds,
                share: (seconds / whole).min(1.0),
                programs,
            }
        })
    }
}

fn program((name, seconds): (String, f64)) -> OtherProgram {
    OtherProgram { name, seconds }
}

/// What other programs take within so many seconds from now on: how quiet the machine is. Nothing where the system does
/// not tell.
#[expect(
    clippy::disallowed_methods,
    reason = "the time is what is looked at, and nothing is waited for"
)]
pub(crate) fn over(seconds: f64) -> Option<Others> {
    let mut probe = OtherPrograms::default();
    let mut samples = Samples::default();
    probe.start(Moment::now(), &mut samples);
    std::thread::sleep(std::time::Duration::from_secs_f64(seconds));
    probe.sample(Moment::now(), &mut samples);
    probe.others(crate::cores())
}

/// Seconds by the name of a program.
type Used = BTreeMap<String, f64>;

/// All processes at one moment, by their ids.
struct Table(BTreeMap<i32, Process>);

/// What a process has used since it began.
struct Process {
    parent: i32,
    /// When it began, in ticks since boot: tells a reused id from the old one.
    began: u64,
    name: String,
    /// Ticks of its own.
    own: u64,
    /// Ticks of children that have ended and that it has waited for.
    children: u64,
    /// Whether it is a thread of the kernel, whose work is nobody's in particular.
    kernel: bool,
}

impl Table {
    fn now() -> Option<Self> {
        let stats = all_processes()
            .ok()?
            .filter_map(|process| process.ok()?.stat().ok());
        let kernel = StatFlags::PF_KTHREAD;
        let process = |stat: procfs::process::Stat| Process {
            parent: stat.ppid,
            began: stat.starttime,
            own: stat.utime + stat.stime,
            children: u64::try_from(stat.cutime + stat.cstime).unwrap_or(0),
            kernel: StatFlags::from_bits_truncate(stat.flags).contains(kernel),
            name: stat.comm.replace(|c: char| c.is_control() || c == '`', "?"),
        };
        let processes = stats.map(|stat| (stat.pid, process(stat)));
        Some(Self(processes.collect()))
    }

    /// Whether a process is weir or descends from it, as everything does that weir starts.
    fn is_own(&self, mut pid: i32) -> bool {
        let own = std::process::id().cast_signed();
        // a parent may end while the table is read, and its id be given to a child of its child
        for _ in 0..self.0.len() {
            match self.0.get(&pid) {
                _ if pid == own => return true,
                Some(process) => pid = process.parent,
                None => return false,
            }
        }
        false
    }

    /// Adds what the others used since an earlier moment.
    fn since(&self, before: &Self, used: &mut Used) {
        let mut gone: BTreeMap<i32, u64> = BTreeMap::new();
        for (pid, process) in &before.0 {
            if self.0.get(pid).is_none_or(|now| now.began != process.began) {
                *gone.entry(process.parent).or_default() += process.own + process.children;
            }
        }
        for (pid, process) in &self.0 {
            if process.kernel || self.is_own(*pid) {
                continue;
            }
            let then = before.0.get(pid).filter(|then| then.began == process.began);
            let (own, children) = then.map_or((0, 0), |then| (then.own, then.children));
            // what a child had used before is no part of what its parent has waited for since
            let known = children + gone.get(pid).copied().unwrap_or(0);
            let ticks = process.own.saturating_sub(own) + process.children.saturating_sub(known);
            if ticks > 0 {
                let seconds = ticks as f64 / procfs::ticks_per_second() as f64;
                *used.entry(process.name.clone()).or_default() += seconds;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(parent: i32, name: &str, own: u64, children: u64) -> Process {
        Process {
            parent,
            began: 1,
            name: name.to_owned(),
            own,
            children,
            kernel: false,
        }
    }

    fn between(before: Vec<(i32, Process)>, now: Vec<(i32, Process)>) -> Vec<(String, u64)> {
        let table = |of: Vec<(i32, Process)>| Table(of.into_iter().collect());
        let mut used = Used::new();
        table(now).since(&table(before), &mut used);
        let ticks = procfs::ticks_per_second() as f64;
        let ticks = |(name, seconds): (String, f64)| (name, (seconds * ticks).round() as u64);
        used.into_iter().map(ticks).collect()
    }

    #[test]
    fn what_ended_between_two_looks_is_counted_once() {
        let before = vec![
            (1, process(0, "init", 5, 0)),
            (10, process(1, "make", 10, 100)),
            (11, process(10, "cc", 30, 0)), // 30 of them were before
        ];
        let now = vec![
            (1, process(0, "init", 5, 0)),
            // one compiler more, of 50, has come and gone, and the first one used 20 more
            (10, process(1, "make", 12, 100 + 50 + 50)),
        ];
        assert_eq!(between(before, now), [("make".to_owned(), 2 + 50 + 20)]);
    }

    #[test]
    fn weir_and_what_it_started_are_nobody_else() {
        let own = std::process::id().cast_signed();
        let now = |used: u64| {
            vec![
                (own, process(1, "weir", used, 0)),
                (own + 1, process(own, "guard", used, 0)),
                (own + 2, process(own + 1, "gunicorn", used, 0)),
                (own + 3, process(1, "browser", used, 0)),
                (
                    own + 4,
                    Process {
                        kernel: true,
                        ..process(2, "kworker/0:1", used, 0)
                    },
                ),
            ]
        };
        assert_eq!(between(now(0), now(40)), [("browser".to_owned(), 40)]);
    }

    #[test]
    fn an_id_that_was_given_again_is_another_process() {
        let before = vec![(10, process(1, "old", 1_000, 0))];
        let young = Process {
            began: 2,
            ..process(1, "young", 7, 0)
        };
        assert_eq!(
            between(before, vec![(10, young)]),
            [("young".to_owned(), 7)]
        );
    }
}
