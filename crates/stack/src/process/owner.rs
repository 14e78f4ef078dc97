use std::collections::BTreeSet;
use std::net::SocketAddr;

use procfs::process::{Process, all_processes};
use record::Target;
use sockets::{Ends, State, held_by, listeners};

use crate::process::descendants::descendants;

/// Processes that answer where ours should.
#[derive(Debug)]
pub(crate) struct Squatter {
    /// All that have the socket, as what they do follows: ``process 12 (`httpd`), with 13 and 14,``.
    pub(crate) processes: String,
    /// What ends them, as a shell takes it.
    pub(crate) ends: Option<String>,
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
    let all = all_processes().ok()?.flatten();
    let all = all.map(|process| process.pid.cast_unsigned());
    let theirs = |pid: &u32| held_by(*pid).any(|inode| listening.contains(&inode));
    let holders: Vec<u32> = all.filter(theirs).collect();
    let (first, others) = holders.split_first()?;
    Some(Squatter {
        processes: named(*first, others),
        ends: Ends::of(holders.iter().copied()).words(),
    })
}

/// A process by its name, and others by their numbers.
fn named(first: u32, others: &[u32]) -> String {
    let stat = Process::new(first.cast_signed()).and_then(|process| process.stat());
    let name = stat.map_or_else(|_| "?".to_owned(), |stat| stat.comm);
    let others: Vec<String> = others.iter().map(u32::to_string).collect();
    let with = match others.as_slice() {
        [] => String::new(),
        others => format!(", with {},", record::joined(others, "and")),
    };
    format!("process {first} (`{name}`){with}")
}

/// Where the family of `guardian` listens, in order.
pub(crate) fn listening(guardian: u32) -> Vec<SocketAddr> {
    let own: BTreeSet<u64> = family(guardian).collect();
    let all = sockets::all(State::Listens).into_iter();
    let places: BTreeSet<SocketAddr> = all
        .filter(|socket| own.contains(&socket.inode))
        .map(|socket| socket.local)
        .collect();
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
    let all = sockets::all(State::Connected).into_iter();
    // a socket of both kinds writes an IPv4 address as one of IPv6
    let port = address.port();
    let ip = address.ip().to_canonical();
    let there = all
        .filter(|socket| socket.remote.port() == port && socket.remote.ip().to_canonical() == ip);
    let connected: BTreeSet<u64> = there.map(|socket| socket.inode).collect();
    family(guardian).any(|inode| connected.contains(&inode))
}

/// Inodes of the sockets of everything below a guardian.
fn family(guardian: u32) -> impl Iterator<Item = u64> {
    descendants(guardian).into_iter().flat_map(held_by)
}
