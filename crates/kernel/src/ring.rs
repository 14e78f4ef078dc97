//! Many sockets with few system calls: `io_uring(7)`. Bytes are received as they come, into buffers that the kernel picks, and
//! what is sent is handed over in batches.
//!
//! What the kernel reads or writes while a request is under way belongs to the [`Ring`] until it says that the request is over.

mod asks;
mod buffers;
mod ends;

use std::io;
use std::mem::ManuallyDrop;
use std::time::Duration;

use io_uring::types::{CancelBuilder, SubmitArgs, Timespec};
use io_uring::{EnterFlags, IoUring, cqueue, squeue};

pub use asks::Text;
use buffers::{Buffers, GROUP, Piece};
pub use ends::Ended;

/// Requests that are handed over at once, at most.
const ENTRIES: u32 = 1024;

/// What a number that the kernel gives back is of: in its three highest bits.
const RECEIVES: u64 = 0;
const OPENS: u64 = 1 << 61;
const SENDS: u64 = 2 << 61;
const SENDS_TEXT: u64 = 3 << 61;
const NOTHING: u64 = 4 << 61;
const KIND: u64 = 7 << 61;

/// Sockets whose bytes come and go through one ring. It belongs to the thread that made it.
pub struct Ring {
    queues: IoUring,
    buffers: ManuallyDrop<Buffers>,
    /// What is being sent, by place; a place is free when its bytes are gone.
    sends: Vec<Option<(u64, Vec<u8>)>>,
    free: Vec<usize>,
    /// What is sent again and again; none is ever changed or given back before the kernel has let go of all.
    texts: Vec<Box<[u8]>>,
    /// How the kernel is waited for: not as for a disk (`/proc/pressure/io`), where it can tell the two apart (Linux 6.15).
    waiting: EnterFlags,
    /// Requests that were not handed over yet.
    queued: u32,
    /// Times at which some were handed over.
    turn: u64,
    /// Ends that can be looked at before the next wait, taken from the kernel's queue at once, and how many of them were.
    ends: Vec<cqueue::Entry>,
    looked: usize,
    /// How many of them there are at most.
    most: usize,
    /// Where the bytes lie that were received last, and the buffer that can be given back then.
    piece: Piece,
    over: Option<u16>,
    /// Why requests could not be handed over.
    failure: Option<io::Error>,
}

impl std::fmt::Debug for Ring {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let queued = self.queued;
        f.debug_struct("Ring")
            .field("queued", &queued)
            .finish_non_exhaustive()
    }
}

impl Ring {
    /// For about so many sockets.
    ///
    /// # Errors
    /// The kernel is older than 6.12, or does not allow it.
    pub fn new(sockets: usize) -> io::Result<Self> {
        let ends = u32::try_from(sockets.saturating_mul(4)).unwrap_or(u32::MAX);
        let ends = ends.clamp(4 * ENTRIES, 256 * ENTRIES);
        let queues = IoUring::builder()
            .setup_single_issuer()
            .setup_defer_taskrun()
            .setup_taskrun_flag()
            .setup_submit_all()
            .setup_no_sqarray()
            .setup_cqsize(ends)
            .setup_clamp()
            .build(ENTRIES)?;
        let buffers = ManuallyDrop::new(Buffers::register(&queues.submitter())?);
        let waiting = if queues.params().is_feature_no_iowait() {
            EnterFlags::NO_IOWAIT
        } else {
            EnterFlags::empty()
        };
        Ok(Self {
            queues,
            buffers,
            sends: Vec::new(),
            free: Vec::new(),
            texts: Vec::new(),
            waiting,
            queued: 0,
            turn: 0,
            ends: Vec::with_capacity(ENTRIES as usize),
            looked: 0,
            most: usize::MAX,
            piece: Piece::default(),
            over: None,
            failure: None,
        })
    }

    /// Has so many ends be looked at between two waits, at most, and at least 1; the others stay for the next. That is for tests of
    /// what a long turn of a loop does to what is measured: without, there is no limit.
    pub fn at_once(&mut self, most: usize) {
        self.most = most.max(1);
    }

