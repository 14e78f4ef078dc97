//! What the TCP sockets of servers look like: bytes that wait to be acknowledged, connections that wait to be accepted
//! (`sock_diag(7)`: `idiag_wqueue`, and of a listener `idiag_rqueue`). The kernel lists those that are open or listen only,
//! not the closed ones that it keeps for a minute.

use std::collections::BTreeSet;

use record::{CounterKind, Moment, SocketFacts};
use sockets::{Socket, State};

use super::Probe;
use crate::Seen;
use crate::samples::{Figure, Samples};

/// What is looked at.
const LOOKED_AT: [State; 2] = [State::Connected, State::Listens];
/// Sockets beyond which nobody looks on: the kernel writes a message for each.
const MOST: usize = 20_000;

#[derive(Default)]
pub(super) struct Sockets(SocketFacts);

impl Probe for Sockets {
    fn name(&self) -> &'static str {
        "sockets"
    }

    fn gap(&self) -> f64 {
        0.5
    }

    fn start(&mut self, _at: Moment, _samples: &mut Samples) {
        self.0 = SocketFacts::default();
    }

    fn sample(&mut self, at: Moment, samples: &mut Samples) {
        let Some(now) = look() else { return };
        for (name, value) in [
            ("unacknowledged", now.unacknowledged),
            ("accept-queue", u64::from(now.waiting)),
        ] {
            let figure = Figure::new("machine", name, CounterKind::Gauge, "connections");
            samples.add(figure, at, value as f64);
        }
        self.0 = SocketFacts {
            looks: self.0.looks + 1,
            open: self.0.open + now.open,
            unacknowledged: self.0.unacknowledged + now.unacknowledged,
            waiting: self.0.waiting.max(now.waiting),
        };
    }

    /// The load is over: what is open now is idle.
    fn stop(&mut self, _at: Moment, _samples: &mut Samples) {}

    fn tell(self: Box<Self>, seen: &mut Seen) {
        seen.observed.sockets = (self.0.looks > 0).then_some(self.0);
    }
}

/// One look; `None` where the system does not tell, and where there are too many.
fn look() -> Option<SocketFacts> {
    let sockets = sockets::list(&LOOKED_AT, MOST).ok()?;
    (sockets.len() <= MOST).then(|| facts(&sockets))
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

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::net::{TcpListener, TcpStream};

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
}
