//! Which of a host's addresses is loaded: the first at which something listens.

use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// Longest time for one address to accept a connection.
const PATIENCE: Duration = Duration::from_secs(1);

/// Most addresses that are tried: a name of many is a service's, all of which serve.
const MOST: usize = 8;

/// The first of these addresses that accepts a connection, or else the first. One alone is not tried.
pub(super) fn first_to_accept(all: &[SocketAddr]) -> Option<SocketAddr> {
    let (first, others) = all.split_first()?;
    if others.is_empty() {
        return Some(*first);
    }
    let mut tried = all.iter().take(MOST);
    let found = tried.find(|address| TcpStream::connect_timeout(address, PATIENCE).is_ok());
    Some(*found.unwrap_or(first))
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;
    use std::net::{Ipv4Addr, TcpListener};

    use super::*;

    fn listener() -> (TcpListener, SocketAddr) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        listener.set_nonblocking(true).unwrap();
        (listener, address)
    }

    /// An address that refuses: another one of this machine's own, with a port that is taken on the first.
    fn refusing(port: u16) -> SocketAddr {
        ([127, 0, 0, 2], port).into()
    }

    #[test]
    fn the_first_that_accepts_is_taken_and_else_the_first() {
        let (_listener, open) = listener();
        let closed = refusing(open.port());
        assert_eq!(first_to_accept(&[closed, open]), Some(open));
        assert_eq!(first_to_accept(&[open, closed]), Some(open));
        let other = ([127, 0, 0, 3], open.port()).into();
        assert_eq!(first_to_accept(&[closed, other]), Some(closed));
        assert_eq!(first_to_accept(&[]), None);
    }

    #[test]
    fn one_alone_is_not_connected_to() {
        let (listener, open) = listener();
        assert_eq!(first_to_accept(&[open]), Some(open));
        let error = listener.accept().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::WouldBlock);
    }
}
