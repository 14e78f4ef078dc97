//! What a thread does, asked of the kernel.

use std::fs;

use libc::c_long;
use record::Doing;

/// System calls that wait.
struct Calls {
    /// For another thread.
    futex: &'static [c_long],
    /// For sockets only: `recv`, `accept`, `connect`, `poll` and the like.
    sockets: &'static [c_long],
    /// For one of so many descriptors, or for a time if there are none: `select`.
    select: &'static [c_long],
    /// For whatever the descriptor is of: `read`, `write`.
    descriptor: &'static [c_long],
    /// For files only: `fsync`, `open`, `flock`.
    files: &'static [c_long],
    /// For children.
    children: &'static [c_long],
    /// For a time.
    sleeps: &'static [c_long],
}

const CALLS: Calls = Calls {
    futex: &[libc::SYS_futex, libc::SYS_futex_waitv],
    sockets: &[
        #[cfg(target_arch = "x86_64")]
        libc::SYS_poll,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_epoll_wait,
        libc::SYS_ppoll,
        libc::SYS_epoll_pwait,
        libc::SYS_epoll_pwait2,
        libc::SYS_connect,
        libc::SYS_accept,
        libc::SYS_accept4,
        libc::SYS_sendto,
        libc::SYS_sendmsg,
        libc::SYS_recvfrom,
        libc::SYS_recvmsg,
        libc::SYS_recvmmsg,
    ],
    select: &[
        #[cfg(target_arch = "x86_64")]
        libc::SYS_select,
        libc::SYS_pselect6,
    ],
    descriptor: &[
        libc::SYS_read,
        libc::SYS_write,
        libc::SYS_pread64,
        libc::SYS_pwrite64,
        libc::SYS_readv,
        libc::SYS_writev,
    ],
    files: &[
        #[cfg(target_arch = "x86_64")]
        libc::SYS_open,
        libc::SYS_openat,
        libc::SYS_flock,
        libc::SYS_fsync,
        libc::SYS_fdatasync,
    ],
    children: &[libc::SYS_wait4, libc::SYS_waitid],
    sleeps: &[libc::SYS_nanosleep, libc::SYS_clock_nanosleep],
};

/// Parts of the names of the kernel's functions in which threads wait; the first that is found counts.
const PLACES: [(&[&str], Doing); 5] = [
    (&["futex"], Doing::WaitsForThread),
    (&["nanosleep"], Doing::Sleeps),
    (
        &[
            "poll",
            "do_select",
            "accept",
            "connect",
            "sk_wait",
            "sk_stream",
            "skb_wait",
            "unix_stream",
        ],
        Doing::WaitsForSocket,
    ),
    (
        &["lock_inode", "lock_file", "folio_wait", "jbd2", "fsync"],
        Doing::WaitsForFile,
    ),
    (&["do_wait"], Doing::WaitsForChild),
];

/// The threads of a process, by their numbers.
pub(crate) fn numbers(pid: u32) -> impl Iterator<Item = u64> {
    let threads = fs::read_dir(format!("/proc/{pid}/task"));
    let threads = threads.into_iter().flatten();
    threads.filter_map(|of| of.ok()?.file_name().to_str()?.parse().ok())
}

/// What a thread does, as far as the kernel tells: `None` where it is gone. `is_lock` says of an address at which it waits for
/// another thread whether the interpreter lock is there.
///
/// Its system call is told to those who might debug the process. To others the kernel names the function in which it waits.
pub(crate) fn doing(pid: u32, thread: u64, is_lock: impl Fn(u64) -> bool) -> Option<Doing> {
    let of = format!("/proc/{pid}/task/{thread}");
    // `running`, or the number of a system call, its arguments, and two registers
    let doing = match fs::read_to_string(format!("{of}/syscall")) {
        Ok(call) => in_call(&call, is_lock, |number| {
            let link = fs::read_link(format!("/proc/{pid}/fd/{number}"));
            link.map_or_else(
                |_| String::new(),
                |link| link.to_string_lossy().into_owned(),
            )
        }),
        Err(_) => in_kernel(&fs::read_to_string(format!("{of}/wchan")).unwrap_or_default()),
    };
    if doing != Doing::Waits {
        return Some(doing);
    }
    let stat = fs::read(format!("{of}/stat")).ok()?;
    match state(&String::from_utf8_lossy(&stat))? {
        'R' => Some(Doing::OnCpu),
        // whatever it was that it touched, it is read or written at the moment
        'D' => Some(Doing::WaitsForFile),
        'Z' | 'X' => None,
        _ => Some(Doing::Waits),
    }
}

