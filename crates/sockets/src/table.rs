//! TCP sockets as the kernel's table has them (`/proc/net/tcp`, `/proc/net/tcp6`), which has a line for each there is, in whatever
//! state: for systems that list none.

use procfs::net::{TcpNetEntries, TcpState};
use procfs::{FromReadSI as _, current_system_info};

use crate::{Socket, State};

/// Those in this state; none where the system does not tell.
pub fn read(state: State) -> Vec<Socket> {
    let wanted = match state {
        State::Listens => TcpState::Listen,
        State::Connected => TcpState::Established,
        State::Kept => TcpState::TimeWait,
    };
    // of this thread's network: `/proc/net` has that of the process's main thread
    let table = |name| {
        let file = format!("/proc/thread-self/net/{name}");
        TcpNetEntries::from_file(file, current_system_info()).ok()
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
