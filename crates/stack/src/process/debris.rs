use std::path::PathBuf;
use std::time::SystemTime;

use procfs::process::{MMapPath, Process};

/// Where named shared memory lies. It outlives its makers: who is killed cannot remove it.
const SHARED_MEMORY: &str = "/dev/shm";

/// Named shared memory that a process uses and that was made since then.
pub(crate) fn shared_memory(pid: u32, since: SystemTime) -> Vec<PathBuf> {
    let maps = Process::new(pid.cast_signed()).and_then(|process| process.maps());
    let maps = maps.into_iter().flatten();
    let made_since = |path: &PathBuf| {
        let file = path.metadata();
        let made = file.and_then(|file| file.created().or_else(|_| file.modified()));
        made.is_ok_and(|made| made >= since)
    };
    maps.filter_map(|map| match map.pathname {
        MMapPath::Path(path) if path.starts_with(SHARED_MEMORY) => Some(path),
        _ => None,
    })
    .filter(made_since)
    .collect()
}
