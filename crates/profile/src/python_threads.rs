//! What a thread of CPython does, asked of the kernel.

use std::fs;
use std::ops::Range;

use procfs::process::{MMapPath, MemoryMap};
use record::Doing;

use crate::runtime::PYTHON;

/// Numbers of the system calls that wait on a futex, by what weir was compiled for.
#[cfg(target_arch = "x86_64")]
const FUTEX: &[u64] = &[202];
#[cfg(target_arch = "aarch64")]
const FUTEX: &[u64] = &[98];
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const FUTEX: &[u64] = &[];

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
    Some(read(&text, globals))
}

fn read(text: &str, globals: &Globals) -> Doing {
    let mut words = text.split_ascii_whitespace();
    let number = words.next().unwrap_or_default();
    if number == "running" {
        return Doing::OnCpu;
    }
    let is_futex = number.parse().is_ok_and(|number| FUTEX.contains(&number));
    let address = words.next().and_then(|word| word.strip_prefix("0x"));
    let address = address.and_then(|digits| u64::from_str_radix(digits, 16).ok());
    if is_futex && address.is_some_and(|address| globals.contain(address)) {
        Doing::WaitsForLock
    } else {
        Doing::Waits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_futex_among_the_globals_is_the_interpreter_lock() {
        let of = Globals(vec![0..0x10, 0x1000..0x2000]);
        assert_eq!(read("running\n", &of), Doing::OnCpu);
        let futex = |address: &str| read(&format!("{} {address} 0x89 0x0 0x1 0x2", FUTEX[0]), &of);
        assert_eq!(futex("0x1ff0"), Doing::WaitsForLock);
        assert_eq!(futex("0x2000"), Doing::Waits);
        for text in ["232 0x4 0x1 0x2", "-1 0x7ffd 0x7f85", "", "202", "202 x"] {
            assert_eq!(read(text, &of), Doing::Waits, "{text}");
        }
    }
}
