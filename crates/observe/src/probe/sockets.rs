//! What the sockets of servers look like: bytes that wait to be acknowledged, connections that wait to be accepted
//! (`sock_diag(7)`: `idiag_wqueue`, and of a listener `idiag_rqueue`), the ports that connections take, and the connections between
//! programs of the stack. In between the kernel lists those that are open or listen only, not the closed ones that it keeps for a
//! minute.

mod joints;
mod queues;

use std::collections::{BTreeMap, BTreeSet};
use std::net::{IpAddr, SocketAddr};
use std::ops::RangeInclusive;

use record::{CounterKind, JointFacts, Moment, PortFacts, SocketFacts};
use sockets::{AcceptQueue, Socket, State, connections, held_by, unix_queues};

use self::joints::joints;
use self::queues::Queues;
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
    }

    fn sample(&mut self, at: Moment, samples: &mut Samples) {
        let Some(sockets) = listed(&LOOKED_AT, MOST) else {
            return;
        };
        let now = facts(&sockets);
        let queues = self.accept_queues(&sockets);
        self.queues.look(queues);
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

fn facts(sockets: &[Socket]) -> SocketFacts {
    let of = |state| sockets.iter().filter(move |of| of.state == state);
    let ports: BTreeSet<u16> = of(State::Listens).map(|of| of.local.port()).collect();
    let open = of(State::Connected).filter(|of| ports.contains(&of.local.port()));
    SocketFacts {
        looks: 1,
        open: open.clone().count() as u64,
        unacknowledged: open.filter(|of| of.unacknowledged > 0).count() as u64,
        waiting: of(State::Listens).map(|of| of.unread).max().unwrap_or(0),
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
mod tests {
    use std::io::Write as _;
    use std::net::{TcpListener, TcpStream};
    use std::os::unix::net::{UnixListener, UnixStream};
    use std::time::Duration;

    use record::QueueFacts;
    use socket2::SockRef;
    use testkit::eventually;

    use super::*;

    /// A server that has sent more than the client's kernel takes, and a connection that nobody has accepted.
    #[test]
    fn what_waits_is_seen() {
        for at in ["127.0.0.1:0", "[::1]:0"] {
            let listener = TcpListener::bind(at).unwrap();
            let address = listener.local_addr().unwrap();
            let client = TcpStream::connect(address).unwrap();
            let (mut server, _) = listener.accept().unwrap();
            server.set_nonblocking(true).unwrap();
            let chunk = vec![0; 65_536];
            while server.write(&chunk).is_ok() {}
            let waiting = TcpStream::connect(address).unwrap();
            let mut own = sockets::list(&LOOKED_AT, MOST).unwrap();
            own.retain(|of| of.local.port() == address.port());
            let seen = facts(&own);
            // the one that waits has an established socket as well
            let told = (seen.open, seen.unacknowledged, seen.waiting);
            assert_eq!(told, (2, 1, 1), "{own:?}");
            drop((client, waiting));
        }
    }

    #[test]
    fn a_full_queue_is_told_with_its_program_and_its_room() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("app.sock");
        let over_tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        let over_unix = UnixListener::bind(&path).unwrap();
        SockRef::from(&over_tcp).listen(1).unwrap();
        SockRef::from(&over_unix).listen(1).unwrap();
        let address = over_tcp.local_addr().unwrap();
        let programs = vec![(std::process::id(), "own".to_owned())];
        let (mut probe, mut samples) = (Sockets::of_programs(programs), Samples::default());
        probe.start(Moment::now(), &mut samples);
        // one that waits, and the one more that Linux lets in
        let tcp = [(); 2].map(|()| TcpStream::connect(address).unwrap());
        let unix = [(); 2].map(|()| UnixStream::connect(&path).unwrap());
        let places = [address.to_string(), path.to_string_lossy().into_owned()];
        let seen = eventually(Duration::from_secs(10), || {
            probe.queues.name(&owners(&probe.programs));
            probe.sample(Moment::now(), &mut samples);
            let told = probe.queues.told();
            let full = |of: &QueueFacts| (of.waiting, of.room) == (2, 1);
            let mut places = places.iter();
            places.all(|place| told.iter().any(|of| of.address == *place && full(of)))
        });
        assert!(seen, "{places:?}");
        probe.stop(Moment::now(), &mut samples);
        let mut seen = Seen::default();
        Box::new(probe).tell(&mut seen);
        for place in &places {
            let told = seen.observed.queues.iter().find(|of| of.address == *place);
            let QueueFacts { program, full, .. } = told.unwrap();
            assert_eq!((program.as_str(), *full > 0), ("own", true), "{told:?}");
        }
        let series = samples.series(Moment::now());
        let own = series.iter().find(|of| of.of == "own").unwrap();
        assert_eq!(own.name, "accept-queue");
        assert!(own.values.iter().any(|waiting| *waiting >= 2.0), "{own:?}");
        drop((tcp, unix));
    }

    #[test]
    fn ports_in_use_are_counted_by_where_their_connections_lead() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let connect = |_| TcpStream::connect(address).unwrap();
        // whoever opened them closes them first
        let closed: Vec<_> = (0..5).map(connect).collect();
        drop(closed);
        for _ in 0..5 {
            drop(listener.accept().unwrap());
        }
        let open: Vec<_> = (0..2).map(connect).collect();
        let range = kernel::local_ports().unwrap();
        let wanted = PortFacts {
            to: address.to_string(),
            used: 7,
            of: range.len() as u32,
        };
        let seen = eventually(Duration::from_secs(10), || {
            let mut own = listed(&HAS_PORT, MOST_KEPT).unwrap_or_default();
            own.retain(|of| [of.local.port(), of.remote.port()].contains(&address.port()));
            ports(&own, &range) == Some(wanted.clone())
        });
        assert!(seen, "{wanted:?}");
        drop(open);
    }
}
