//! What the TCP sockets of servers look like: bytes that wait to be acknowledged, connections that wait to be accepted
//! (`proc(5)`, `/proc/net/tcp`: `tx_queue`, and of a listener `rx_queue`).

use std::collections::BTreeSet;

use procfs::net::{TcpNetEntry, TcpState, tcp, tcp6};
use record::{CounterKind, Moment, SocketFacts};

use super::Probe;
use crate::Seen;
use crate::samples::{Figure, Samples};

/// Sockets beyond which nobody looks: the kernel writes a line for each, and closed ones stay for a minute.
const MOST: u64 = 4_000;

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
    if sockets()? > MOST {
        return None;
    }
    let sockets = tcp().into_iter().chain(tcp6());
    Some(facts(&sockets.flatten().collect::<Vec<_>>()))
}

fn facts(sockets: &[TcpNetEntry]) -> SocketFacts {
    let of = |state: TcpState| sockets.iter().filter(move |of| of.state == state);
    let ports: BTreeSet<u16> = of(TcpState::Listen)
        .map(|of| of.local_address.port())
        .collect();
    let open = of(TcpState::Established).filter(|of| ports.contains(&of.local_address.port()));
    SocketFacts {
        looks: 1,
        open: open.clone().count() as u64,
        unacknowledged: open.filter(|of| of.tx_queue > 0).count() as u64,
        waiting: of(TcpState::Listen)
            .map(|of| of.rx_queue)
            .max()
            .unwrap_or(0),
    }
}

/// Sockets that would be listed, closed ones that the kernel keeps for a while included.
fn sockets() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/net/sockstat").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("TCP:"))?;
    let words: Vec<&str> = line.split_whitespace().collect();
    let counts = words
        .chunks_exact(2)
        .filter(|pair| matches!(pair[0], "inuse" | "tw"));
    counts.map(|pair| pair[1].parse::<u64>().ok()).sum()
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::net::{TcpListener, TcpStream};

    use super::*;

    /// A server that has sent more than the client's kernel takes, and a connection that nobody has accepted.
    #[test]
    fn what_waits_is_seen() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let client = TcpStream::connect(address).unwrap();
        let (mut server, _) = listener.accept().unwrap();
        server.set_nonblocking(true).unwrap();
        let chunk = vec![0; 65_536];
        while server.write(&chunk).is_ok() {}
        let waiting = TcpStream::connect(address).unwrap();
        let own: Vec<TcpNetEntry> = tcp().unwrap();
        let mut own = own;
        own.retain(|of| of.local_address == address);
        let seen = facts(&own);
        // the one that waits has an established socket as well
        assert_eq!(
            (seen.open, seen.unacknowledged, seen.waiting),
            (2, 1, 1),
            "{own:?}"
        );
        drop((client, waiting));
        assert!(sockets().unwrap() >= 1);
    }
}
