//! Accept queues, and whose they are.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;

use record::QueueFacts;
use sockets::{AcceptQueue, Socket, listens_for, plain};

/// Most addresses of which queues are kept: some programs listen for a moment, at one address after the other.
const MOST: usize = 4_096;

/// Connections that wait in a queue, and those that it is meant for.
type Length = (u32, u32);

/// Attempts to connect that each listener has turned away, by its inode.
pub(super) type TurnedAway = BTreeMap<u64, u32>;

/// The accept queues that were found, by where they are.
#[derive(Default)]
pub(super) struct Queues(BTreeMap<String, Queue>);

/// The queues at one address: several, where each process has its own.
#[derive(Default)]
struct Queue {
    program: Option<String>,
    inodes: BTreeSet<u64>,
    /// The longest one in the last look; none where there was none.
    now: Option<Length>,
    /// The longest one of all looks.
    longest: Option<Length>,
    /// Looks in which that of the look was full.
    full: u32,
    /// Requests of which nothing had been read, of all looks at open connections; none where nobody looked.
    unread: Option<u64>,
    /// Those of them on connections that had not been accepted.
    unaccepted: Option<u64>,
    /// Connections that had been accepted, of all looks at open connections; none where nobody looked, and of Unix sockets.
    accepted: Option<u64>,
    /// Attempts to connect that were turned away, as far as the kernel tells.
    dropped: Option<u64>,
}

/// Servers' ends of open connections.
#[derive(Clone, Copy, Default)]
struct Ends {
    /// Those of which something has come that nobody has read.
    unread: u64,
    /// Those of them that are in an accept queue.
    unaccepted: u64,
    /// Those that a program has: one in an accept queue is no file of anybody's yet.
    accepted: u64,
}

impl Ends {
    fn add(&mut self, of: &Socket) {
        self.unread += u64::from(of.unread > 0);
        self.unaccepted += u64::from(of.unread > 0 && of.inode == 0);
        self.accepted += u64::from(of.inode != 0);
    }
}

impl Queues {
    /// The window opens with these, and sockets are these programs': what was before does not count.
    pub(super) fn open(&mut self, now: Vec<AcceptQueue>, owners: &BTreeMap<u64, &str>) {
        self.0.clear();
        self.find(now);
        self.name(owners);
    }

    /// A look has found these.
    pub(super) fn look(&mut self, now: Vec<AcceptQueue>) {
        self.find(now);
        for queue in self.0.values_mut() {
            queue.longest = queue.longest.max(queue.now);
            let full = queue.now.is_some_and(|(waiting, room)| waiting > room);
            queue.full += u32::from(full);
        }
    }

    /// A look has found these open connections, at either end.
    pub(super) fn count_open(&mut self, open: &[Socket]) {
        let listen: Vec<SocketAddr> = self.0.keys().filter_map(|of| of.parse().ok()).collect();
        let ports: BTreeSet<u16> = listen.iter().map(SocketAddr::port).collect();
        let mut ends: BTreeMap<SocketAddr, Ends> = BTreeMap::new();
        for of in open.iter().filter(|of| ports.contains(&of.local.port())) {
            ends.entry(of.local).or_default().add(of);
        }
        let mut seen: BTreeMap<SocketAddr, Ends> = BTreeMap::new();
        for (at, ends) in ends {
            if let Some(own) = nearest(&listen, at) {
                let all = seen.entry(own).or_default();
                all.unread += ends.unread;
                all.unaccepted += ends.unaccepted;
                all.accepted += ends.accepted;
            }
        }
        for (address, queue) in &mut self.0 {
            let ends = if let Ok(own) = address.parse::<SocketAddr>() {
                let ends = seen.get(&own).copied().unwrap_or_default();
                *queue.accepted.get_or_insert(0) += ends.accepted;
                ends
            } else {
                // whoever waits at a Unix socket has not been read
                let waiting = queue.now.map_or(0, |(waiting, _)| u64::from(waiting));
                Ends {
                    unread: waiting,
                    unaccepted: waiting,
                    accepted: 0,
                }
            };
            *queue.unread.get_or_insert(0) += ends.unread;
            *queue.unaccepted.get_or_insert(0) += ends.unaccepted;
        }
    }

