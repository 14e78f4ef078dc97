use rustix::process::{Resource, getrlimit};

use crate::LoadError;

/// Whether this process may open that many connections. It is an error if not:
/// raising the limit here would raise it for the servers that are started later, too.
pub(crate) fn check(connections: u32, threads: u32) -> Result<(), LoadError> {
    let open = std::fs::read_dir("/proc/self/fd").map_or(16, |fds| fds.count() as u64);
    let needed = open + u64::from(connections) + 3 * u64::from(threads) + 8;
    match getrlimit(Resource::Nofile).current {
        Some(limit) if limit < needed => Err(LoadError::Descriptors {
            connections,
            needed,
            limit,
        }),
        _ => Ok(()),
    }
}
