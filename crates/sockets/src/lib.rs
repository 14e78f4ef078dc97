//! The sockets of this machine, and which process has them open.

mod connections;
mod diag;
mod ends;
mod held;
mod master;
mod table;
mod unix;

use std::collections::BTreeSet;
use std::net::SocketAddr;

pub use connections::{Connection, connections};
pub use diag::{list, turned_away};
pub use ends::Ends;
pub use held::held_by;
pub use master::{Listener, listener};
pub use table::{read, read_of};
pub use unix::{UnixConnection, unix_connections, unix_queues};

/// What a TCP socket is there for; of the kernel's eleven states the three that somebody asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// `LISTEN`.
    Listens,
    /// `ESTABLISHED`.
    Connected,
    /// `TIME_WAIT`: it is closed, and nobody else gets its ports for a minute.
    Kept,
}

/// A TCP socket of the network of the calling thread, or of the process that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Socket {
    /// What it is there for.
    pub state: State,
    /// Its own address.
    pub local: SocketAddr,
    /// That of the other end; nobody's where it listens.
    pub remote: SocketAddr,
    /// By which a process's open files name it.
    pub inode: u64,
    /// The id of the user whose it is; 0 of one that is closed.
    pub user: u32,
    /// Bytes that were received and not read yet; where it listens, connections that wait to be accepted.
    pub unread: u32,
    /// Connections that may wait to be accepted; absent where it does not listen, and where the system does not tell.
    pub room: Option<u32>,
    /// Bytes that were sent and not acknowledged yet; 0 where it listens.
    pub unacknowledged: u32,
}

impl Socket {
    /// Its accept queue; none where it does not listen, and where the system does not tell of its room.
    pub fn queue(&self) -> Option<AcceptQueue> {
        Some(AcceptQueue {
            address: self.local.to_string(),
            inode: self.inode,
            waiting: self.unread,
            room: self.room?,
        })
    }
}

/// The accept queue of a socket that listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcceptQueue {
    /// Where that listens: `127.0.0.1:8000`, a path, or `@` and a name that is in no folder.
    pub address: String,
    /// By which a process's open files name the socket.
    pub inode: u64,
    /// Connections that wait in it.
    pub waiting: u32,
    /// Connections that it is meant for. Linux lets one more wait.
    pub room: u32,
}

/// Those in this state, however many there are: as the kernel lists them, or as its table has them where it lists none.
/// What is closed and kept for a minute (`TIME_WAIT`), often tens of thousands, costs time in the table alone.
pub fn all(state: State) -> Vec<Socket> {
    list(&[state], usize::MAX).unwrap_or_else(|_| read(state))
}

/// Inodes of the sockets that listen for this address: there, or at all addresses.
pub fn listeners(address: SocketAddr) -> BTreeSet<u64> {
    let all = all(State::Listens).into_iter();
    all.filter(|socket| listens_for(socket.local, address))
        .map(|socket| socket.inode)
        .collect()
}

/// Whether a socket that listens at `own` gets connections to this address.
pub fn listens_for(own: SocketAddr, address: SocketAddr) -> bool {
    let (own, address) = (plain(own), plain(address));
    own.port() == address.port() && (own.ip() == address.ip() || own.ip().is_unspecified())
}

/// The address as an IPv4 one, if it is: a socket of both kinds writes that as one of IPv6.
pub fn plain(address: SocketAddr) -> SocketAddr {
    SocketAddr::new(address.ip().to_canonical(), address.port())
}
