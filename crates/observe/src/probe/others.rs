//! What else ran on this machine meanwhile: CPU time of programs that are neither the stack nor weir, those apart that the stack
//! uses. A server that weir did not start is the stack with all that it has started.

mod partners;
mod status;
mod used;

use std::collections::{BTreeMap, BTreeSet};

use procfs::CurrentSI as _;
use procfs::process::{StatFlags, all_processes};
use record::{Moment, Others};

use self::partners::Search;
use self::status::ignores_children;
use self::used::{Use, Used, taken};
use super::Probe;
use super::sockets::{FEW, MOST};
use crate::samples::Samples;
use crate::{Listener, Seen};

/// Share of the machine's time by which its processors' time and that of all processes may differ: the kernel counts the one
/// in ticks and the other exactly. Seen on a busy machine: 0.6 % at most over 2.5 s.
const INEXACT: f64 = 0.02;
/// The same in seconds, for a short look: some ticks.
const TICKS: f64 = 0.05;
/// Share of the machine's time from which it matters for whom others work.
const NOTICED: f64 = 0.02;

/// Takes all processes at the window's ends, and now and then between them, so that one that has begun and ended
/// between two looks is counted by what its parent waited for. One without a parent that waits cannot be seen: of the stack's
/// own the guardian is who waits, unless a program of it ignores the end of its children.
/// Where weir may use some processors only, what a process used since the look before counts if it is on one of them now: over
/// many looks that comes to its share of them.
#[derive(Default)]
pub(super) struct OtherPrograms {
    search: Search,
    /// The server, where somebody else started it.
    server: Option<i32>,
    /// Processes of others that the stack is connected to. What they have started is of them, too.
    partners: BTreeSet<i32>,
    last: Option<(Moment, Table)>,
    /// Seconds that were looked at.
    seconds: f64,
    used: Used,
    /// Ticks of all processors that no process accounts for, less those that it accounts for twice.
    unseen: i64,
    /// Whether they may be of what weir started.
    unsure: bool,
}

impl Probe for OtherPrograms {
    fn name(&self) -> &'static str {
        "others"
    }

    fn gap(&self) -> f64 {
        2.5 // all of /proc: milliseconds
    }

    fn start(&mut self, at: Moment, samples: &mut Samples) {
        *self = Self {
            search: std::mem::take(&mut self.search),
            server: self.server,
            ..Self::default()
        };
        self.sample(at, samples);
    }

    /// One that each request connects to anew is found only if a look comes upon such a connection.
    fn sample(&mut self, at: Moment, _: &mut Samples) {
        self.look(at);
        if self.partners.is_empty() && self.is_worth_a_search() {
            self.find_partners(FEW);
        }
    }

    fn stop(&mut self, at: Moment, _: &mut Samples) {
        self.look(at);
        if self.is_worth_a_search() {
            self.find_partners(MOST);
        }
    }

    fn tell(self: Box<Self>, seen: &mut Seen) {
        let (others, partners) = self.told(crate::cores());
        seen.observed.others = others;
        seen.observed.partners = partners;
    }
}

impl OtherPrograms {
    /// Those beside these programs, each with the process that its others descend from.
    pub(super) fn of_stack(stack: Vec<(u32, String)>) -> Self {
        Self {
            search: Search::of_stack(stack),
            ..Self::default()
        }
    }

    /// Those beside a server that somebody else started.
    pub(super) fn of_server(server: &Listener) -> Self {
        Self {
            server: Some(server.pid.cast_signed()),
            ..Self::of_stack(vec![(server.pid, server.name.clone())])
        }
    }

    /// Adds what was used since the look before.
    fn look(&mut self, at: Moment) {
        let Some(now) = Table::now(self.server) else {
            return;
        };
        if let Some((then, before)) = &self.last {
            self.seconds += at.since(*then);
            self.unseen += now.since(before, &mut self.used);
            self.unsure |= now.loses_own();
        }
        self.last = Some((at, now));
    }

    /// What a stack's services use is told however little it is. Beside a server that somebody else started it only matters whether
    /// those that take something of the machine work for it: to find that out takes a look at each open file of it.
    fn is_worth_a_search(&self) -> bool {
        let used: f64 = self.used.values().map(|of| of.seconds).sum();
        self.server.is_none() || used > NOTICED * self.seconds * f64::from(crate::cores())
    }

    /// Looks for whom the stack is connected to, unless there are more sockets than so many.
    fn find_partners(&mut self, most: usize) {
        let Some((_, table)) = &self.last else { return };
        let mut found = self.search.find(most, |pid| table.is_kin(pid));
        self.partners.append(&mut found);
    }

    /// What the others took, and what those took that the stack uses, if there are such.
    fn told(self, cores: u32) -> (Option<Others>, Option<Others>) {
        let whole = self.seconds * f64::from(cores);
        if whole <= 0.0 {
            return (None, None);
        }
        let unseen = self.unseen as f64 / procfs::ticks_per_second() as f64;
        let sure = !self.unsure && uses_all(cores) && unseen > TICKS.max(INEXACT * whole);
        let unseen = if sure { unseen } else { 0.0 };
        let all = self.used.into_iter();
        let (partners, others): (Used, Used) = all.partition(|(_, of)| of.is_of(&self.partners));
        let partners = (!partners.is_empty()).then(|| taken(partners, 0.0, whole));
        (Some(taken(others, unseen, whole)), partners)
    }
}

