//! The sockets of this machine, and which process has them open.

mod diag;
mod held;
mod table;

use std::collections::BTreeSet;
use std::net::SocketAddr;

pub use diag::list;
pub use held::held_by;
pub use table::read;

/// What a TCP socket is there for; of the kernel's eleven states the two that somebody asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// `LISTEN`.
    Listens,
    /// `ESTABLISHED`.
    Connected,
}

/// A TCP socket of the network of the calling thread.
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
    /// Bytes that were received and not read yet; where it listens, connections that wait to be accepted.
    pub unread: u32,
    /// Bytes that were sent and not acknowledged yet; 0 where it listens.
    pub unacknowledged: u32,
}

/// Those in this state, however many there are: as the kernel lists them, or as its table has them where it lists none.
/// What is closed and kept for a minute (`TIME_WAIT`), often tens of thousands, costs time in the table alone.
pub fn all(state: State) -> Vec<Socket> {
    list(&[state], usize::MAX).unwrap_or_else(|_| read(state))
}

/// Inodes of the sockets that listen for this address: there, or at all addresses.
pub fn listeners(address: SocketAddr) -> BTreeSet<u64> {
    // a socket of both kinds writes an IPv4 address as one of IPv6
    let wanted = address.ip().to_canonical();
    let listens = |own: SocketAddr| {
        let ip = own.ip().to_canonical();
        own.port() == address.port() && (ip == wanted || ip.is_unspecified())
    };
    let all = all(State::Listens).into_iter();
    all.filter(|socket| listens(socket.local))
        .map(|socket| socket.inode)
        .collect()
}
