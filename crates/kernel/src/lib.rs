//! What the kernel offers and no library offers safely: the one place with `unsafe`. And what more than one crate asks it: which
//! ports there are, how many descriptors are open, and how many may be.
//!
//! Everywhere else in the workspace `unsafe` is forbidden. Each function here says what it rests
//! on, and what its caller has to keep to.

mod file_table;
mod leash;
mod network;
mod packets;
mod prefetch;
mod ring;
mod room;
mod slice;
mod source;
mod tcp;

pub use file_table::own_file_table;
pub use leash::kill_group_at_close;
pub use network::OwnNetwork;
pub use packets::{Packet, Packets};
pub use prefetch::prefetch;
pub use ring::{Ended, Ring, Text};
pub use room::{
    BESIDE_CONNECTIONS, beside_probes, descriptor_limit, for_probes, local_ports, open_descriptors,
};
pub use slice::ask_for_slice;
pub use source::{bind_without_port, choose_port_among};
pub use tcp::{TcpInfo, tcp_info};
