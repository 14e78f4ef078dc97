//! TCP sockets as the kernel's table has them (`/proc/net/tcp`, `/proc/net/tcp6`), which has a line for each there is, in whatever
//! state: for systems that list none.

use std::fs::File;
use std::io::Read;

use procfs::net::{TcpNetEntries, TcpState};
use procfs::{FromReadSI as _, current_system_info};

use crate::{Socket, State};

/// Bytes of a table of another network that are read, of some 50,000 sockets: who has more there is not looked for.
const MOST: u64 = 8 << 20;

/// Those in this state; none where the system does not tell.
pub fn read(state: State) -> Vec<Socket> {
    // of this thread's network: `/proc/net` has that of the process's main thread
    read_in("thread-self", u64::MAX, state)
}

/// Those in this state of the network of a process; none where it is gone, and where there are tens of thousands of sockets.
pub fn read_of(pid: u32, state: State) -> Vec<Socket> {
    read_in(&pid.to_string(), MOST, state)
}

fn read_in(task: &str, most: u64, state: State) -> Vec<Socket> {
    let wanted = match state {
        State::Listens => TcpState::Listen,
        State::Connected => TcpState::Established,
        State::Kept => TcpState::TimeWait,
    };
    let table = |name| {
        let file = File::open(format!("/proc/{task}/net/{name}"));
        table(file.ok()?, most)
    };
    let lines = ["tcp", "tcp6"].into_iter().filter_map(table);
    let sockets = lines.flat_map(|table| table.0);
    sockets
        .filter(|of| of.state == wanted)
        .map(|of| Socket {
            state,
            local: of.local_address,
            remote: of.remote_address,
            inode: of.inode,
            user: of.uid,
            unread: of.rx_queue,
            room: None,
            unacknowledged: of.tx_queue,
        })
        .collect()
}

/// A table of so many bytes at most: one that is longer ends within a line, and is none.
fn table(file: impl Read, most: u64) -> Option<TcpNetEntries> {
    TcpNetEntries::from_read(file.take(most), current_system_info()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_is_too_long_is_none() {
        let head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";
        let line = "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 12345 1 0\n";
        let text = format!("{head}{}", line.repeat(10));
        let read = |most: usize| table(text.as_bytes(), most as u64).map(|all| all.0.len());
        assert_eq!(read(text.len()), Some(10));
        assert_eq!(read(head.len() + line.len() + 20), None);
    }
}
