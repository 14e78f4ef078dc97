use std::io;
use std::time::Duration;

/// Bytes of what the calls read and write (`SCHED_ATTR_SIZE_VER0`).
const SIZE: u32 = 48;
const _: () = assert!(size_of::<libc::sched_attr>() == SIZE as usize);

/// Asks for shorter turns on a core for the calling thread, which it then gets sooner: as soon as it wakes, a thread with a longer
/// slice that runs has to make room for it (EEVDF, Linux 6.12; `sched_runtime` of `sched_setattr(2)`). Its share of the core stays
/// what it was, and so does its policy. Older kernels ignore it. The kernel takes one of less than 100 µs or more than 100 ms for the
/// nearest of these; whole seconds are left out.
///
/// # Why this is sound
/// Two system calls that read and write one structure of ours, of the size that they are told.
///
/// # Errors
/// The thread is none of the fair class, or the system does not allow it.
pub fn ask_for_slice(slice: Duration) -> io::Result<()> {
    let mut of = told()?;
    let is_fair = [libc::SCHED_OTHER, libc::SCHED_BATCH]
        .iter()
        .any(|policy| policy.unsigned_abs() == of.sched_policy);
    if !is_fair {
        return Err(io::Error::from(io::ErrorKind::Unsupported));
    }
    of.size = SIZE;
    of.sched_runtime = u64::from(slice.subsec_nanos());
    #[allow(unsafe_code, reason = "no library has this call")]
    // SAFETY: the structure is ours, alive, and of the size that it says; the kernel only reads it. 0 is the calling thread.
    let done = unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const of, 0) };
    if done == -1 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

/// How the calling thread is scheduled.
fn told() -> io::Result<libc::sched_attr> {
    let mut of = libc::sched_attr {
        size: SIZE,
        sched_policy: 0,
        sched_flags: 0,
        sched_nice: 0,
        sched_priority: 0,
        sched_runtime: 0,
        sched_deadline: 0,
        sched_period: 0,
    };
    #[allow(unsafe_code, reason = "no library has this call")]
    // SAFETY: the structure is ours, alive, and of this size; 0 is the calling thread.
    let told = unsafe { libc::syscall(libc::SYS_sched_getattr, 0, &raw mut of, SIZE, 0) };
    if told == -1 {
        return Err(io::Error::last_os_error());
    }
    Ok(of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_has_the_slice_that_it_asks_for_and_is_scheduled_as_before() {
        let asked = std::thread::spawn(|| {
            let before = told().unwrap();
            ask_for_slice(Duration::from_micros(300)).unwrap();
            (before, told().unwrap())
        });
        let (before, now) = asked.join().unwrap();
        assert_eq!(
            (now.sched_policy, now.sched_nice),
            (before.sched_policy, before.sched_nice)
        );
        // older kernels have one slice for all, and tell none
        let known = before.sched_runtime > 0;
        assert_eq!(now.sched_runtime == 300_000, known, "{}", now.sched_runtime);
    }
}
