//! Many sockets with few system calls: `io_uring(7)`. Bytes are received as they come, into buffers that the kernel picks, and
//! what is sent is handed over in batches.
//!
//! What the kernel reads or writes while a request is under way belongs to the [`Ring`] until it says that the request is over.

mod buffers;

use std::io;
use std::mem::ManuallyDrop;
use std::os::fd::{AsRawFd as _, BorrowedFd, IntoRawFd as _, OwnedFd};
use std::time::Duration;

use io_uring::types::{CancelBuilder, Fd, SubmitArgs, Timespec};
use io_uring::{IoUring, cqueue, opcode, squeue};

use buffers::{Buffers, GROUP, Piece};

/// Requests that are handed over at once, at most.
const ENTRIES: u32 = 1024;
/// `IORING_CQE_F_BUF_MORE`: the kernel goes on with this buffer.
const SAME_BUFFER: u32 = 1 << 4;

/// What a number that the kernel gives back is of: in its two highest bits.
const RECEIVES: u64 = 0;
const OPENS: u64 = 1 << 62;
const SENDS: u64 = 2 << 62;
const NOTHING: u64 = 3 << 62;
const KIND: u64 = 3 << 62;

/// Sockets whose bytes come and go through one ring. It belongs to the thread that made it.
pub struct Ring {
    queues: IoUring,
    buffers: ManuallyDrop<Buffers>,
    /// What is being sent, by place; a place is free when its bytes are gone.
    sends: Vec<Option<(u64, Vec<u8>)>>,
    free: Vec<usize>,
    /// Requests that were not handed over yet.
    queued: u32,
    /// Times at which some were handed over.
    turn: u64,
    /// Ends that can be looked at before the next wait.
    left: usize,
    /// Where the bytes lie that were received last, and the buffer that can be given back then.
    piece: Piece,
    over: Option<u16>,
    /// Why requests could not be handed over.
    failure: Option<io::Error>,
}