    /// Requests that wait to be handed over.
    #[inline]
    pub fn queued(&self) -> u32 {
        self.queued
    }

    /// How often requests were handed over so far.
    #[inline]
    pub fn turn(&self) -> u64 {
        self.turn
    }

    /// Hands requests over without waiting for anything.
    pub fn submit(&mut self) {
        self.turn += 1;
        self.queued = 0;
        if let Err(error) = self.queues.submit() {
            self.note(error);
        }
    }

    /// Hands requests over, and waits until something has ended, at most so long.
    ///
    /// # Errors
    /// The system's.
    pub fn wait(&mut self, patience: Duration) -> io::Result<()> {
        self.look_on();
        self.turn += 1;
        self.queued = 0;
        self.ends.drain(..self.looked);
        self.looked = 0;
        let none = self.ends.is_empty() && self.queues.completion().is_empty();
        let wanted = usize::from(none && !patience.is_zero());
        let time = Timespec::from(patience);
        let within = SubmitArgs::new().timespec(&time);
        let submitter = self.queues.submitter();
        let how = self.waiting;
        if let Err(error) = submitter.submit_with_args_and_flags(wanted, &within, how) {
            self.note(error);
        }
        let room = self.most.saturating_sub(self.ends.len());
        self.ends.extend(self.queues.completion().take(room));
        self.failure.take().map_or(Ok(()), Err)
    }

    /// What was received has been looked at.
    #[inline]
    fn look_on(&mut self) {
        self.piece = Piece::default();
        if let Some(buffer) = self.over.take() {
            self.buffers.give(buffer);
        }
    }

    #[inline]
    fn push(&mut self, entry: &squeue::Entry) {
        if !self.has_placed(entry) {
            self.submit();
            if !self.has_placed(entry) {
                self.note(io::ErrorKind::ResourceBusy.into());
            }
        }
        self.queued += 1;
    }

    /// Puts a request into the queue, if it is not full.
    #[inline]
    fn has_placed(&mut self, entry: &squeue::Entry) -> bool {
        // SAFETY: what the request reads is in `sends` or in `texts`, and what it writes in `buffers`, until it has ended; its
        // descriptor was open when it was asked for, and is closed by a later request at the earliest.
        #[expect(unsafe_code, reason = "the kernel takes pointers from this entry")]
        let pushed = unsafe { self.queues.submission().push(entry) };
        pushed.is_ok()
    }

    /// Keeps why requests could not be handed over, unless that is nobody's fault: the time was up, a signal came, ends are to
    /// be looked at first.
    fn note(&mut self, error: io::Error) {
        let code = error.raw_os_error();
        if ![Some(libc::ETIME), Some(libc::EINTR), Some(libc::EBUSY)].contains(&code) {
            self.failure.get_or_insert(error);
        }
    }
}

impl Drop for Ring {
    /// The kernel is to have let go of all memory before it is freed; where it does not say so, it is never freed.
    fn drop(&mut self) {
        let mut handed_over = self.queues.submit();
        // what was given up ends a few at a time, and what has not would be looked at again for each other one
        while handed_over.is_ok() && self.queues.submission().taskrun() {
            handed_over = self.queues.submit();
        }
        let second = Some(Timespec::new().sec(1));
        let submitter = self.queues.submitter();
        let ended = match submitter.register_sync_cancel(second, CancelBuilder::any()) {
            Ok(()) => true,
            Err(error) => error.raw_os_error() == Some(libc::ENOENT), // nothing was under way
        };
        let over = ended && submitter.unregister_buf_ring(GROUP).is_ok();
        // SAFETY: it is taken once, here.
        #[expect(unsafe_code, reason = "the memory is freed, or kept for good")]
        let buffers = unsafe { ManuallyDrop::take(&mut self.buffers) };
        if over {
            buffers.free();
        } else {
            std::mem::forget(std::mem::take(&mut self.sends));
            std::mem::forget(std::mem::take(&mut self.texts));
        }
    }
}

#[cfg(test)]
mod tests;
