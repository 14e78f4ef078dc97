//! Memory that the kernel receives into: a ring of buffers that it fills one after the other, piece by piece.

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::io;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU16, Ordering};

use io_uring::Submitter;
use io_uring::types::BufRingEntry;

/// Buffers, a power of two, and bytes of each: what a turn of the loop brings fits in. Medians of 7 rounds in turns on two cores,
/// noisy: with 32, a request for 7.4 KB took 0.930 (0.873 to 1.12) of the CPU time that it took with 16, one for 1 MB 0.929 (0.640
/// to 1.14), and with 64 much the same; with 4, one for 1 MB took 1.37 times (1.33 to 1.85) as much.
const COUNT: u16 = 32;
const SIZE: u32 = 64 * 1024;
/// `IOU_PBUF_RING_INC` (Linux 6.12): what is received fills up a buffer before the next one is taken.
const INCREMENTAL: u16 = 2;
/// Bytes of a page, to which the kernel wants the ring aligned.
const PAGE: usize = 4096;

/// The group under which requests name them.
pub(super) const GROUP: u16 = 0;

/// Buffers, and the ring in which the kernel is given them.
#[derive(Debug)]
pub(super) struct Buffers {
    /// [`COUNT`] entries, and behind them as many buffers.
    memory: NonNull<u8>,
    /// How many were given to the kernel so far, as it counts.
    tail: u16,
    /// Bytes of each buffer that were received and looked at.
    taken: [usize; COUNT as usize],
}

/// Where bytes lie that were received.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Piece {
    begin: usize,
    length: usize,
}

const LAYOUT: Layout = match Layout::from_size_align(PAGE + COUNT as usize * SIZE as usize, PAGE) {
    Ok(layout) => layout,
    Err(_) => panic!("a page is a power of two"),
};

impl Buffers {
    /// Gives the kernel all of them.
    ///
    /// # Errors
    /// The system has no such rings.
    pub(super) fn register(by: &Submitter) -> io::Result<Self> {
        // SAFETY: the layout has a size.
        #[expect(unsafe_code, reason = "memory that the kernel writes to")]
        let memory = unsafe { alloc_zeroed(LAYOUT) };
        let memory = NonNull::new(memory).unwrap_or_else(|| handle_alloc_error(LAYOUT));
        let mut buffers = Self {
            memory,
            tail: 0,
            taken: [0; COUNT as usize],
        };
        #[expect(
            unsafe_code,
            reason = "the kernel reads and writes this memory from now on"
        )]
        // SAFETY: the ring lies at the begin of a page, has room for its entries, and lives until `Ring` has seen to it that
        // the kernel uses it no more.
        let registered = unsafe {
            let at = memory.as_ptr() as u64;
            by.register_buf_ring_with_flags(at, COUNT, GROUP, INCREMENTAL)
        };
        if let Err(error) = registered {
            buffers.free();
            return Err(error);
        }
        (0..COUNT).for_each(|number| buffers.give(number));
        Ok(buffers)
    }

    /// Takes note of so many bytes that came into a buffer; `last` when the kernel will put no more into it. They can be read
    /// until the buffer is given back.
    #[inline]
    pub(super) fn took(&mut self, number: u16, length: usize) -> Piece {
        let number = usize::from(number) % usize::from(COUNT);
        let before = self.taken[number];
        let length = length.min(SIZE as usize - before);
        self.taken[number] = before + length;
        Piece {
            begin: PAGE + number * SIZE as usize + before,
            length,
        }
    }

    /// Bytes that were received.
    #[inline]
    #[expect(unsafe_code, reason = "the kernel has written these bytes")]
    pub(super) fn bytes(&self, piece: Piece) -> &[u8] {
        // SAFETY: pieces are made by `took` alone, and lie within a buffer. The kernel writes behind what it has told of, and
        // to none of it again before the buffer is given back, which takes `self` for writing.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().add(piece.begin), piece.length) }
    }

    /// Gives a buffer to the kernel, as empty.
    #[expect(unsafe_code, reason = "the kernel reads this memory")]
    #[expect(clippy::cast_ptr_alignment, reason = "it lies at the begin of a page")]
    pub(super) fn give(&mut self, number: u16) {
        let number = number % COUNT;
        self.taken[usize::from(number)] = 0;
        let at = usize::from(self.tail % COUNT);
        let ring = self.memory.as_ptr().cast::<BufRingEntry>();
        // SAFETY: `at` is below COUNT, and the kernel reads no entry from its tail on. The tail is two bytes of the first entry
        // that no other entry's setters touch.
        unsafe {
            let entry = &mut *ring.add(at);
            entry.set_addr(
                self.memory
                    .as_ptr()
                    .add(PAGE + usize::from(number) * SIZE as usize) as u64,
            );
            entry.set_len(SIZE);
            entry.set_bid(number);
            self.tail = self.tail.wrapping_add(1);
            let tail = BufRingEntry::tail(ring).cast_mut().cast::<AtomicU16>();
            (*tail).store(self.tail, Ordering::Release);
        }
    }

    /// Frees the memory.
    #[expect(unsafe_code, reason = "memory that the kernel wrote to")]
    pub(super) fn free(self) {
        // SAFETY: it was allocated with this layout, and nobody else has it any more.
        unsafe {
            dealloc(self.memory.as_ptr(), LAYOUT);
        }
    }
}
