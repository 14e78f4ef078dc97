//! Other networks of this machine, as those of containers: what a connection leads to there works on this machine, too.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use procfs::process::all_processes;
use sockets::{Socket, State, listens_for, read_of};

use super::{Ends, Listeners, ends};

/// Networks beyond which nobody looks on.
const MOST: usize = 16;

/// Whoever listens where these connections lead to in other networks; nobody where weir is not root, as the system tells nobody
/// else who is in which.
pub(super) fn listeners(leads: &BTreeSet<Ends>) -> Listeners {
    if leads.is_empty() {
        return Listeners::new();
    }
    let networks = others().into_values().take(MOST);
    let asked = networks.flat_map(|pid| {
        let open = read_of(pid, State::Connected);
        asked(leads, &open, &read_of(pid, State::Listens))
    });
    asked.collect()
}

/// Those of a network's `listeners` that these connections lead to. An address says little by itself: containers of two
/// networks may have the same.
pub(super) fn asked(leads: &BTreeSet<Ends>, open: &[Socket], listeners: &[Socket]) -> Listeners {
    let here = open.iter().map(ends);
    let here = here.filter(|(local, remote)| leads.contains(&(*remote, *local)));
    let to: BTreeSet<_> = here.map(|(local, _)| local).collect();
    let is_asked = |of: &&Socket| to.iter().any(|to| listens_for(of.local, *to));
    let asked = listeners.iter().filter(is_asked);
    asked.map(|of| (of.inode, of.user)).collect()
}

/// A process of each network but this thread's, by what the kernel calls that.
fn others() -> BTreeMap<PathBuf, u32> {
    let network = |task: &str| fs::read_link(format!("/proc/{task}/ns/net")).ok();
    let own = network("thread-self");
    let processes = all_processes().into_iter().flatten().flatten();
    let all = processes.filter_map(|process| {
        let network = network(&process.pid.to_string());
        let other = network.filter(|network| own.as_ref() != Some(network))?;
        Some((other, process.pid.cast_unsigned()))
    });
    all.collect()
}
