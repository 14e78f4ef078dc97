//! What the TCP sockets of servers look like: bytes that wait to be acknowledged, connections that wait to be accepted
//! (`sock_diag(7)`: `idiag_wqueue`, and of a listener `idiag_rqueue`). The kernel lists those that are open or listen only,
//! not the closed ones that it keeps for a minute.

use std::collections::BTreeSet;
use std::io;

use netlink_packet_core::{
    NLM_F_DUMP, NLM_F_REQUEST, NetlinkHeader, NetlinkMessage, NetlinkPayload,
};
use netlink_packet_sock_diag::SockDiagMessage;
use netlink_packet_sock_diag::constants::{
    AF_INET, AF_INET6, IPPROTO_TCP, TCP_ESTABLISHED, TCP_LISTEN,
};
use netlink_packet_sock_diag::inet::{
    ExtensionFlags, InetRequest, InetResponseHeader, SocketId, StateFlags,
};
use netlink_sys::protocols::NETLINK_SOCK_DIAG;
use netlink_sys::{Socket, SocketAddr};
use record::{CounterKind, Moment, SocketFacts};

use super::Probe;
use crate::Seen;
use crate::samples::{Figure, Samples};

/// Sockets beyond which nobody looks on: the kernel writes a message for each.
const MOST: usize = 20_000;
/// Bytes of what the kernel writes at once, at most (`NLMSG_GOODSIZE` of its dumps).
const MESSAGE: usize = 32_768;

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
    let mut sockets = Vec::new();
    for (family, any) in [
        (AF_INET, SocketId::new_v4()),
        (AF_INET6, SocketId::new_v6()),
    ] {
        list(family, any, &mut sockets).ok()?;
    }
    (sockets.len() <= MOST).then(|| facts(&sockets))
}

/// Adds the TCP sockets of a family that are open or listen, as far as there are not too many.
fn list(family: u8, any: SocketId, sockets: &mut Vec<InetResponseHeader>) -> io::Result<()> {
    let mut socket = Socket::new(NETLINK_SOCK_DIAG)?;
    socket.bind_auto()?;
    socket.connect(&SocketAddr::new(0, 0))?;
    socket.send(&request(family, any), 0)?;
    let mut buffer = vec![0; MESSAGE];
    loop {
        let size = socket.recv(&mut &mut buffer[..], 0)?;
        let mut rest = &buffer[..size.min(MESSAGE)];
        while !rest.is_empty() {
            let message = NetlinkMessage::<SockDiagMessage>::deserialize(rest);
            let message = message.map_err(io::Error::other)?;
            match message.payload {
                NetlinkPayload::InnerMessage(SockDiagMessage::InetResponse(of)) => {
                    sockets.push(of.header);
                }
                NetlinkPayload::Done(_) => return Ok(()),
                NetlinkPayload::Error(error) => return Err(error.to_io()),
                _ => {}
            }
            if sockets.len() > MOST {
                return Ok(());
            }
            // each begins on a boundary of four bytes
            let length = (message.header.length as usize).next_multiple_of(4).max(4);
            rest = rest.get(length..).unwrap_or_default();
        }
    }
}

fn request(family: u8, any: SocketId) -> Vec<u8> {
    let mut header = NetlinkHeader::default();
    header.flags = NLM_F_REQUEST | NLM_F_DUMP;
    let request = InetRequest {
        family,
        protocol: IPPROTO_TCP,
        extensions: ExtensionFlags::empty(),
        states: StateFlags::ESTABLISHED | StateFlags::LISTEN,
        socket_id: any,
    };
    let mut message = NetlinkMessage::new(header, SockDiagMessage::InetRequest(request).into());
    message.finalize();
    let mut bytes = vec![0; message.buffer_len()];
    message.serialize(&mut bytes);
    bytes
}

fn facts(sockets: &[InetResponseHeader]) -> SocketFacts {
    let of = |state: u8| sockets.iter().filter(move |of| of.state == state);
    let ports: BTreeSet<u16> = of(TCP_LISTEN).map(|of| of.socket_id.source_port).collect();
    let open = of(TCP_ESTABLISHED).filter(|of| ports.contains(&of.socket_id.source_port));
    SocketFacts {
        looks: 1,
        open: open.clone().count() as u64,
        unacknowledged: open.filter(|of| of.send_queue > 0).count() as u64,
        waiting: of(TCP_LISTEN).map(|of| of.recv_queue).max().unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::net::{TcpListener, TcpStream};

    use super::*;

    fn sockets() -> Vec<InetResponseHeader> {
        let mut sockets = Vec::new();
        list(AF_INET, SocketId::new_v4(), &mut sockets).unwrap();
        list(AF_INET6, SocketId::new_v6(), &mut sockets).unwrap();
        sockets
    }

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
            let mut own = sockets();
            own.retain(|of| of.socket_id.source_port == address.port());
            let seen = facts(&own);
            // the one that waits has an established socket as well
            let told = (seen.open, seen.unacknowledged, seen.waiting);
            assert_eq!(told, (2, 1, 1), "{own:?}");
            drop((client, waiting));
        }
    }

    /// More sockets than one message of the kernel's holds, and closed ones that it keeps.
    #[test]
    fn many_are_listed_and_closed_ones_are_not() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let pair = |_| {
            (
                TcpStream::connect(address).unwrap(),
                listener.accept().unwrap(),
            )
        };
        let mut open: Vec<_> = (0..300).map(pair).collect();
        open.drain(..100);
        let of_port = |of: &&InetResponseHeader| of.socket_id.source_port == address.port();
        assert_eq!(sockets().iter().filter(of_port).count(), 1 + 200);
        assert!(look().is_some());
    }
}
