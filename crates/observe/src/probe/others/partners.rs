//! Programs that weir did not start and that the stack uses, as a database that the system runs: they listen where programs of the
//! stack have opened connections to. What stands between is followed by one step: a pool of connections has a database behind it.
//! Who has only connected to the stack is none.

mod networks;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::os::unix::fs::MetadataExt as _;

use procfs::process::all_processes;
use rustix::process::geteuid;
use sockets::{Socket, State, held_by, listens_for, plain, unix_connections, unix_queues};

use super::status::user;
use crate::probe::sockets::{LOOKED_AT, listed, owners};

/// Users that a system has for its services, each for one.
const OF_SERVICES: RangeInclusive<u32> = 1..=999;

/// Sockets that listen, by their inodes, with the users whose they are.
type Listeners = BTreeMap<u64, u32>;
/// The addresses of a connection, its own first.
type Ends = (SocketAddr, SocketAddr);

/// The search for them.
#[derive(Default)]
pub(super) struct Search {
    /// The programs of the stack, each by the process that its others descend from; none where there is no stack.
    stack: Vec<(u32, String)>,
}

impl Search {
    /// For what these programs use, each with the process that its others descend from.
    pub(super) fn of_stack(stack: Vec<(u32, String)>) -> Self {
        Self { stack }
    }

    /// The processes that listen where the programs have opened connections to, and those that listen where these have; none
    /// that is `kin` of weir's, and none where there are more sockets than `most`.
    /// Looks at the open files of all processes, but only if there is somebody to look for.
    pub(super) fn find(&self, most: usize, kin: impl Fn(i32) -> bool) -> BTreeSet<i32> {
        if self.stack.is_empty() {
            return BTreeSet::new();
        }
        let Some(sockets) = listed(&LOOKED_AT, most) else {
            return BTreeSet::new();
        };
        let held: BTreeSet<u64> = owners(&self.stack).into_keys().collect();
        let mut found = used_by(&held, &sockets, most);
        found.retain(|pid| !kin(*pid));
        let mut behind = used_by(&held_of(&found, &sockets), &sockets, most);
        behind.retain(|pid| !kin(*pid));
        found.append(&mut behind);
        found
    }
}

/// The processes that listen where the holders of these inodes have opened connections to.
fn used_by(held: &BTreeSet<u64>, sockets: &[Socket], most: usize) -> BTreeSet<i32> {
    if held.is_empty() {
        return BTreeSet::new();
    }
    let mut asked = over_tcp(sockets, held);
    asked.extend(networks::listeners(&leading_away(sockets, held)));
    asked.extend(over_unix(held, most).unwrap_or_default());
    // weir itself may serve the stack
    for inode in held_by(std::process::id()) {
        asked.remove(&inode);
    }
    listening(&asked)
}

/// The sockets of these processes and of what they have started. What other users' processes have open is told to root alone:
/// without it, all TCP sockets of their users that are for a service each.
fn held_of(processes: &BTreeSet<i32>, sockets: &[Socket]) -> BTreeSet<u64> {
    let programs = processes
        .iter()
        .map(|pid| (pid.cast_unsigned(), String::new()));
    let programs: Vec<(u32, String)> = programs.collect();
    let mut held: BTreeSet<u64> = owners(&programs).into_keys().collect();
    let hidden = processes
        .iter()
        .filter(|pid| held_by(pid.cast_unsigned()).next().is_none());
    let users = of_services(hidden.filter_map(|pid| user(*pid)), geteuid().as_raw());
    let theirs = sockets.iter().filter(|of| users.contains(&of.user));
    held.extend(theirs.map(|of| of.inode));
    held
}

/// The listeners that the holders of these inodes have opened connections to over TCP, their own left out.
fn over_tcp(sockets: &[Socket], held: &BTreeSet<u64>) -> Listeners {
    let (open, listeners): (Vec<&Socket>, Vec<&Socket>) =
        sockets.iter().partition(|of| of.state == State::Connected);
    let all: BTreeSet<_> = open.iter().copied().map(ends).collect();
    let (own, others): (Vec<&Socket>, Vec<&Socket>) = listeners
        .into_iter()
        .partition(|of| held.contains(&of.inode));
    let mut to: BTreeSet<SocketAddr> = BTreeSet::new();
    for of in open.iter().filter(|of| held.contains(&of.inode)) {
        let (local, remote) = ends(of);
        // of one that leads to another machine the other end is not here
        let is_here = all.contains(&(remote, local));
        if is_here && !own.iter().any(|own| listens_for(own.local, remote)) {
            to.insert(remote);
        }
    }
    let is_asked = |of: &&Socket| to.iter().any(|to| listens_for(of.local, *to));
    let asked = others.into_iter().filter(is_asked);
    asked.map(|of| (of.inode, of.user)).collect()
}

fn ends(of: &Socket) -> Ends {
    (plain(of.local), plain(of.remote))
}

/// The open connections of the holders of these inodes whose other end is not among these sockets: it is on another machine, or
/// in another network of this one.
fn leading_away(sockets: &[Socket], held: &BTreeSet<u64>) -> BTreeSet<Ends> {
    let open = sockets.iter().filter(|of| of.state == State::Connected);
    let all: BTreeSet<Ends> = open.clone().map(ends).collect();
    let own = open.filter(|of| held.contains(&of.inode)).map(ends);
    own.filter(|(local, remote)| !all.contains(&(*remote, *local)))
        .collect()
}

/// The same over Unix sockets; an error where the system does not tell of them.
fn over_unix(held: &BTreeSet<u64>, most: usize) -> io::Result<Listeners> {
    let open = unix_connections(most)?.into_iter();
    let opened = open.filter(|of| held.contains(&of.peer));
    let to: BTreeSet<String> = opened.map(|of| of.address).collect();
    if to.is_empty() {
        return Ok(Listeners::new());
    }
    let listeners = unix_queues(most)?.into_iter();
    let asked = listeners.filter(|of| to.contains(&of.address) && !held.contains(&of.inode));
    // the file is its user's
    let user = |path: &str| fs::metadata(path).map_or(0, |file| file.uid());
    Ok(asked.map(|of| (of.inode, user(&of.address))).collect())
}

/// The processes that have these open. What other users' processes have open is told to root alone: without it, all processes of
/// the user whose socket that is, where it is a user for a service.
fn listening(asked: &Listeners) -> BTreeSet<i32> {
    if asked.is_empty() {
        return BTreeSet::new();
    }
    let processes = all_processes().into_iter().flatten().flatten();
    let processes: Vec<i32> = processes.map(|process| process.pid).collect();
    let (mut found, mut seen) = (BTreeSet::new(), BTreeSet::new());
    for pid in &processes {
        let held = held_by(pid.cast_unsigned());
        for inode in held.filter(|inode| asked.contains_key(inode)) {
            seen.insert(inode);
            found.insert(*pid);
        }
    }
    let unseen = asked.iter().filter(|(inode, _)| !seen.contains(*inode));
    let users = of_services(unseen.map(|(_, user)| *user), geteuid().as_raw());
    if !users.is_empty() {
        let theirs = |pid: &i32| user(*pid).is_some_and(|user| users.contains(&user));
        found.extend(processes.into_iter().filter(theirs));
    }
    found
}

/// Those of these users that are for a service each, but for weir's own.
fn of_services(users: impl Iterator<Item = u32>, own: u32) -> BTreeSet<u32> {
    users
        .filter(|user| OF_SERVICES.contains(user) && *user != own)
        .collect()
}

#[cfg(test)]
mod tests;
