use record::Load;
use rustix::process::{Resource, getrlimit};

use crate::{LoadError, Result};

/// Descriptors that a worker needs beside its connections: its event loop, its timer, its standard
/// streams, and room for what it opens in passing.
const BESIDE: u64 = 16;

/// Whose file table the workers' descriptors are in. The limit is one per table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tables {
    /// The process's, where there is room for all of them.
    Shared,
    /// One for each worker.
    Own,
}

fn limit() -> u64 {
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}

/// How many workers it takes at least to hold so many connections.
fn workers_for(connections: u32) -> u32 {
    let each = limit().saturating_sub(BESIDE).max(1);
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

/// Where so many connections can be opened. It is an error if nowhere: raising the limit here would
/// raise it for the servers that are started later, too.
pub(crate) fn check(connections: u32, threads: u32) -> Result<Tables> {
    let open = kernel::open_descriptors();
    let (connections, threads) = (u64::from(connections), u64::from(threads));
    let limit = limit();
    if open + connections + BESIDE * threads <= limit {
        return Ok(Tables::Shared);
    }
    let needed = connections.div_ceil(threads) + BESIDE;
    if needed <= limit {
        return Ok(Tables::Own);
    }
    Err(LoadError::Descriptors {
        connections: connections as u32,
        needed,
        limit,
    })
}
