use std::io;
use std::net::{IpAddr, SocketAddr};
use std::os::fd::AsFd;

use nix::sys::socket::{setsockopt, sockopt::IpBindAddressNoPort};

/// Binds a socket, before it is connected, to one of this machine's addresses, and leaves its port
/// to the moment when it connects.
///
/// A port chosen at `bind` must be free on its address altogether, one chosen at `connect` only
/// together with the destination (`IP_BIND_ADDRESS_NO_PORT`, `ip(7)`). So each source address has all
/// of the machine's local ports (28,232 where nobody changed `ip_local_port_range`) for each
/// destination, and all of 127.0.0.0/8 are source addresses over loopback.
///
/// # Errors
/// The address is not one of this machine's, or the socket is bound already.
pub fn bind_without_port(socket: impl AsFd, address: IpAddr) -> io::Result<()> {
    setsockopt(&socket, IpBindAddressNoPort, &true)?;
    rustix::net::bind(socket, &SocketAddr::new(address, 0))?;
    Ok(())
}
