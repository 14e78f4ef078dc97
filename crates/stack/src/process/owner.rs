use std::collections::BTreeSet;
use std::net::SocketAddr;

use procfs::net::{TcpNetEntries, TcpNetEntry, TcpState};
use procfs::process::{FDTarget, Process, all_processes};
use procfs::{FromReadSI as _, current_system_info};

use record::Target;

use crate::process::descendants::descendants;

/// A process that answers where ours should.
#[derive(Debug)]
pub(crate) struct Squatter {
    pub(crate) pid: u32,
    pub(crate) command: String,
}

/// Who listens on this address besides the family of `guardian`, as far as that can be seen.
pub(crate) fn squatter(address: SocketAddr, guardian: u32) -> Option<Squatter> {
    let mut listening = listeners(address);
    for inode in family(guardian) {
        listening.remove(&inode);
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

/// Where the family of `guardian` listens, in order.
pub(crate) fn listening(guardian: u32) -> Vec<SocketAddr> {
    let own: BTreeSet<u64> = family(guardian).collect();
    let listen = tables().filter(|of| of.state == TcpState::Listen && own.contains(&of.inode));
    let places: BTreeSet<SocketAddr> = listen.map(|of| of.local_address).collect();
    places.into_iter().collect()
}

/// Whether somebody listens there.
pub(crate) fn is_open(target: &Target) -> bool {
    match target {
        Target::Tcp(address) => !listeners(*address).is_empty(),
        Target::Unix(path) => path.exists(),
    }
}

/// Whether one of the family of `guardian` has a connection to this address. Of a Unix socket the kernel does
/// not tell who is at the other end.
pub(crate) fn has_dialled(target: &Target, guardian: u32) -> bool {
    let Target::Tcp(address) = target else {
        return true;
    };
    let connected =
        tcp(|socket| socket.state == TcpState::Established && socket.remote_address == *address);
    family(guardian).any(|inode| connected.contains(&inode))
}

/// Inodes of the sockets that listen there.
fn listeners(address: SocketAddr) -> BTreeSet<u64> {
    let here = |local: SocketAddr| {
        local.port() == address.port()
            && (local.ip() == address.ip() || local.ip().is_unspecified())
    };
    tcp(|socket| socket.state == TcpState::Listen && here(socket.local_address))
}

/// Inodes of the kernel's TCP sockets that are such.
fn tcp(such: impl Fn(&TcpNetEntry) -> bool) -> BTreeSet<u64> {
    tables().filter(such).map(|socket| socket.inode).collect()
}

/// The kernel's TCP sockets in the network of this thread, in which the stack is started: `/proc/net` has those of the
/// process's main thread.
fn tables() -> impl Iterator<Item = TcpNetEntry> {
    let files = ["tcp", "tcp6"].into_iter();
    let read = |name| {
        let file = format!("/proc/thread-self/net/{name}");
        TcpNetEntries::from_file(file, current_system_info()).ok()
    };
    files.filter_map(read).flat_map(|table| table.0)
}

/// Inodes of the sockets of everything below a guardian.
fn family(guardian: u32) -> impl Iterator<Item = u64> {
    let pids = descendants(guardian).into_iter();
    pids.flat_map(|pid| sockets(pid.cast_signed()))
}

fn sockets(pid: i32) -> impl Iterator<Item = u64> {
    let open = Process::new(pid).and_then(|process| process.fd());
    let open = open.into_iter().flatten().flatten();
    open.filter_map(|descriptor| match descriptor.target {
        FDTarget::Socket(inode) => Some(inode),
        _ => None,
    })
}
