//! From which local port a connection is opened.
//!
//! The kernel looks for a free one among all, first among the even ones to the last of them. Where most are in use that takes
//! longer than all else that a connection needs: of 19,800 connections to one server, 82 % of the time went there (Linux 6.18).
//! So where there are many connections each search is kept to a few ports, and the next connections to the next few. Where there
//! are not the kernel chooses, which leaves every other port to those who listen.

use std::io;
use std::ops::RangeInclusive;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::io::Errno;
use socket2::{SockAddr, Socket};

/// More connections than this are many.
pub(crate) const MANY: u64 = 1024;
/// Ports of a search.
const FEW: u16 = 64;
/// Connections that search the same ports, before it is the next ones' turn: then half of them are free still.
const EACH: u32 = 32;

/// Begins to connect over TCP, as one of many. Where none of its few ports is free, the kernel looks among all.
pub(crate) fn connect(socket: &Socket, address: &SockAddr) -> io::Result<()> {
    static OPENED: AtomicU32 = AtomicU32::new(0);
    let number = OPENED.fetch_add(1, Ordering::Relaxed);
    match among(local(), std::process::id(), number) {
        Some(few) => connect_from(socket, address, few),
        None => socket.connect(address),
    }
}

fn connect_from(socket: &Socket, address: &SockAddr, few: RangeInclusive<u16>) -> io::Result<()> {
    if kernel::choose_port_among(socket, Some(few)).is_err() {
        return socket.connect(address);
    }
    match socket.connect(address) {
        Err(error) if Errno::from_io_error(&error) == Some(Errno::ADDRNOTAVAIL) => {
            kernel::choose_port_among(socket, None)?;
            socket.connect(address)
        }
        // where nobody listens on a local port, a socket can be connected to itself from there (RFC 9293, section 3.5)
        _ if socket.local_addr()?.as_socket() == address.as_socket() => {
            Err(Errno::CONNREFUSED.into())
        }
        outcome => outcome,
    }
}

/// The machine's local ports, read once.
fn local() -> Option<RangeInclusive<u16>> {
    static LOCAL: OnceLock<Option<RangeInclusive<u16>>> = OnceLock::new();
    LOCAL.get_or_init(kernel::local_ports).clone()
}

/// The ports that a connection with this number is opened from; each process begins elsewhere. None where there are too few
/// for it to matter.
fn among(
    local: Option<RangeInclusive<u16>>,
    process: u32,
    number: u32,
) -> Option<RangeInclusive<u16>> {
    let (first, last) = local?.into_inner();
    let windows = u32::from(last.checked_sub(first)?) / u32::from(FEW);
    if windows < 2 {
        return None;
    }
    let place = process.wrapping_mul(7).wrapping_add(number / EACH) % windows;
    let from = first + place as u16 * FEW;
    Some(from..=from + FEW - 1)
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, SocketAddr};

    use socket2::{Domain, Type};

    use super::*;

    #[test]
    fn connections_take_turns_at_all_ports() {
        let all = 32_768..=60_999;
        let of = |number| among(Some(all.clone()), 5, number).unwrap();
        assert_eq!(of(0), of(EACH - 1));
        assert_eq!(*of(EACH).start(), *of(0).end() + 1);
        let begins: std::collections::BTreeSet<u16> =
            (0..441 * EACH).map(|number| *of(number).start()).collect();
        assert_eq!(begins.len(), 441);
        assert!(
            begins
                .iter()
                .all(|begin| all.contains(begin) && all.contains(&(begin + FEW - 1)))
        );
        assert_eq!(of(441 * EACH), of(0));
    }

    /// A port among the machine's local ones, where nobody listens.
    fn of_nobody() -> SocketAddr {
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        listener.local_addr().unwrap()
    }

    #[test]
    fn nothing_is_connected_to_itself() {
        let address = of_nobody();
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
        let outcome = connect_from(&socket, &address.into(), address.port()..=address.port());
        assert_eq!(
            outcome.unwrap_err().kind(),
            io::ErrorKind::ConnectionRefused
        );
    }

    #[test]
    fn where_no_port_of_the_few_is_free_there_are_the_others() {
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
        connect_from(&socket, &address.into(), address.port()..=address.port()).unwrap();
        assert_ne!(socket.local_addr().unwrap().as_socket(), Some(address));
    }

    #[test]
    fn of_few_ports_or_none_there_are_none_to_choose() {
        assert_eq!(among(Some(40_000..=40_100), 5, 0), None);
        assert_eq!(among(Some(RangeInclusive::new(40_000, 30_000)), 5, 0), None);
        assert_eq!(among(None, 5, 0), None);
    }
}
