//! Unix sockets as the kernel lists them (`sock_diag(7)`).

use std::io;
use std::sync::atomic::AtomicBool;

use netlink_packet_sock_diag::SockDiagMessage;
use netlink_packet_sock_diag::unix::nlas::UnixDiagName;
use netlink_packet_sock_diag::unix::{ShowFlags, StateFlags, UnixRequest, UnixResponse};

use crate::AcceptQueue;
use crate::diag::ask;

/// Whether the kernel lists no Unix sockets.
static SILENT: AtomicBool = AtomicBool::new(false);

/// An open connection over a Unix socket, as whoever was connected to has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnixConnection {
    /// Where that listens: a path, or `@` and a name that is in no folder.
    pub address: String,
    /// By which a process's open files name its end; 0 until it is accepted.
    pub inode: u64,
    /// By which they name the other end.
    pub peer: u64,
}

/// The accept queues of Unix sockets that listen and have an address, as far as there are not more than `most`: then one more
/// than that.
///
/// # Errors
/// The system's, where it does not tell of Unix sockets.
pub fn unix_queues(most: usize) -> io::Result<Vec<AcceptQueue>> {
    let shown = ShowFlags::NAME | ShowFlags::RQLEN;
    of_unix(StateFlags::LISTEN, shown, most, queue)
}

/// Open connections over Unix sockets that have an address, as far as there are not more than `most`: then one more than that.
///
/// # Errors
/// The system's, where it does not tell of Unix sockets.
pub fn unix_connections(most: usize) -> io::Result<Vec<UnixConnection>> {
    let shown = ShowFlags::NAME | ShowFlags::PEER;
    of_unix(StateFlags::ESTABLISHED, shown, most, connection)
}

/// What is told of each in these states, of which this is shown, up to one more than `most`.
fn of_unix<T>(
    state_flags: StateFlags,
    show_flags: ShowFlags,
    most: usize,
    told: fn(&UnixResponse) -> Option<T>,
) -> io::Result<Vec<T>> {
    let request = UnixRequest {
        state_flags,
        inode: 0,
        show_flags,
        cookie: [0xff; 8], // of no socket
    };
    let each = |message: SockDiagMessage| match message {
        SockDiagMessage::UnixResponse(of) => told(&of),
        _ => None,
    };
    let mut found = Vec::new();
    let request = SockDiagMessage::UnixRequest(request);
    ask(request, &SILENT, most, &mut found, each)?;
    Ok(found)
}

fn queue(of: &UnixResponse) -> Option<AcceptQueue> {
    Some(AcceptQueue {
        address: address(of)?,
        inode: of.header.inode.into(),
        waiting: of.number_of_pending_connection()?,
        room: of.max_number_of_pending_connection()?,
    })
}

fn connection(of: &UnixResponse) -> Option<UnixConnection> {
    Some(UnixConnection {
        address: address(of)?,
        inode: of.header.inode.into(),
        peer: of.peer()?.into(),
    })
}

fn address(of: &UnixResponse) -> Option<String> {
    Some(match of.name()? {
        UnixDiagName::Pathname(path) => path.to_string_lossy().into_owned(),
        UnixDiagName::Abstract(name) => format!("@{}", String::from_utf8_lossy(name)),
    })
}
