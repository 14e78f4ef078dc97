use std::net::{Ipv4Addr, SocketAddr, TcpListener};

/// Loopback addresses with ports that the kernel found free a moment ago, all different.
///
/// Somebody may take one before the server binds it; `start` notices and chooses again.
///
/// # Errors
/// The kernel has none.
pub fn free(count: usize) -> std::io::Result<Vec<SocketAddr>> {
    let held: Vec<_> = (0..count)
        .map(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))
        .collect::<Result<_, _>>()?;
    held.iter().map(TcpListener::local_addr).collect()
}
