//! Accept queues, and whose they are.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;

use record::QueueFacts;
use sockets::{AcceptQueue, listens_for, plain};

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
    /// Attempts to connect that were turned away, as far as the kernel tells.
    dropped: Option<u64>,
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

    /// A look has found open connections at these addresses of which something has come that nobody has read.
    pub(super) fn count_unread(&mut self, unread: &[SocketAddr]) {
        let listen: Vec<SocketAddr> = self.0.keys().filter_map(|of| of.parse().ok()).collect();
        let came = unread.iter().filter_map(|at| nearest(&listen, *at));
        let came: Vec<SocketAddr> = came.collect();
        for (address, queue) in &mut self.0 {
            let unread = match address.parse::<SocketAddr>() {
                Ok(own) => came.iter().filter(|at| **at == own).count() as u64,
                // whoever waits at a Unix socket has not been read
                Err(_) => queue.now.map_or(0, |(waiting, _)| u64::from(waiting)),
            };
            *queue.unread.get_or_insert(0) += unread;
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
mod tests {
    use super::*;

    fn queue(address: &str, inode: u64, waiting: u32) -> AcceptQueue {
        AcceptQueue {
            address: address.to_owned(),
            inode,
            waiting,
            room: 8,
        }
    }

    #[test]
    fn of_several_queues_at_one_address_the_longest_counts() {
        let mut queues = Queues::default();
        let two = |one, other| vec![queue("here", 1, one), queue("here", 2, other)];
        queues.open(two(99, 99), &BTreeMap::from([(2, "app")]));
        queues.look(two(3, 7));
        assert_eq!(queues.told()[0].unread, None, "nobody looked");
        queues.count_unread(&[]);
        queues.look(two(9, 9));
        queues.count_unread(&[]);
        queues.look(two(1, 0));
        queues.count_unread(&[]);
        assert_eq!(queues.waiting(), BTreeMap::from([("app", 1)]));
        // it is gone, and nobody's
        queues.look(vec![queue("there", 3, 5)]);
        queues.count_unread(&[]);
        assert!(queues.waiting().is_empty());
        let told = QueueFacts {
            program: "app".to_owned(),
            address: "here".to_owned(),
            waiting: 9,
            room: 8,
            full: 1,
            dropped: None,
            unread: Some(7 + 9 + 1),
        };
        assert_eq!(queues.told(), [told]);
    }

    /// Over TCP whatever came to the listener's port and is not read, in the queue or not; over a Unix socket what is in the queue.
    #[test]
    fn what_nobody_has_read_is_counted_where_it_came_to() {
        let mut queues = Queues::default();
        let owners = BTreeMap::from([(1, "all"), (2, "tcp"), (3, "unix"), (4, "six")]);
        // in the order in which they are told
        let places = [
            ("/run/app", 3),
            ("0.0.0.0:81", 1),
            ("127.0.0.1:80", 2),
            ("[::]:81", 4),
        ];
        let now = || Vec::from(places.map(|(place, inode)| queue(place, inode, 2)));
        queues.open(now(), &owners);
        let came = [
            "127.0.0.1:80",
            "[::ffff:127.0.0.1]:80",
            "10.0.0.7:81",
            "[::1]:81",
            "127.0.0.1:82",
        ];
        let came = came.map(|at| at.parse::<SocketAddr>().unwrap());
        for unread in [&came[..], &[]] {
            queues.look(now());
            queues.count_unread(unread);
        }
        let told = queues.told();
        let unread: Vec<_> = told.iter().map(|of| (&*of.program, of.unread)).collect();
        let wanted = [("unix", 4), ("all", 1), ("tcp", 2), ("six", 1)];
        assert_eq!(unread, wanted.map(|(program, of)| (program, Some(of))));
    }

    #[test]
    fn addresses_beyond_the_bound_are_not_kept() {
        let mut queues = Queues::default();
        queues.open(vec![queue("own", 0, 0)], &BTreeMap::from([(0, "app")]));
        let many = (1..=2 * MOST as u64).map(|inode| queue(&inode.to_string(), inode, 1));
        queues.look(many.collect());
        queues.look(vec![queue("own", 0, 7)]);
        assert_eq!(queues.0.len(), MOST);
        assert_eq!(queues.told()[0].waiting, 7);
    }

    #[test]
    fn who_listens_over_tcp_is_of_the_programs_as_far_as_they_are_known() {
        let mut queues = Queues::default();
        let places = [("/run/app", 1, 9), ("10.0.0.1:80", 2, 3), ("[::]:81", 3, 5)];
        let now = || Vec::from(places.map(|(place, inode, waiting)| queue(place, inode, waiting)));
        queues.open(now(), &BTreeMap::from([(1, "app")]));
        assert_eq!(queues.ports(), BTreeSet::from([80, 81]));
        assert_eq!(queues.longest(), 5);
        queues.open(now(), &BTreeMap::from([(2, "app")]));
        assert_eq!(queues.ports(), BTreeSet::from([80]));
        assert_eq!(queues.longest(), 3);
        queues.look(Vec::new());
        assert_eq!(queues.longest(), 0, "nobody listens any more");
    }

    #[test]
    fn what_was_turned_away_before_does_not_count() {
        let mut queues = Queues::default();
        let now = || Vec::from([1, 2, 3].map(|inode| queue("here", inode, 0)));
        queues.open(now(), &BTreeMap::from([(1, "app")]));
        queues.look(now());
        // the second began later, and the third is gone
        let before = BTreeMap::from([(1, 40), (3, 9)]);
        queues.count_dropped(&before, &BTreeMap::from([(1, 42), (2, 5)]));
        assert_eq!(queues.told()[0].dropped, Some(7));
        queues.count_dropped(&before, &BTreeMap::new());
        assert_eq!(queues.told()[0].dropped, None);
    }
}
