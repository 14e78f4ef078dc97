//! What ends processes, where their master would start them anew or has left them behind.

use std::collections::BTreeSet;
use std::iter::successors;

use procfs::process::{Process, Stat, all_processes};

use crate::{State, all, held_by, unix_queues};

/// Most processes between a worker and its master.
const DEEPEST: usize = 16;

/// The processes to end so that others end, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ends {
    /// Those that TERM ends, with their workers.
    term: BTreeSet<u32>,
    /// Workers whose master is gone: some of them heed KILL alone.
    kill: BTreeSet<u32>,
}

impl Ends {
    /// What ends these processes. One that has its parent's socket to listen at is a worker, which that would replace: its master
    /// is to be ended. Of other users' processes that is told to root alone. Those that are gone are left out, and the first
    /// process, without which the machine or the container ends.
    pub fn of(pids: impl IntoIterator<Item = u32>) -> Self {
        let listening = Listening::now();
        let mut ends = Self::default();
        for pid in pids {
            let Some(found) = listening.master(pid).filter(|of| of.pid > 1) else {
                continue;
            };
            let by = if listening.is_left_behind(&found) {
                &mut ends.kill
            } else {
                &mut ends.term
            };
            by.insert(found.pid.cast_unsigned());
        }
        ends
    }

    /// As a shell takes it: `` `kill 12` and `kill -KILL 13 14` ``; none where there is nothing to end.
    pub fn words(&self) -> Option<String> {
        let command = |kill: &str, pids: &BTreeSet<u32>| {
            let pids: Vec<String> = pids.iter().map(u32::to_string).collect();
            (!pids.is_empty()).then(|| format!("`{kill} {}`", pids.join(" ")))
        };
        let commands = [
            command("kill", &self.term),
            command("kill -KILL", &self.kill),
        ];
        let commands: Vec<String> = commands.into_iter().flatten().collect();
        (!commands.is_empty()).then(|| commands.join(" and "))
    }
}

/// Inodes of the sockets that listen.
struct Listening(BTreeSet<u64>);

impl Listening {
    fn now() -> Self {
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
            && parent.pid > 1
            && child.session == parent.session
            && !self.of(child.pid).is_disjoint(&self.of(parent.pid))
    }

    /// The process whose worker this is, or this one where it is none; nothing where it is gone.
    fn master(&self, pid: u32) -> Option<Stat> {
        let line = successors(stat(pid.cast_signed()), |of| {
            stat(of.ppid).filter(|parent| self.is_worker(of, parent))
        });
        line.take(DEEPEST).last()
    }

    /// Whether it is a worker whose master is gone: it listens, it is none's worker and has none itself, and who is its parent now is of
    /// another session, which it did not begin.
    fn is_left_behind(&self, of: &Stat) -> bool {
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

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader};
    use std::process::{Command, Stdio};

    use super::*;

    const SERVER: &str = "import os, socket, sys\n\
        listener = socket.create_server(('127.0.0.1', 0))\n\
        child = os.fork()\n\
        if child:\n    \
            print(child, flush=True)\n\
        sys.stdin.read()\n";

    /// What ends these, once it is as expected: while others open and close sockets the kernel passes over one now and then.
    fn told(pids: &[u32], expected: Option<&str>) {
        let look = || Ends::of(pids.iter().copied()).words();
        let mut seen = look();
        for _ in 0..100 {
            if seen.as_deref() == expected {
                break;
            }
            seen = look();
        }
        assert_eq!(seen.as_deref(), expected);
    }

    #[test]
    fn a_worker_ends_with_its_master_and_is_killed_where_that_is_gone() {
        let mut server = Command::new("setsid")
            .args(["python3", "-c", SERVER])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(server.stdout.take().unwrap()).lines();
        let worker: u32 = said.next().unwrap().unwrap().parse().unwrap();
        let master = server.id();
        let kill = format!("`kill {master}`");
        told(&[worker], Some(&kill));
        told(&[1, master, worker], Some(&kill));
        server.kill().unwrap();
        // the pipe that the worker waits at stays open
        let input = server.stdin.take();
        server.wait().unwrap();
        told(&[worker], Some(&format!("`kill -KILL {worker}`")));
        told(&[master], None);
        drop(input);
    }

    #[test]
    fn what_does_not_listen_is_ended_by_itself() {
        let cat = || {
            let mut cat = Command::new("cat");
            cat.stdin(Stdio::piped()).spawn().unwrap()
        };
        let mut cats = [cat(), cat()];
        let mut pids = [0, 1].map(|at| cats[at].id());
        pids.sort_unstable();
        told(&pids, Some(&format!("`kill {} {}`", pids[0], pids[1])));
        for cat in &mut cats {
            drop(cat.stdin.take());
            cat.wait().unwrap();
        }
    }
}
