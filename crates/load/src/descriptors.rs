use kernel::{BESIDE_CONNECTIONS, beside_probes, descriptor_limit};
use record::{Fault, Load};

use crate::{LoadError, Result};

/// Whose file table the workers' descriptors are in. The limit is one per table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tables {
    /// The process's, where there is room for all of them.
    Shared,
    /// One for each worker.
    Own,
}

/// How many workers it takes at least to hold so many connections.
fn workers_for(connections: u32) -> u32 {
    let each = descriptor_limit().saturating_sub(BESIDE_CONNECTIONS).max(1);
    u64::from(connections).div_ceil(each) as u32
}

/// How many worker threads a load has on so many cores: as many as it asks for, or one per core and as
/// many as it takes to hold all connections, and never more than connections.
pub fn threads(load: &Load, cores: u32) -> u32 {
    let wanted = if load.threads == 0 {
        cores.max(workers_for(load.connections))
    } else {
        load.threads
    };
    wanted.clamp(1, load.connections.max(1))
}

/// Where a load's connections can be opened, beside those that its faults open in the caller's thread. It is an error if that
/// thread cannot hold these: what is looked at meanwhile needs descriptors, too.
pub(crate) fn of_load(load: &Load, threads: u32) -> Result<Tables> {
    let faults = load.faults.iter().map(Fault::connections);
    let faults = faults.fold(0, u32::saturating_add);
    let wanted = beside_probes(u64::from(faults) + BESIDE_CONNECTIONS);
    let needed = kernel::open_descriptors() + wanted;
    let limit = descriptor_limit();
    if faults > 0 && needed > limit {
        return Err(LoadError::Descriptors {
            connections: faults,
            needed,
            limit,
        });
    }
    check(load.connections.saturating_add(faults), threads)
}

/// Where so many connections can be opened. It is an error if nowhere: raising the limit here would
/// raise it for the servers that are started later, too.
pub(crate) fn check(connections: u32, threads: u32) -> Result<Tables> {
    let open = kernel::open_descriptors();
    let (connections, threads) = (u64::from(connections), u64::from(threads));
    let limit = descriptor_limit();
    if open + beside_probes(connections + BESIDE_CONNECTIONS * threads) <= limit {
        return Ok(Tables::Shared);
    }
    let needed = connections.div_ceil(threads) + BESIDE_CONNECTIONS;
    if needed <= limit {
        return Ok(Tables::Own);
    }
    Err(LoadError::Descriptors {
        connections: connections as u32,
        needed,
        limit,
    })
}
