//! A network in which the origin has a name, that is looked up as any other.

use std::io;
use std::net::UdpSocket;

use client::{NAME_PORT, NameServer, name_servers};
use kernel::OwnNetwork;
use record::Lookups;

/// Where a resolver reads whom to ask.
const RESOLVER: &str = "/etc/resolv.conf";

/// A network of this thread's own, with a name server at each address where programs of this machine ask.
#[derive(Debug)]
pub(crate) struct Named {
    server: NameServer,
    /// Left when all else is gone.
    _network: OwnNetwork,
}

impl Named {
    /// Enters such a network: what this thread starts from now on, and opens, is in it.
    ///
    /// # Errors
    /// weir may not make networks, or an address of `/etc/resolv.conf` cannot be had.
    pub(crate) fn start() -> io::Result<Self> {
        // without one a resolver asks this machine
        let configuration = std::fs::read_to_string(RESOLVER).unwrap_or_default();
        let network = OwnNetwork::enter()?;
        let mut sockets = Vec::new();
        for address in name_servers(&configuration) {
            if !address.is_loopback() {
                network.take_in(address)?;
            }
            sockets.push(UdpSocket::bind((address, NAME_PORT))?);
        }
        Ok(Self {
            server: NameServer::start(sockets)?,
            _network: network,
        })
    }

    /// How often the name was looked up.
    pub(crate) fn end(self) -> Lookups {
        self.server.end()
    }
}

/// Whether weir may give the origin a name.
///
/// # Errors
/// It may not make networks (`CAP_SYS_ADMIN` is needed).
pub fn may_name() -> io::Result<()> {
    OwnNetwork::enter().map(drop)
}
