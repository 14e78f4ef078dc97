use std::io;
use std::net::{IpAddr, SocketAddr};
use std::ops::RangeInclusive;
use std::os::fd::{AsFd, AsRawFd as _};

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

/// Has the kernel choose a TCP socket's port among these when it connects; among all of the machine's local ports again
/// where none are named (`IP_LOCAL_PORT_RANGE`, Linux 6.3, `ip(7)`).
///
/// # Errors
/// The kernel does not know the option.
pub fn choose_port_among(socket: impl AsFd, ports: Option<RangeInclusive<u16>>) -> io::Result<()> {
    const IP_LOCAL_PORT_RANGE: libc::c_int = 51;
    const BYTES: libc::socklen_t = 4;
    let bounds: u32 = ports.map_or(0, |ports| {
        u32::from(*ports.start()) | u32::from(*ports.end()) << 16
    });
    #[allow(unsafe_code, reason = "no library has this option")]
    // SAFETY: the kernel reads four bytes of a number that lives until the call returns.
    let outcome = unsafe {
        libc::setsockopt(
            socket.as_fd().as_raw_fd(),
            libc::IPPROTO_IP,
            IP_LOCAL_PORT_RANGE,
            std::ptr::from_ref(&bounds).cast(),
            BYTES,
        )
    };
    if outcome == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}
