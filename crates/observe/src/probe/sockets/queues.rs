//! Accept queues, and whose they are.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;

use record::QueueFacts;
use sockets::AcceptQueue;

/// Connections that wait in a queue, and those that it is meant for.
type Length = (u32, u32);

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

    fn find(&mut self, now: Vec<AcceptQueue>) {
        for queue in self.0.values_mut() {
            queue.now = None;
        }
        for of in now {
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
            })
        };
        self.0.iter().filter_map(told).collect()
    }
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
        queues.look(two(9, 9));
        queues.look(two(1, 0));
        assert_eq!(queues.waiting(), BTreeMap::from([("app", 1)]));
        // it is gone, and nobody's
        queues.look(vec![queue("there", 3, 5)]);
        assert!(queues.waiting().is_empty());
        let told = QueueFacts {
            program: "app".to_owned(),
            address: "here".to_owned(),
            waiting: 9,
            room: 8,
            full: 1,
        };
        assert_eq!(queues.told(), [told]);
    }
}
