//! Who called a function that keeps no frame pointer: compilers write into each file, for exceptions, how its functions use the stack
//! (`.eh_frame`), and the kernel copies the registers and the innermost part of a thread's stack into a sample.
//!
//! The files are of others. Whatever they say, a walk ends: it goes up the stack, to so many functions, and each expression has so
//! many operations.

mod thread;

use std::fs::File;

use gimli::{
    BaseAddresses, EhFrame, EhFrameHdr, EhFrameOffset, LittleEndian, ParsedEhFrameHdr,
    UnwindContext, UnwindSection as _,
};
use object::{Object as _, ObjectSection as _, ReadCache};

pub(super) use self::thread::Thread;
use self::thread::machine::VENDOR;
pub(super) use self::thread::machine::WANTED;
use self::thread::{Bytes, ENCODING, Step};

/// Most functions of a stack that are followed.
const MOST_FUNCTIONS: usize = 128;
/// Most bytes of a file's rules, and of the table that finds one.
const LARGEST: usize = 32 << 20;

/// A file of machine code that is being read.
type ObjectFile<'c> = object::File<'c, &'c ReadCache<File>>;
/// What is reused from step to step.
pub(super) type Context = UnwindContext<usize>;

/// What a file says of its functions' part of the stack.
#[derive(Debug)]
pub(super) struct Rules {
    frames: Vec<u8>,
    /// Which of them is for which address.
    table: Vec<u8>,
    /// Where both lie, as the file gives addresses.
    bases: BaseAddresses,
}

/// The functions on a stack.
pub(super) struct Unwound {
    /// Where they were, the innermost first: return addresses behind it.
    pub(super) addresses: Vec<u64>,
    /// Whether the last of them has no caller.
    pub(super) is_whole: bool,
}

/// Follows a thread to its callers. `rules` finds those for an address, and that address as their file gives it; without them a
/// function is taken to keep a frame pointer, as generated code does.
pub(super) fn unwound<'r>(
    thread: &mut Thread<'_>,
    context: &mut Context,
    rules: impl Fn(u64) -> Option<(&'r Rules, u64)>,
) -> Unwound {
    let mut addresses = vec![thread.address()];
    let mut is_whole = false;
    while addresses.len() < MOST_FUNCTIONS {
        let is_innermost = addresses.len() == 1;
        // a return address lies behind the call, which may be the last of its function
        let behind = u64::from(!is_innermost);
        let address = thread.address().wrapping_sub(behind);
        let by_rules =
            rules(address).and_then(|(rules, at)| rules.caller(at, thread, is_innermost, context));
        match by_rules.unwrap_or_else(|| thread.step_by_frame()) {
            Step::Caller => addresses.push(thread.address()),
            Step::Root => {
                is_whole = true;
                break;
            }
            Step::Lost => break,
        }
    }
    Unwound {
        addresses,
        is_whole,
    }
}

impl Rules {
    /// Those of a file, as far as there is room.
    pub(super) fn of(object: &ObjectFile<'_>, room: &mut usize) -> Option<Self> {
        let (at, frames) = part(object, ".eh_frame", room)?;
        let (table_at, table) = part(object, ".eh_frame_hdr", room)?;
        let bases = BaseAddresses::default();
        let bases = bases.set_eh_frame(at).set_eh_frame_hdr(table_at);
        Self::new(frames, table, bases)
    }

    /// `None` where the table says that it has more rows than bytes.
    fn new(frames: Vec<u8>, table: Vec<u8>, bases: BaseAddresses) -> Option<Self> {
        let rules = Self {
            frames,
            table,
            bases,
        };
        let rows = rules.header()?.table()?.iter(&rules.bases).size_hint().0;
        (rows <= rules.table.len()).then_some(rules)
    }

    fn header(&self) -> Option<ParsedEhFrameHdr<Bytes<'_>>> {
        let header = EhFrameHdr::new(&self.table, LittleEndian);
        header.parse(&self.bases, ENCODING.address_size).ok()
    }

    /// Leads a thread from an address to the caller. `None` where they say nothing of the address.
    fn caller(
        &self,
        address: u64,
        thread: &mut Thread<'_>,
        is_innermost: bool,
        context: &mut Context,
    ) -> Option<Step> {
        let header = self.header()?;
        let found = header.table()?.lookup(address, &self.bases).ok()?;
        let at = found.direct().ok()?;
        let offset = usize::try_from(at.checked_sub(self.bases.eh_frame.section?)?).ok()?;
        let mut frames = EhFrame::new(&self.frames, LittleEndian);
        frames.set_vendor(VENDOR);
        let entry = frames
            .fde_from_offset(&self.bases, EhFrameOffset(offset), EhFrame::cie_from_offset)
            .ok()?;
        let column = entry.cie().return_address_register();
        let row = entry
            .unwind_info_for_address(&frames, &self.bases, context, address)
            .ok()?;
        Some(thread.step(&frames, row, column, is_innermost))
    }
}

/// A part of a file, and its address there.
fn part(object: &ObjectFile<'_>, name: &str, room: &mut usize) -> Option<(u64, Vec<u8>)> {
    let section = object.section_by_name(name)?;
    let size = usize::try_from(section.size()).ok()?;
    *room = room.checked_sub(size).filter(|_| size <= LARGEST)?;
    Some((section.address(), section.data().ok()?.to_vec()))
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests;
