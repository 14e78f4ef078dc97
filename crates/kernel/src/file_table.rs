use std::io;

/// Gives the calling thread a file table of its own, which holds nothing but the three standard
/// streams. The limit on open descriptors (`RLIMIT_NOFILE`) is one per table: each thread may then
/// open as many as the whole process could before.
///
/// Call it as the first thing that a thread does. From then on a descriptor's number means one file
/// in this thread, and another file, or none, in the others. So:
///
/// * the thread must hold no descriptor yet: none may be captured by the closure that it runs;
/// * no descriptor may leave it or reach it afterwards, neither as a value that owns one (a socket,
///   a file, a waker, a poll) nor borrowed. Channels, atomics and futexes have none;
/// * threads that it starts share its table; processes that it starts inherit from it.
///
/// Nothing else is needed at the end: the kernel closes what a table holds when the last thread that
/// uses it is gone. And nothing lingers: the descriptors of the other threads are not even copied,
/// so that a socket or a pipe that they close is closed, and its peer sees the end.
///
/// # Why this is sound
/// One system call, `close_range(3, MAX, CLOSE_RANGE_UNSHARE)` (`close_range(2)`, Linux 5.9), which
/// touches no memory of ours. What it can break is that a number of a descriptor means its file for
/// as long as it is owned; that cannot break in a thread which keeps to the rules above, and other
/// threads' tables stay as they are. The compiler cannot hold a caller to these rules; that no main
/// thread calls it, whose descriptors belong to everybody, is checked here.
///
/// # Errors
/// The caller is the process's main thread, or the kernel is older than 5.9 or has no memory.
/// The thread goes on with the table that it had.
pub fn own_file_table() -> io::Result<()> {
    if rustix::thread::gettid() == rustix::process::getpid() {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "the main thread cannot leave the process's file table",
        ));
    }
    let (first, last, flags) = (3_u32, u32::MAX, libc::CLOSE_RANGE_UNSHARE);
    #[allow(
        unsafe_code,
        reason = "no library has a safe wrapper, since callers must keep descriptors apart"
    )]
    // SAFETY: the arguments are three integers, as the system call takes them. The descriptors that
    // are closed are closed in a table which the calling thread alone uses, and it owns none of
    // them: it has just begun, by this function's rules.
    let outcome = unsafe { libc::syscall(libc::SYS_close_range, first, last, flags) };
    if outcome == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}
