//! What the sockets of servers look like: bytes that wait to be acknowledged or to be read, connections that wait to be accepted
//! (`sock_diag(7)`: `idiag_wqueue` and `idiag_rqueue`) or that a listener turned away (`SK_MEMINFO_DROPS`), the ports that
//! connections take, and the connections between programs of the stack. In between the kernel lists those that are open or listen
//! only, not the closed ones that it keeps for a minute.

mod joints;
mod queues;

use std::collections::{BTreeMap, BTreeSet};
use std::net::{IpAddr, SocketAddr};
use std::ops::RangeInclusive;

use record::{CounterKind, JointFacts, Moment, PortFacts, SocketFacts};
use sockets::{AcceptQueue, Socket, State, connections, held_by, turned_away, unix_queues};

use self::joints::joints;
use self::queues::{Queues, TurnedAway};
use super::Probe;
use super::processes::descendants;
use crate::Seen;
use crate::samples::{Figure, Samples};

/// What is looked at.
pub(super) const LOOKED_AT: [State; 2] = [State::Connected, State::Listens];
/// Sockets beyond which nobody looks on: the kernel writes a message for each.
pub(super) const MOST: usize = 20_000;
/// Sockets up to which it is asked whose they are while the load goes on: each is an open file of some program.
pub(super) const FEW: usize = 2_000;
/// What has a port, when the load is over.
const HAS_PORT: [State; 2] = [State::Connected, State::Kept];
/// Sockets beyond which nobody looks on when the load is over.
const MOST_KEPT: usize = 100_000;

#[derive(Default)]
pub(super) struct Sockets {
    /// The programs of the stack, each by the process that its others descend from.
    programs: Vec<(u32, String)>,
    facts: SocketFacts,
    queues: Queues,
    /// Before the window; none where the system does not tell.
    turned_away: Option<TurnedAway>,
    ports: Option<PortFacts>,
    joints: Vec<JointFacts>,
    /// Whether the system has not told of Unix sockets.
    silent: bool,
}

impl Sockets {
    /// Those of these programs, each with the process that its others descend from, and of all others.
    pub(super) fn of_programs(programs: Vec<(u32, String)>) -> Self {
        Self {
            programs,
            ..Self::default()
        }
    }

    /// Those of the TCP sockets that listen, and of Unix sockets as far as the system tells of them. One that does not is not asked
    /// again: each time it would start a program that looks for a module of the kernel.
    fn accept_queues(&mut self, sockets: &[Socket]) -> Vec<AcceptQueue> {
        let mut queues: Vec<_> = sockets.iter().filter_map(Socket::queue).collect();
        if !self.silent {
            match unix_queues(MOST) {
                Ok(of_unix) => queues.extend(of_unix),
                Err(_) => self.silent = true,
            }
        }
        queues
    }

    /// Of these and those before, the address that most ports are in use to stays.
    fn count_ports(&mut self, sockets: &[Socket]) {
        let now = kernel::local_ports().and_then(|range| ports(sockets, &range));
        let both = [self.ports.take(), now].into_iter().flatten();
        self.ports = both.max_by_key(|of| of.used);
    }
}