/// How a request went.
#[derive(Debug)]
pub enum Ended {
    /// So many bytes came for this token, which [`Ring::received`] has; 0 are the end. `more` when others may come without being
    /// asked for.
    Received {
        /// As it was asked for.
        token: u64,
        /// How many, or why none.
        outcome: io::Result<usize>,
        /// Whether others may come.
        more: bool,
    },
    /// So many bytes of these were sent.
    Sent {
        /// As it was asked for.
        token: u64,
        /// How many, or why none.
        outcome: io::Result<usize>,
        /// All of them.
        bytes: Vec<u8>,
    },
    /// A socket that was opening is open, or failed to.
    Opened {
        /// As it was asked for.
        token: u64,
    },
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
            .setup_cqsize(ends)
            .setup_clamp()
            .build(ENTRIES)?;
        let buffers = ManuallyDrop::new(Buffers::register(&queues.submitter())?);
        Ok(Self {
            queues,
            buffers,
            sends: Vec::new(),
            free: Vec::new(),
            queued: 0,
            turn: 0,
            left: 0,
            piece: Piece::default(),
            over: None,
            failure: None,
        })
    }

    /// Asks for all that a socket receives from now on. It must not be non-blocking: then the kernel would not wait for it.
    /// Tokens have their two highest bits free.
    pub fn receive(&mut self, socket: BorrowedFd<'_>, token: u64) {
        let entry = opcode::RecvMulti::new(Fd(socket.as_raw_fd()), GROUP).build();
        self.push(&entry.user_data(RECEIVES | token & !KIND));
    }

    /// Asks to be told when a socket is open, or failed to.
    pub fn opening(&mut self, socket: BorrowedFd<'_>, token: u64) {
        let writable = u32::from(libc::POLLOUT.cast_unsigned());
        let entry = opcode::PollAdd::new(Fd(socket.as_raw_fd()), writable).build();
        self.push(&entry.user_data(OPENS | token & !KIND));
    }

    /// Sends bytes with the next batch, or at once if many wait already.
    pub fn send(&mut self, socket: BorrowedFd<'_>, token: u64, bytes: Vec<u8>) {
        let place = self.free.pop().unwrap_or_else(|| {
            self.sends.push(None);
            self.sends.len() - 1
        });
        // of more than 4 GiB the first are sent, and so it says
        let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        let at = bytes.as_ptr();
        // the bytes stay where they are when the vector moves
        self.sends[place] = Some((token, bytes));
        let entry = opcode::Send::new(Fd(socket.as_raw_fd()), at, length);
        let entry = entry.flags(libc::MSG_NOSIGNAL).build();
        self.push(&entry.user_data(SENDS | place as u64));
    }

    /// Asks for nothing more of what was asked for under this token, which was for receiving, or for opening. A request that is
    /// given up ends, too.
    pub fn give_up(&mut self, token: u64, opening: bool) {
        let kind = if opening { OPENS } else { RECEIVES };
        let entry = opcode::AsyncCancel::new(kind | token & !KIND).build();
        self.push(&entry.user_data(NOTHING));
    }

    /// Closes a socket, after what was asked for before.
    pub fn close(&mut self, socket: OwnedFd) {
        let entry = opcode::Close::new(Fd(socket.into_raw_fd())).build();
        self.push(&entry.user_data(NOTHING));
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
        let wanted = usize::from(self.queues.completion().is_empty() && !patience.is_zero());
        let time = Timespec::from(patience);
        let within = SubmitArgs::new().timespec(&time);
        if let Err(error) = self.queues.submitter().submit_with_args(wanted, &within) {
            self.note(error);
        }
        self.left = self.queues.completion().len();
        self.failure.take().map_or(Ok(()), Err)
    }

    /// The next request that has ended before the last wait did.
    #[inline]
    pub fn ended(&mut self) -> Option<Ended> {
        self.look_on();
        while self.left > 0 {
            self.left -= 1;
            let end = self.queues.completion().next()?;
            if let Some(ended) = self.told(&end) {
                return Some(ended);
            }
        }
        None
    }

    /// The bytes that were received last, until `ended` or `wait` is called.
    #[inline]
    pub fn received(&self) -> &[u8] {
        self.buffers.bytes(self.piece)
    }

    fn told(&mut self, end: &cqueue::Entry) -> Option<Ended> {
        let outcome = match end.result() {
            error if error < 0 => Err(io::Error::from_raw_os_error(-error)),
            length => Ok(length.cast_unsigned() as usize),
        };
        let token = end.user_data() & !KIND;
        match end.user_data() & KIND {
            RECEIVES => {
                let (flags, more) = (end.flags(), cqueue::more(end.flags()));
                if let (Some(buffer), Ok(length)) = (cqueue::buffer_select(flags), &outcome) {
                    self.piece = self.buffers.took(buffer, *length);
                    self.over = (flags & SAME_BUFFER == 0).then_some(buffer);
                }
                Some(Ended::Received {
                    token,
                    outcome,
                    more,
                })
            }
            OPENS => Some(Ended::Opened { token }),
            SENDS => {
                let place = usize::try_from(token).ok()?;
                let (token, bytes) = self.sends.get_mut(place)?.take()?;
                self.free.push(place);
                Some(Ended::Sent {
                    token,
                    outcome,
                    bytes,
                })
            }
            _ => None,
        }
    }

    /// What was received has been looked at.
    #[inline]
    fn look_on(&mut self) {
        self.piece = Piece::default();
        if let Some(buffer) = self.over.take() {
            self.buffers.give(buffer);
        }
    }

    fn push(&mut self, entry: &squeue::Entry) {
        if self.queues.submission().is_full() {
            self.submit();
        }
        // SAFETY: what the request reads is in `sends`, and what it writes in `buffers`, until it has ended; its descriptor was
        // open when it was asked for, and is closed by a later request at the earliest.
        #[expect(unsafe_code, reason = "the kernel takes pointers from this entry")]
        let pushed = unsafe { self.queues.submission().push(entry) };
        if pushed.is_err() {
            self.note(io::ErrorKind::ResourceBusy.into());
        }
        self.queued += 1;
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
        let _ = self.queues.submit();
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
        }
    }
}

#[cfg(test)]
mod tests;