/// `descriptor` tells what one of the process's descriptors is of: `socket:[1]`, a path.
fn in_call(text: &str, is_lock: impl Fn(u64) -> bool, descriptor: impl Fn(u64) -> String) -> Doing {
    let mut words = text.split_ascii_whitespace();
    let number = words.next().unwrap_or_default();
    if number == "running" {
        return Doing::OnCpu;
    }
    let first = words.next().and_then(|word| word.strip_prefix("0x"));
    let first = first.and_then(|digits| u64::from_str_radix(digits, 16).ok());
    let (Ok(number), Some(first)) = (number.parse::<c_long>(), first) else {
        return Doing::Waits;
    };
    let is = |calls: &[c_long]| calls.contains(&number);
    match () {
        () if is(CALLS.futex) && is_lock(first) => Doing::WaitsForLock,
        () if is(CALLS.futex) => Doing::WaitsForThread,
        () if is(CALLS.select) && first == 0 => Doing::Sleeps,
        () if is(CALLS.sockets) || is(CALLS.select) => Doing::WaitsForSocket,
        () if is(CALLS.files) => Doing::WaitsForFile,
        () if is(CALLS.children) => Doing::WaitsForChild,
        () if is(CALLS.sleeps) => Doing::Sleeps,
        () if is(CALLS.descriptor) => match descriptor(first) {
            of if of.starts_with("socket:") => Doing::WaitsForSocket,
            of if of.starts_with('/') => Doing::WaitsForFile,
            _ => Doing::Waits,
        },
        () => Doing::Waits,
    }
}

/// What a thread does in a function of the kernel; `0` where it runs, or nothing is told.
fn in_kernel(function: &str) -> Doing {
    let is_in = |parts: &[&str]| parts.iter().any(|part| function.contains(part));
    let mut places = PLACES.into_iter();
    let found = places.find(|(parts, _)| is_in(parts));
    found.map_or(Doing::Waits, |(_, doing)| doing)
}

/// A thread's state, of its line in `stat`: the letter behind its name, which stands in brackets and may have some itself.
fn state(stat: &str) -> Option<char> {
    stat.rsplit_once(") ")?.1.chars().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_call_tells_what_is_waited_for() {
        let is_lock = |address: u64| (0x1000..0x2000).contains(&address);
        let of = ["socket:[7]", "/data", "pipe:[3]"];
        let descriptor = |number: u64| of[number as usize].to_owned();
        let read = |text: &str| in_call(text, is_lock, descriptor);
        assert_eq!(read("running\n"), Doing::OnCpu);
        let futex = |address: &str| read(&format!("{} {address} 0x89 0x0 0x1", CALLS.futex[0]));
        assert_eq!(futex("0x1ff0"), Doing::WaitsForLock);
        assert_eq!(futex("0x2000"), Doing::WaitsForThread);
        for text in ["9999 0x4 0x1 0x2", "-1 0x7ffd 0x7f85", "", "202", "202 x"] {
            assert_eq!(read(text), Doing::Waits, "{text}");
        }
        let call = |calls: &[c_long], first: u64| read(&format!("{} {first:#x} 0x1", calls[0]));
        assert_eq!(call(CALLS.sockets, 5), Doing::WaitsForSocket);
        assert_eq!(call(CALLS.select, 5), Doing::WaitsForSocket);
        assert_eq!(call(CALLS.select, 0), Doing::Sleeps);
        assert_eq!(call(CALLS.sleeps, 1), Doing::Sleeps);
        assert_eq!(call(CALLS.children, 1), Doing::WaitsForChild);
        assert_eq!(call(CALLS.files, 1), Doing::WaitsForFile);
        assert_eq!(call(CALLS.descriptor, 0), Doing::WaitsForSocket);
        assert_eq!(call(CALLS.descriptor, 1), Doing::WaitsForFile);
        assert_eq!(call(CALLS.descriptor, 2), Doing::Waits);
    }

    #[test]
    fn without_it_the_kernels_function_does() {
        for (function, doing) in [
            ("futex_do_wait", Doing::WaitsForThread),
            ("futex_wait_queue", Doing::WaitsForThread),
            ("hrtimer_nanosleep", Doing::Sleeps),
            ("ep_poll", Doing::WaitsForSocket),
            ("do_sys_poll", Doing::WaitsForSocket),
            ("inet_csk_accept", Doing::WaitsForSocket),
            ("sk_wait_data", Doing::WaitsForSocket),
            ("unix_stream_read_generic", Doing::WaitsForSocket),
            ("__skb_wait_for_more_packets", Doing::WaitsForSocket),
            ("flock_lock_inode_wait", Doing::WaitsForFile),
            ("folio_wait_bit_common", Doing::WaitsForFile),
            ("do_wait", Doing::WaitsForChild),
            ("pipe_read", Doing::Waits),
            ("0", Doing::Waits),
            ("", Doing::Waits),
        ] {
            assert_eq!(in_kernel(function), doing, "{function}");
        }
    }

    #[test]
    fn a_name_with_brackets_hides_no_state() {
        assert_eq!(state("7 (a) R (b) D 1 7 7 0\n"), Some('D'));
        assert_eq!(state("7 (a"), None);
    }
}
