//! What a thread of CPython does, asked of the kernel.

use std::fs;
use std::ops::Range;

use procfs::process::{MMapPath, MemoryMap};
use record::Doing;

use crate::runtime::PYTHON;

/// Numbers of system calls that wait, by what weir was compiled for (asm/unistd.h).
struct Calls {
    /// For another thread.
    futex: &'static [u64],
    /// For sockets only: `recv`, `accept`, `connect`, `poll` and the like.
    sockets: &'static [u64],
    /// For one of so many descriptors, or for a time if there are none: `select`.
    select: &'static [u64],
    /// For whatever the descriptor is of: `read`, `write`.
    descriptor: &'static [u64],
    /// For files only: `fsync`, `open`, `flock`.
    files: &'static [u64],
    /// For children.
    children: &'static [u64],
    /// For a time.
    sleeps: &'static [u64],
}

#[cfg(target_arch = "x86_64")]
const CALLS: Calls = Calls {
    futex: &[202],
    sockets: &[7, 42, 43, 44, 45, 46, 47, 232, 271, 281, 288, 299, 441],
    select: &[23, 270],
    descriptor: &[0, 1, 17, 18, 19, 20],
    files: &[2, 73, 74, 75, 257],
    children: &[61, 247],
    sleeps: &[35, 230],
};
#[cfg(target_arch = "aarch64")]
const CALLS: Calls = Calls {
    futex: &[98],
    sockets: &[22, 73, 202, 203, 206, 207, 211, 212, 242, 243, 441],
    select: &[72],
    descriptor: &[63, 64, 65, 66, 67, 68],
    files: &[32, 56, 82, 83],
    children: &[95, 260],
    sleeps: &[101, 115],
};
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const CALLS: Calls = Calls {
    futex: &[],
    sockets: &[],
    select: &[],
    descriptor: &[],
    files: &[],
    children: &[],
    sleeps: &[],
};

/// Where a runtime keeps its global variables. The condition on which threads wait for the interpreter lock is one of
/// them, while locks that a program makes are allocated: so a thread that sleeps on a futex in here waits for the
/// interpreter.
#[derive(Clone, Debug, Default)]
pub(crate) struct Globals(Vec<Range<u64>>);

impl Globals {
    /// Those of a process, by the files that it has mapped; `None` where it is not of the runtime.
    pub(crate) fn of(maps: &[MemoryMap]) -> Option<Self> {
        let is_own = |map: &MemoryMap| match &map.pathname {
            MMapPath::Path(path) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                PYTHON.is_mapped_as(&name)
            }
            _ => false,
        };
        if !maps.iter().any(is_own) {
            return None;
        }
        let mut ranges: Vec<Range<u64>> = Vec::new();
        for map in maps {
            let (from, until) = map.address;
            let is_written = map.perms.contains(procfs::process::MMPermissions::WRITE);
            let follows = ranges.last().is_some_and(|last| last.end == from);
            // what is zero at the begin has no file
            let is_zeroed = map.pathname == MMapPath::Anonymous && follows;
            if is_written && (is_own(map) || is_zeroed) {
                ranges.push(from..until);
            }
        }
        Some(Self(ranges))
    }

    fn contain(&self, address: u64) -> bool {
        self.0.iter().any(|range| range.contains(&address))
    }
}

/// What a thread does, as far as the kernel tells: `None` where it is gone.
pub(crate) fn doing(pid: u32, thread: u64, globals: &Globals) -> Option<Doing> {
    // `running`, or the number of a system call, its arguments, and two registers
    let text = fs::read_to_string(format!("/proc/{pid}/task/{thread}/syscall")).ok()?;
    Some(read(&text, globals, |number| {
        let link = fs::read_link(format!("/proc/{pid}/fd/{number}"));
        link.map_or_else(
            |_| String::new(),
            |link| link.to_string_lossy().into_owned(),
        )
    }))
}

/// `descriptor` tells what one of the process's descriptors is of: `socket:[1]`, a path.
fn read(text: &str, globals: &Globals, descriptor: impl Fn(u64) -> String) -> Doing {
    let mut words = text.split_ascii_whitespace();
    let number = words.next().unwrap_or_default();
    if number == "running" {
        return Doing::OnCpu;
    }
    let first = words.next().and_then(|word| word.strip_prefix("0x"));
    let first = first.and_then(|digits| u64::from_str_radix(digits, 16).ok());
    let (Ok(number), Some(first)) = (number.parse::<u64>(), first) else {
        return Doing::Waits;
    };
    let is = |calls: &[u64]| calls.contains(&number);
    match () {
        () if is(CALLS.futex) && globals.contain(first) => Doing::WaitsForLock,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_futex_among_the_globals_is_the_interpreter_lock() {
        let of = Globals(vec![0..0x10, 0x1000..0x2000]);
        let descriptor = |number| ["socket:[7]", "/data", "pipe:[3]"][number as usize].to_owned();
        let read = |text: &str| read(text, &of, descriptor);
        assert_eq!(read("running\n"), Doing::OnCpu);
        let futex = |address: &str| read(&format!("{} {address} 0x89 0x0 0x1", CALLS.futex[0]));
        assert_eq!(futex("0x1ff0"), Doing::WaitsForLock);
        assert_eq!(futex("0x2000"), Doing::WaitsForThread);
        for text in ["9999 0x4 0x1 0x2", "-1 0x7ffd 0x7f85", "", "202", "202 x"] {
            assert_eq!(read(text), Doing::Waits, "{text}");
        }
        let call = |calls: &[u64], first: u64| read(&format!("{} {first:#x} 0x1", calls[0]));
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
}