/// Whether these are all processors of the machine. Of some, nothing tells whose time it is that others' programs take.
fn uses_all(cores: u32) -> bool {
    procfs::KernelStats::current().is_ok_and(|stats| stats.cpu_time.len() == cores as usize)
}

/// Does this, and says what other programs took meanwhile: how quiet the machine was. Nothing where the system does not tell.
pub(crate) fn meanwhile<R>(work: impl FnOnce() -> R) -> (R, Option<Others>) {
    let mut probe = OtherPrograms::default();
    let mut samples = Samples::default();
    probe.start(Moment::now(), &mut samples);
    let done = work();
    probe.sample(Moment::now(), &mut samples);
    (done, probe.told(crate::cores()).0)
}

/// The id of weir's own process.
fn own() -> i32 {
    std::process::id().cast_signed()
}

/// All processes at one moment.
struct Table {
    /// By their ids.
    processes: BTreeMap<i32, Process>,
    /// One that is of weir's own beside those that weir has started, with all that it has started.
    server: Option<i32>,
    /// Ticks in which the processors ran programs and the kernel for them.
    busy: u64,
}

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
    /// Whether it was last on a processor that weir may use: on another one it takes nothing of what there is for weir.
    here: bool,
}

impl Table {
    fn now(server: Option<i32>) -> Option<Self> {
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
            here: crate::may_use(stat.processor),
            name: stat.comm.replace(|c: char| c.is_control() || c == '`', "?"),
        };
        let processes = stats.map(|stat| (stat.pid, process(stat))).collect();
        let cpu = procfs::KernelStats::current().ok()?.total;
        Some(Self {
            processes,
            server,
            busy: cpu.user + cpu.nice + cpu.system,
        })
    }

    /// A process of another table, if it is still there.
    fn same(&self, pid: i32, other: &Process) -> Option<&Process> {
        let process = self.processes.get(&pid);
        process.filter(|process| process.began == other.began)
    }

    /// The id of a process, and those of processes that it descends from.
    fn line(&self, pid: i32) -> impl Iterator<Item = i32> {
        let parent = move |pid: &i32| self.processes.get(pid).map(|process| process.parent);
        // a parent may end while the table is read, and its id be given to a child of its child
        std::iter::successors(Some(pid), parent).take(self.processes.len() + 1)
    }

    /// Whether a process is weir or descends from it, as everything does that weir starts; or is of the server that is loaded.
    fn is_own(&self, pid: i32) -> bool {
        self.line(pid)
            .any(|of| of == own() || Some(of) == self.server)
    }

    /// Whether a process is weir's, or weir descends from it: so does much else, as from init, which holds the sockets of
    /// services that it starts.
    fn is_kin(&self, pid: i32) -> bool {
        self.is_own(pid) || self.line(own()).any(|of| of == pid)
    }

    /// Whether a program that weir started ignores the end of its children: the kernel tells nobody what these used.
    fn loses_own(&self) -> bool {
        let mut own = self.processes.keys().filter(|pid| self.is_own(**pid));
        own.any(|pid| ignores_children(*pid))
    }

    /// Adds what the others used since an earlier moment; returns the ticks that no process accounts for.
    fn since(&self, before: &Self, used: &mut Used) -> i64 {
        let gone = before.gone(self);
        let mut accounted = 0;
        for (pid, process) in &self.processes {
            let then = before.same(*pid, process);
            let (own, children) = then.map_or((0, 0), |then| (then.own, then.children));
            // what a child had used before is no part of what its parent has waited for since
            let known = children + gone.get(pid).copied().unwrap_or(0);
            let ticks = process.own.saturating_sub(own) + process.children.saturating_sub(known);
            accounted += ticks;
            if ticks > 0 && process.here && !process.kernel && !self.is_own(*pid) {
                let seconds = ticks as f64 / procfs::ticks_per_second() as f64;
                let of = used.entry((*pid, process.began)).or_insert_with(|| Use {
                    name: process.name.clone(),
                    seconds: 0.0,
                    line: self.line(*pid).collect(),
                });
                of.seconds += seconds;
            }
        }
        let busy = self.busy.saturating_sub(before.busy);
        busy.cast_signed() - accounted.cast_signed()
    }

    /// What those had used so far that are gone by then, by the nearest parent that is not: it is who will have waited.
    fn gone(&self, then: &Self) -> BTreeMap<i32, u64> {
        let mut gone: BTreeMap<i32, u64> = BTreeMap::new();
        let left = |(pid, process): &(&i32, &Process)| then.same(**pid, process).is_none();
        for (_, process) in self.processes.iter().filter(left) {
            let mut parent = process.parent;
            for _ in 0..self.processes.len() {
                match self.processes.get(&parent) {
                    Some(of) if then.same(parent, of).is_none() => parent = of.parent,
                    _ => break,
                }
            }
            *gone.entry(parent).or_default() += process.own + process.children;
        }
        gone
    }
}

#[cfg(test)]
mod tests;