impl Probe for Sockets {
    fn name(&self) -> &'static str {
        "sockets"
    }

    fn gap(&self) -> f64 {
        0.5
    }

    fn start(&mut self, _at: Moment, _samples: &mut Samples) {
        self.facts = SocketFacts::default();
        self.ports = None;
        let sockets = listed(&LOOKED_AT, FEW);
        let few = sockets.is_some();
        let now = self.accept_queues(&sockets.unwrap_or_default());
        let owners = if few {
            owners(&self.programs)
        } else {
            BTreeMap::new()
        };
        self.queues.open(now, &owners);
        self.turned_away = turned_away().ok();
    }

    fn sample(&mut self, at: Moment, samples: &mut Samples) {
        let Some(sockets) = listed(&LOOKED_AT, MOST) else {
            return;
        };
        let queues = self.accept_queues(&sockets);
        let unread = |of: &&Socket| of.state == State::Connected && of.unread > 0;
        let unread: Vec<_> = sockets.iter().filter(unread).map(|of| of.local).collect();
        self.queues.look(queues, &unread);
        let own = self.queues.listeners().into_iter();
        let own: BTreeSet<u16> = own.map(|(at, _)| at.port()).collect();
        let now = facts(&sockets, &own);
        self.count_ports(&sockets);
        let mut add = |of: &str, name: &str, value: f64| {
            let figure = Figure::new(of, name, CounterKind::Gauge, "connections");
            samples.add(figure, at, value);
        };
        add("machine", "unacknowledged", now.unacknowledged as f64);
        add("machine", "accept-queue", f64::from(now.waiting));
        for (program, waiting) in self.queues.waiting() {
            add(program, "accept-queue", f64::from(waiting));
        }
        self.facts = SocketFacts {
            looks: self.facts.looks + 1,
            open: self.facts.open + now.open,
            unacknowledged: self.facts.unacknowledged + now.unacknowledged,
            waiting: self.facts.waiting.max(now.waiting),
        };
    }

    /// The load is over: what is open now is idle, but tells what it did, and what was closed has its port still.
    fn stop(&mut self, _at: Moment, _samples: &mut Samples) {
        let owners = owners(&self.programs);
        self.queues.name(&owners);
        if let (Some(before), Ok(now)) = (&self.turned_away, turned_away()) {
            self.queues.count_dropped(before, &now);
        }
        let open = connections(MOST).ok().filter(|of| of.len() <= MOST);
        let open = open.unwrap_or_default();
        self.joints = joints(&open, &owners, &self.queues.listeners());
        self.count_ports(&listed(&HAS_PORT, MOST_KEPT).unwrap_or_default());
    }

    fn tell(self: Box<Self>, seen: &mut Seen) {
        seen.observed.sockets = (self.facts.looks > 0).then_some(self.facts);
        seen.observed.queues = self.queues.told();
        seen.observed.ports = self.ports;
        seen.observed.joints = self.joints;
    }
}

/// Whose sockets are, by their inodes, as far as they are these programs'. Looks at the open files of them all.
pub(super) fn owners(programs: &[(u32, String)]) -> BTreeMap<u64, &str> {
    let mut owners = BTreeMap::new();
    for (root, program) in programs {
        let tree = std::iter::once(*root).chain(descendants(*root));
        let open = tree.flat_map(held_by);
        owners.extend(open.map(|inode| (inode, program.as_str())));
    }
    owners
}

/// TCP's in these states; `None` where the system does not tell, and where there are too many.
pub(super) fn listed(states: &[State], most: usize) -> Option<Vec<Socket>> {
    let sockets = sockets::list(states, most).ok()?;
    (sockets.len() <= most).then_some(sockets)
}

/// Those of the servers that listen at these ports; where it is not known which of the sockets that listen are the stack's, of all.
fn facts(sockets: &[Socket], own: &BTreeSet<u16>) -> SocketFacts {
    let of = |state| sockets.iter().filter(move |of| of.state == state);
    let all: BTreeSet<u16> = of(State::Listens).map(|of| of.local.port()).collect();
    let ports = if own.is_empty() { &all } else { own };
    let servers = |of: &&Socket| ports.contains(&of.local.port());
    let open = of(State::Connected).filter(servers);
    let listen = of(State::Listens).filter(servers);
    SocketFacts {
        looks: 1,
        open: open.clone().count() as u64,
        unacknowledged: open.filter(|of| of.unacknowledged > 0).count() as u64,
        waiting: listen.map(|of| of.unread).max().unwrap_or(0),
    }
}

/// The address to which most ports of the range are in use, each local address having all of them.
fn ports(sockets: &[Socket], range: &RangeInclusive<u16>) -> Option<PortFacts> {
    let mut used: BTreeMap<(IpAddr, SocketAddr), u32> = BTreeMap::new();
    let opens = |of: &&Socket| of.state != State::Listens && range.contains(&of.local.port());
    for of in sockets.iter().filter(opens) {
        *used.entry((of.local.ip(), of.remote)).or_default() += 1;
    }
    let most = used.into_iter().max_by_key(|(_, used)| *used);
    most.map(|((_, to), used)| PortFacts {
        to: to.to_string(),
        used,
        of: range.len() as u32,
    })
}

#[cfg(test)]
mod tests;
