use std::fs;
use std::ops::RangeInclusive;

use rustix::process::{Resource, getrlimit};

/// Descriptors that a thread may need beside its connections: its event loop, its timer, its standard streams, and room for
/// what it opens in passing.
pub const BESIDE_CONNECTIONS: u64 = 16;

/// Most descriptors that probes keep open while a load runs.
const FOR_PROBES: u64 = 128;

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

/// Descriptors that the probes of a load may keep open while it runs, of so many that are free: a sixteenth of them, as several
/// loads may take turns, and 128 at most.
pub fn for_probes(free: u64) -> u64 {
    (free / 16).min(FOR_PROBES)
}

/// How many descriptors have to be free for so many, if probes may keep theirs open, too.
pub fn beside_probes(wanted: u64) -> u64 {
    wanted.saturating_add(wanted.div_ceil(15).min(FOR_PROBES))
}

/// How many descriptors the process has open, and one more, by which they are counted; 16 where the system does not tell.
pub fn open_descriptors() -> u64 {
    fs::read_dir("/proc/self/fd").map_or(PRESUMED, |open| open.count() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_probes_keep_open_leaves_what_is_wanted() {
        for wanted in [0, 1, 15, 16, 100, 1_919, 1_920, 1_921, 100_000] {
            let free = beside_probes(wanted);
            assert!(free - for_probes(free) >= wanted, "{wanted} of {free}");
        }
        assert_eq!(for_probes(u64::MAX), FOR_PROBES);
        assert_eq!(beside_probes(u64::MAX), u64::MAX);
    }
}
