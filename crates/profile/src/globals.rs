//! Where CPython keeps its lock.

use std::ops::Range;

use procfs::process::{MMPermissions, MMapPath, MemoryMap};

use crate::runtime::PYTHON;

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
            let is_written = map.perms.contains(MMPermissions::WRITE);
            let follows = ranges.last().is_some_and(|last| last.end == from);
            // what is zero at the begin has no file
            let is_zeroed = map.pathname == MMapPath::Anonymous && follows;
            if is_written && (is_own(map) || is_zeroed) {
                ranges.push(from..until);
            }
        }
        Some(Self(ranges))
    }

    pub(crate) fn contain(&self, address: u64) -> bool {
        self.0.iter().any(|range| range.contains(&address))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_in_one_of_several_ranges() {
        let of = Globals(vec![0..0x10, 0x1000..0x2000]);
        for (address, inside) in [(0, true), (0x10, false), (0x1ff0, true), (0x2000, false)] {
            assert_eq!(of.contain(address), inside, "{address:#x}");
        }
    }
}
