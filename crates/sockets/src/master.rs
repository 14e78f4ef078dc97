//! Which process is the master of others, by the sockets that they listen at.

use std::collections::BTreeSet;
use std::iter::successors;

use procfs::process::{Process, Stat, all_processes};

use crate::{State, all, held_by, unix_queues};

/// Most processes between a worker and its master.
const DEEPEST: usize = 16;

/// A program that listens, with whatever it has started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listener {
    /// Its process id: of several that share a socket that of the one whose workers the others are.
    pub pid: u32,
    /// Its short name as the kernel knows it; text of others.
    pub name: String,
}

/// The program that has one of these sockets open, by their inodes: the first by its process id, but for this process, and for the
/// first one of all if there is another, as that holds sockets for services that it starts. None where nobody has, or that is not
/// told: of other users' programs it is to root alone. Looks at the open files of processes, which takes milliseconds.
pub fn listener(sockets: &BTreeSet<u64>) -> Option<Listener> {
    if sockets.is_empty() {
        return None;
    }
    let own = std::process::id();
    let has = |pid: u32| held_by(pid).any(|inode| sockets.contains(&inode));
    let processes = all_processes().ok()?.flatten();
    let pids = processes.map(|of| of.pid.cast_unsigned());
    let others = pids.filter(|pid| ![1, own].contains(pid));
    let holder = others.chain([1]).find(|pid| *pid != own && has(*pid))?;
    let master = Listening::now().line(holder).last()?;
    Some(Listener {
        pid: master.pid.cast_unsigned(),
        name: master.comm,
    })
}

/// Inodes of the sockets that listen.
pub(crate) struct Listening(BTreeSet<u64>);

impl Listening {
    pub(crate) fn now() -> Self {
        let tcp = all(State::Listens).into_iter().map(|of| of.inode);
        let unix = unix_queues(usize::MAX).unwrap_or_default().into_iter();
        Self(tcp.chain(unix.map(|of| of.inode)).collect())
    }

    /// Those that a process has.
    fn of(&self, pid: i32) -> BTreeSet<u64> {
        let held = held_by(pid.cast_unsigned());
        held.filter(|inode| self.0.contains(inode)).collect()
    }

    /// Whether a child listens at a socket of its parent. One that hands a socket to a service has that begin a session of its own.
    fn is_worker(&self, child: &Stat, parent: &Stat) -> bool {
        child.ppid == parent.pid
            && child.session == parent.session
            && !self.of(child.pid).is_disjoint(&self.of(parent.pid))
    }

    /// This process, then whose worker it is, and so on; nothing where it is gone.
    pub(crate) fn line(&self, pid: u32) -> impl Iterator<Item = Stat> {
        let line = successors(stat(pid.cast_signed()), move |of| {
            stat(of.ppid).filter(|parent| self.is_worker(of, parent))
        });
        line.take(DEEPEST)
    }

    /// Whether it is a worker whose master is gone: it listens, it is none's worker and has none itself, and who is its parent now is of
    /// another session, which it did not begin.
    pub(crate) fn is_left_behind(&self, of: &Stat) -> bool {
        let began_it = of.session == of.pid;
        let parent = stat(of.ppid).map(|parent| parent.session);
        if began_it || parent == Some(of.session) || self.of(of.pid).is_empty() {
            return false;
        }
        let processes = all_processes().into_iter().flatten().flatten();
        let mut stats = processes.filter_map(|process| process.stat().ok());
        !stats.any(|other| self.is_worker(&other, of))
    }
}

/// What the kernel says of a process that has not ended.
fn stat(pid: i32) -> Option<Stat> {
    let stat = Process::new(pid).ok()?.stat().ok()?;
    (!['X', 'Z'].contains(&stat.state)).then_some(stat)
}