    /// What each listener had turned away when the window opened, by its inode, and what now: the difference counts. One that was
    /// not there yet had turned nobody away.
    pub(super) fn count_dropped(&mut self, before: &TurnedAway, now: &TurnedAway) {
        for queue in self.0.values_mut() {
            let since = |inode: &u64| {
                let before = before.get(inode).copied().unwrap_or(0);
                Some(u64::from(now.get(inode)?.wrapping_sub(before)))
            };
            let each = queue.inodes.iter().filter_map(since);
            queue.dropped = each.reduce(|sum, more| sum + more);
        }
    }

    fn find(&mut self, now: Vec<AcceptQueue>) {
        for queue in self.0.values_mut() {
            queue.now = None;
        }
        for of in now {
            if self.0.len() >= MOST && !self.0.contains_key(&of.address) {
                continue;
            }
            let queue = self.0.entry(of.address).or_default();
            queue.inodes.insert(of.inode);
            queue.now = queue.now.max(Some((of.waiting, of.room)));
        }
    }

    /// Sockets are these programs': those of queues of which it is not known yet whose they are, too.
    pub(super) fn name(&mut self, owners: &BTreeMap<u64, &str>) {
        let unknown = self.0.values_mut().filter(|of| of.program.is_none());
        for queue in unknown {
            let mut known = queue.inodes.iter().filter_map(|inode| owners.get(inode));
            queue.program = known.next().map(|program| (*program).to_owned());
        }
    }

    /// Where programs listen over TCP.
    pub(super) fn listeners(&self) -> Vec<(SocketAddr, &str)> {
        let over_tcp = self.0.iter().filter_map(|(address, queue)| {
            let address = address.parse::<SocketAddr>().ok()?;
            Some((address, queue.program.as_deref()?))
        });
        over_tcp.collect()
    }

    /// The queues over TCP of the programs; all there are, where of none it is known to be theirs.
    fn over_tcp(&self) -> Vec<(SocketAddr, &Queue)> {
        let all = self.0.iter();
        let all = all.filter_map(|(at, queue)| Some((at.parse::<SocketAddr>().ok()?, queue)));
        let (own, others): (Vec<_>, Vec<_>) = all.partition(|(_, of)| of.program.is_some());
        if own.is_empty() { others } else { own }
    }

    /// The ports at which they listen over TCP.
    pub(super) fn ports(&self) -> BTreeSet<u16> {
        let all = self.over_tcp().into_iter();
        all.map(|(at, _)| at.port()).collect()
    }

    /// Connections that wait in the longest queue over TCP.
    pub(super) fn longest(&self) -> u32 {
        let all = self.over_tcp().into_iter();
        let waiting = all.filter_map(|(_, of)| Some(of.now?.0));
        waiting.max().unwrap_or(0)
    }

    /// Connections that wait for each program, in the longest of its queues.
    pub(super) fn waiting(&self) -> BTreeMap<&str, u32> {
        let mut waiting: BTreeMap<&str, u32> = BTreeMap::new();
        for queue in self.0.values() {
            if let (Some(program), Some((now, _))) = (&queue.program, queue.now) {
                let longest = waiting.entry(program).or_default();
                *longest = now.max(*longest);
            }
        }
        waiting
    }

    /// Those of the programs, as far as a look has found them.
    pub(super) fn told(&self) -> Vec<QueueFacts> {
        let told = |(address, queue): (&String, &Queue)| {
            let (waiting, room) = queue.longest?;
            Some(QueueFacts {
                program: queue.program.clone()?,
                address: address.clone(),
                waiting,
                room,
                full: queue.full,
                dropped: queue.dropped,
                unread: queue.unread,
                unaccepted: queue.unaccepted,
                accepted: queue.accepted,
            })
        };
        self.0.iter().filter_map(told).collect()
    }
}

/// Of these addresses the one whose listener gets connections to that address, as the kernel chooses: that very one before all
/// addresses, and all of its own kind before those of both.
fn nearest(listen: &[SocketAddr], address: SocketAddr) -> Option<SocketAddr> {
    let address = plain(address);
    let found = listen.iter().filter(|own| listens_for(**own, address));
    let nearest = found.max_by_key(|own| {
        let own = plain(**own);
        (own == address, own.is_ipv4() == address.is_ipv4())
    });
    nearest.copied()
}

#[cfg(test)]
mod tests;
