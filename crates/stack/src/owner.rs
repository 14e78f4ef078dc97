use std::collections::BTreeSet;
use std::net::SocketAddr;

use procfs::net::TcpState;
use procfs::process::{FDTarget, Process, all_processes};

use crate::descendants::descendants;

/// A process that answers where ours should.
#[derive(Debug)]
pub(crate) struct Squatter {
    pub(crate) pid: u32,
    pub(crate) command: String,
}

/// Who listens on this address besides the family of `guardian`, as far as that can be seen.
pub(crate) fn squatter(address: SocketAddr, guardian: u32) -> Option<Squatter> {
    let mut listening = listeners(address);
    for pid in descendants(guardian) {
        for inode in sockets(pid.cast_signed()) {
            listening.remove(&inode);
        }
    }
    if listening.is_empty() {
        return None;
    }
    all_processes().ok()?.flatten().find_map(|process| {
        let theirs = sockets(process.pid).any(|inode| listening.contains(&inode));
        theirs.then(|| Squatter {
            pid: process.pid.cast_unsigned(),
            command: process
                .stat()
                .map_or_else(|_| "?".to_owned(), |stat| stat.comm),
        })
    })
}

/// Inodes of the sockets that listen there.
fn listeners(address: SocketAddr) -> BTreeSet<u64> {
    let here = |local: SocketAddr| {
        local.port() == address.port()
            && (local.ip() == address.ip() || local.ip().is_unspecified())
    };
    let tables = [procfs::net::tcp(), procfs::net::tcp6()];
    tables
        .into_iter()
        .flatten()
        .flatten()
        .filter(|socket| socket.state == TcpState::Listen && here(socket.local_address))
        .map(|socket| socket.inode)
        .collect()
}

fn sockets(pid: i32) -> impl Iterator<Item = u64> {
    let open = Process::new(pid).and_then(|process| process.fd());
    open.into_iter()
        .flatten()
        .flatten()
        .filter_map(|descriptor| match descriptor.target {
            FDTarget::Socket(inode) => Some(inode),
            _ => None,
        })
}
