//! Open connections, and what TCP knows of them (`INET_DIAG_INFO` of `sock_diag(7)`: `struct tcp_info` of `linux/tcp.h`).

use std::io;
use std::net::SocketAddr;

use netlink_packet_sock_diag::inet::nlas::Nla;
use netlink_packet_sock_diag::inet::{ExtensionFlags, InetResponse, StateFlags};

use crate::diag::of_tcp;

/// Where the structure has what: the bit of `tcpi_delivery_rate_app_limited`, and numbers of 32 bits.
const APP_LIMITED: usize = 7;
const RTT: usize = 68;
const TOTAL_RETRANS: usize = 100;
const DATA_SEGS_OUT: usize = 156;

/// The first bit of a byte, as C has it.
const FIRST: u8 = if cfg!(target_endian = "big") { 128 } else { 1 };

/// One end of an open connection.
#[derive(Clone, Debug, PartialEq)]
pub struct Connection {
    /// Its own address.
    pub local: SocketAddr,
    /// That of the other end.
    pub remote: SocketAddr,
    /// By which a process's open files name it.
    pub inode: u64,
    /// Seconds until a segment is acknowledged, smoothed: what the other end delays that by is among it.
    pub rtt: f64,
    /// Segments with data that it has sent so far; 0 where the system does not tell, as for the next two.
    pub segments: u32,
    /// Segments that it has sent again so far.
    pub retransmitted: u32,
    /// Whether what it sent last was bound by the program, which had no more to send, and not by the network.
    pub app_limited: bool,
}

/// The ends of open connections, as far as there are not more than `most`: then one more than that.
///
/// # Errors
/// The system's, which tells in some containers nothing of its sockets.
pub fn connections(most: usize) -> io::Result<Vec<Connection>> {
    of_tcp(&StateFlags::ESTABLISHED, &ExtensionFlags::INFO, most, told)
}

fn told(of: &InetResponse) -> Connection {
    let id = &of.header.socket_id;
    let info = of.nlas.iter().find_map(|of| match of {
        Nla::TcpInfo(bytes) => Some(bytes.as_slice()),
        _ => None,
    });
    let info = info.unwrap_or_default();
    Connection {
        local: (id.source_address, id.source_port).into(),
        remote: (id.destination_address, id.destination_port).into(),
        inode: of.header.inode.into(),
        rtt: f64::from(number(info, RTT)) / 1e6,
        segments: number(info, DATA_SEGS_OUT),
        retransmitted: number(info, TOTAL_RETRANS),
        app_limited: info.get(APP_LIMITED).is_some_and(|byte| byte & FIRST != 0),
    }
}

/// A number of 32 bits; 0 where an older kernel has none.
fn number(info: &[u8], at: usize) -> u32 {
    let bytes = info.get(at..).and_then(<[u8]>::first_chunk);
    bytes.map_or(0, |bytes| u32::from_ne_bytes(*bytes))
}
