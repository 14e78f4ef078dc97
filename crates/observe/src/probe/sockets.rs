//! What the sockets of servers look like: bytes that wait to be acknowledged or to be read, connections that wait to be accepted
//! (`sock_diag(7)`: `idiag_wqueue` and `idiag_rqueue`) or that a listener turned away (`SK_MEMINFO_DROPS`), the ports that
//! connections take, and the connections between programs of the stack. Those that listen the kernel has in a table of their own. To
//! list those that are open it passes over the closed ones that it keeps for a minute, which may be tens of thousands: that is
//! dear, and done apart.

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

/// What there may be many of, each an open file of some program.
pub(super) const LOOKED_AT: [State; 2] = [State::Connected, State::Listens];
/// Sockets beyond which nobody looks on: the kernel writes a message for each.
pub(super) const MOST: usize = 20_000;
/// Sockets up to which it is asked whose they are while the load goes on.
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
}

impl Sockets {
    /// Those of these programs, each with the process that its others descend from, and of all others.
    pub(super) fn of_programs(programs: Vec<(u32, String)>) -> Self {
        Self {
            programs,
            ..Self::default()
        }
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

    fn dear(&self) -> Option<&'static str> {
        Some("connections")
    }

    fn start(&mut self, _at: Moment, _samples: &mut Samples) {
        self.facts = SocketFacts::default();
        self.ports = None;
        self.joints.clear();
        let few = listed(&LOOKED_AT, FEW).is_some();
        let owners = if few {
            owners(&self.programs)
        } else {
            BTreeMap::new()
        };
        self.queues
            .open(accept_queues().unwrap_or_default(), &owners);
        self.turned_away = turned_away().ok();
    }

    /// Who listens, and what waits there.
    fn sample(&mut self, at: Moment, samples: &mut Samples) {
        let Some(now) = accept_queues() else { return };
        self.queues.look(now);
        let longest = self.queues.longest();
        self.facts.waiting = self.facts.waiting.max(longest);
        *self.facts.queue_looks.get_or_insert(0) += 1;
        let mut add = |of: &str, waiting: u32| {
            let figure = Figure::new(of, "accept-queue", CounterKind::Gauge, "connections");
            samples.add(figure, at, f64::from(waiting));
        };
        add("machine", longest);
        for (program, waiting) in self.queues.waiting() {
            add(program, waiting);
        }
    }

    /// What is open.
    fn sample_dear(&mut self, at: Moment, samples: &mut Samples) {
        let Some(sockets) = listed(&[State::Connected], MOST) else {
            return;
        };
        self.queues.count_open(&sockets);
        self.count_ports(&sockets);
        let [open, unacknowledged] = of_servers(&sockets, &self.queues.ports());
        let (kind, unit) = (CounterKind::Gauge, "connections");
        let figure = Figure::new("machine", "unacknowledged", kind, unit);
        samples.add(figure, at, unacknowledged as f64);
        self.facts.looks += 1;
        self.facts.open += open;
        self.facts.unacknowledged += unacknowledged;
    }

    /// The load is over: what is open now is idle, but tells what it did, and what was closed has its port still.
    fn stop(&mut self, _at: Moment, _samples: &mut Samples) {
        let owners = owners(&self.programs);
        self.queues.name(&owners);
        if let (Some(before), Ok(now)) = (&self.turned_away, turned_away()) {
            self.queues.count_dropped(before, &now);
        }
        // what one program opens leads to no other
        if self.programs.len() > 1 {
            let open = connections(MOST).ok().filter(|of| of.len() <= MOST);
            let open = open.unwrap_or_default();
            self.joints = joints(&open, &owners, &self.queues.listeners());
        }
        self.count_ports(&listed(&HAS_PORT, MOST_KEPT).unwrap_or_default());
    }

    fn tell(self: Box<Self>, seen: &mut Seen) {
        let looked = self.facts != SocketFacts::default();
        seen.observed.sockets = looked.then_some(self.facts);
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

/// The accept queues of TCP sockets and, as far as the system tells of these, of Unix sockets; `None` where it does not tell of
/// TCP's, and where there are too many.
fn accept_queues() -> Option<Vec<AcceptQueue>> {
    let listen = listed(&[State::Listens], MOST)?;
    let over_tcp = listen.iter().filter_map(Socket::queue);
    let over_unix = unix_queues(MOST).unwrap_or_default();
    Some(over_tcp.chain(over_unix).collect())
}

/// How many of these open connections are of servers, which listen at these ports, and how many of those have sent bytes that are not
/// acknowledged, or have some that they could not send.
fn of_servers(open: &[Socket], ports: &BTreeSet<u16>) -> [u64; 2] {
    let servers = open.iter().filter(|of| ports.contains(&of.local.port()));
    let held = servers.clone().filter(|of| of.unacknowledged > 0);
    [servers.count() as u64, held.count() as u64]
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
