use std::fs;
use std::ops::RangeInclusive;

use rustix::process::{Resource, getrlimit};

/// Descriptors that a thread may need beside its connections: its event loop, its timer, its standard streams, and room for
/// what it opens in passing.
pub const BESIDE_CONNECTIONS: u64 = 16;

/// Open descriptors that are presumed where the system does not tell: the standard streams, and what is opened in passing.
const PRESUMED: u64 = 16;

/// The ports of this machine that connections are opened from (`net.ipv4.ip_local_port_range`, which IPv6 has too); none where
/// the system does not tell.
pub fn local_ports() -> Option<RangeInclusive<u16>> {
    let text = fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range").ok()?;
    let mut bounds = text.split_whitespace().map(str::parse);
    Some(bounds.next()?.ok()?..=bounds.next()?.ok()?)
}

/// Most descriptors that the process may have open (`ulimit -n`); `u64::MAX` where there is no limit.
pub fn descriptor_limit() -> u64 {
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}

/// How many descriptors the process has open, and one more, by which they are counted; 16 where the system does not tell.
pub fn open_descriptors() -> u64 {
    fs::read_dir("/proc/self/fd").map_or(PRESUMED, |open| open.count() as u64)
}
