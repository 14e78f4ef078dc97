use std::io;
use std::os::fd::{AsFd, AsRawFd as _};

use rustix::process::Pid;

/// The same on every architecture (`asm-generic/fcntl.h`).
const F_SETSIG: libc::c_int = 10;

/// Has the kernel kill a process group as soon as the last writing end of this pipe is closed, however the process
/// that had it ended: `SIGKILL` takes the place of the signal that tells of a pipe's readiness (`F_SETSIG`,
/// `F_SETOWN`, `O_ASYNC`, `fcntl(2)`).
///
/// It holds for as long as somebody has the reading end open: the group itself should, by inheriting it. Nothing may
/// be written to the pipe.
///
/// A signal at the death of the parent (`PR_SET_PDEATHSIG`) would reach the first process of the group alone, and none
/// that changed its user.
///
/// # Why this is sound
/// Three system calls that take integers and touch no memory of ours.
///
/// # Errors
/// The descriptor is none of a pipe, or there is no such group.
pub fn kill_group_at_close(reading: impl AsFd, group: Pid) -> io::Result<()> {
    let descriptor = reading.as_fd().as_raw_fd();
    let group = -group.as_raw_nonzero().get();
    for (command, value) in [
        (F_SETSIG, libc::SIGKILL),
        (libc::F_SETOWN, group),
        (libc::F_SETFL, libc::O_ASYNC),
    ] {
        #[allow(unsafe_code, reason = "no library has these commands of fcntl")]
        // SAFETY: the descriptor is borrowed and so open, and the commands take an integer each.
        let outcome = unsafe { libc::fcntl(descriptor, command, value) };
        if outcome == -1 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}
