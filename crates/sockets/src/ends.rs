//! What ends processes, where their master would start them anew or has left them behind.

use std::collections::BTreeSet;

use crate::master::Listening;

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
            let line = listening.line(pid).take_while(|of| of.pid > 1);
            let Some(found) = line.last() else { continue };
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

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader};
    use std::process::{Command, Stdio};

    use super::*;
    use crate::{held_by, listener};

    const SERVER: &str = "import os, socket, sys\n\
        listener = socket.create_server(('127.0.0.1', 0))\n\
        child = os.fork()\n\
        if child:\n    \
            print(child, flush=True)\n\
        sys.stdin.read()\n";

    /// Whether it is so in one of many looks: while others open and close sockets the kernel passes over one now and then.
    fn once(mut look: impl FnMut() -> bool) -> bool {
        (0..100).any(|_| look())
    }

    /// What ends these, once it is as expected.
    fn told(pids: &[u32], expected: Option<&str>) {
        let look = || Ends::of(pids.iter().copied()).words();
        assert!(once(|| look().as_deref() == expected), "{:?}", look());
    }

    #[test]
    fn a_worker_ends_with_its_master_and_is_killed_where_that_is_gone() {
        let mut server = Command::new("setsid")
            .args(["python3", "-c", SERVER])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(server.stdout.take().unwrap()).lines();
        let worker: u32 = said.next().unwrap().unwrap().parse().unwrap();
        let master = server.id();
        let kill = format!("`kill {master}`");
        told(&[worker], Some(&kill));
        told(&[1, master, worker], Some(&kill));
        let sockets: BTreeSet<u64> = held_by(worker).collect();
        let found = || listener(&sockets).map(|of| of.pid);
        assert!(once(|| found() == Some(master)), "{:?}", found());
        server.kill().unwrap();
        // the pipe that the worker waits at stays open
        let input = server.stdin.take();
        server.wait().unwrap();
        told(&[worker], Some(&format!("`kill -KILL {worker}`")));
        told(&[master], None);
        assert_eq!(found(), Some(worker), "it listens by itself");
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
