//! Who listens at an address of this machine.

use record::Target;
use sockets::{Listener, listener, listeners, unix_queues};

/// The program that listens there; none where that is elsewhere, this process, or not told ([`sockets::listener`]).
pub fn listening(at: &Target) -> Option<Listener> {
    let sockets = match at {
        Target::Tcp(address) => listeners(*address),
        Target::Unix(path) => {
            let all = unix_queues(usize::MAX).unwrap_or_default().into_iter();
            let own = all.filter(|of| of.address == path.to_string_lossy());
            own.map(|of| of.inode).collect()
        }
    };
    listener(&sockets)
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader};
    use std::process::{Command, Stdio};
    use std::time::Duration;

    use testkit::eventually;

    use super::*;

    const SERVER: &str = "import socket, sys\n\
        over_tcp = socket.create_server(('127.0.0.1', 0))\n\
        over_unix = socket.socket(socket.AF_UNIX)\n\
        over_unix.bind(sys.argv[1])\n\
        over_unix.listen()\n\
        print(over_tcp.getsockname()[1], flush=True)\n\
        sys.stdin.read()\n";

    #[test]
    fn who_listens_is_found_by_either_address() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("an app's.sock");
        let mut server = Command::new("python3")
            .args(["-c", SERVER])
            .arg(&path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(server.stdout.take().unwrap()).lines();
        let port: u16 = said.next().unwrap().unwrap().parse().unwrap();
        let pid = server.id();
        // while others open and close sockets the kernel passes over one now and then
        let is_found = [
            Target::Tcp(([127, 0, 0, 1], port).into()),
            Target::Unix(path),
        ]
        .map(|at| {
            eventually(Duration::from_secs(10), || {
                listening(&at).map(|of| of.pid) == Some(pid)
            })
        });
        let elsewhere = listening(&Target::Tcp(([127, 0, 0, 2], port).into()));
        drop(server.stdin.take());
        server.wait().unwrap();
        assert_eq!(is_found, [true, true]);
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
