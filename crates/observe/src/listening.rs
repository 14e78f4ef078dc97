//! Who listens at an address of this machine, as far as `/proc` tells: of other users' programs it does so to root alone.

use std::collections::BTreeMap;

use procfs::net::unix;
use procfs::process::all_processes;
use record::Target;
use sockets::{held_by, listeners};

/// A program that listens, with whatever it has started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listener {
    /// Its process id: of several that share a socket the one that the others descend from.
    pub pid: u32,
    /// Its short name as the kernel knows it; text of others.
    pub name: String,
}

/// The program that listens there; none where that is elsewhere, or not told. Looks at the open files of all processes, which
/// takes milliseconds.
pub fn listening(at: &Target) -> Option<Listener> {
    let sockets = match at {
        Target::Tcp(address) => listeners(*address),
        Target::Unix(path) => {
            let all = unix().into_iter().flatten();
            let own = all.filter(|of| of.path.as_deref() == Some(path));
            own.map(|of| of.inode).collect()
        }
    };
    if sockets.is_empty() {
        return None;
    }
    let own = std::process::id().cast_signed();
    let processes = all_processes().ok()?.flatten();
    let holds = |pid: i32| held_by(pid.cast_unsigned()).any(|inode| sockets.contains(&inode));
    let holders = processes.filter(|of| of.pid != own && holds(of.pid));
    let holders: BTreeMap<i32, (i32, String)> = holders
        .filter_map(|of| of.stat().ok())
        .map(|stat| (stat.pid, (stat.ppid, stat.comm)))
        .collect();
    let mut roots = holders
        .iter()
        .filter(|(_, (parent, _))| !holders.contains_key(parent));
    let (pid, (_, name)) = roots.next()?;
    Some(Listener {
        pid: pid.cast_unsigned(),
        name: name.clone(),
    })
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
            print(listener.getsockname()[1], flush=True)\n\
        sys.stdin.read()\n";

    #[test]
    fn of_those_that_share_a_socket_it_is_the_parent() {
        let mut server = Command::new("python3")
            .args(["-c", SERVER])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(server.stdout.take().unwrap()).lines();
        let port: u16 = said.next().unwrap().unwrap().parse().unwrap();
        let found = listening(&Target::Tcp(([127, 0, 0, 1], port).into()));
        let elsewhere = listening(&Target::Tcp(([127, 0, 0, 2], port).into()));
        drop(server.stdin.take());
        let pid = server.id();
        server.wait().unwrap();
        assert_eq!(found.map(|of| of.pid), Some(pid));
        assert_eq!(elsewhere, None);
        let nobody = Target::Unix("/nowhere.sock".into());
        assert_eq!(listening(&nobody), None);
    }

    #[test]
    fn own_sockets_are_nobody_elses() {
        let own = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        assert_eq!(listening(&Target::Tcp(own.local_addr().unwrap())), None);
    }
}
