use procfs::process::{FDTarget, Process};

/// Inodes of the sockets that a process has open; none where it is gone, or another user's.
pub fn held_by(pid: u32) -> impl Iterator<Item = u64> {
    let open = Process::new(pid.cast_signed()).and_then(|process| process.fd());
    let open = open.into_iter().flatten().flatten();
    open.filter_map(|descriptor| match descriptor.target {
        FDTarget::Socket(inode) => Some(inode),
        _ => None,
    })
}
