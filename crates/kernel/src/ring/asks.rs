//! What the kernel is asked for.

use std::os::fd::{AsRawFd as _, BorrowedFd, IntoRawFd as _, OwnedFd};

use io_uring::types::{CancelBuilder, Fd};
use io_uring::{opcode, squeue};

use super::buffers::GROUP;
use super::{KIND, NOTHING, OPENS, RECEIVES, Ring, SENDS, SENDS_TEXT};

/// Bytes that a ring keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text(usize);

impl Ring {
    /// Asks for all that a socket receives from now on. It must not be non-blocking: then the kernel would not wait for it.
    /// Tokens have their three highest bits free.
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

    /// Sends bytes with the next batch, or at once if many wait already. What finds no room goes as the peer reads, and it is
    /// told when the last of it has gone.
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
        let entry = entry.flags(libc::MSG_NOSIGNAL | libc::MSG_WAITALL).build();
        self.push(&entry.user_data(SENDS | place as u64));
    }

    /// Keeps bytes that will be sent again and again, for as long as there is a ring.
    pub fn keep(&mut self, bytes: &[u8]) -> Text {
        self.texts.push(bytes.into());
        Text(self.texts.len() - 1)
    }

    /// The bytes of a text.
    #[inline]
    pub fn text(&self, of: Text) -> &[u8] {
        self.texts.get(of.0).map_or(&[], |text| text)
    }

    /// Sends a text as [`Ring::send`] would, and says nothing of it but that it failed: what has ended in order costs nothing to
    /// tell.
    #[inline]
    pub fn send_text(&mut self, socket: BorrowedFd<'_>, token: u64, of: Text) {
        let text = self.text(of);
        let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
        let entry = opcode::Send::new(Fd(socket.as_raw_fd()), text.as_ptr(), length);
        // a part of it alone would be a failure that is told
        let entry = entry.flags(libc::MSG_NOSIGNAL | libc::MSG_WAITALL).build();
        let entry = entry.flags(squeue::Flags::SKIP_SUCCESS);
        self.push(&entry.user_data(SENDS_TEXT | token & !KIND));
    }

    /// Asks for nothing more of what was asked for under this token, which was for receiving, or for opening. A request that is
    /// given up ends, too.
    pub fn give_up(&mut self, token: u64, opening: bool) {
        let kind = if opening { OPENS } else { RECEIVES };
        let entry = opcode::AsyncCancel::new(kind | token & !KIND).build();
        self.push(&entry.user_data(NOTHING));
    }

    /// Sends nothing more of what was to be sent under this token: for as long as its peer does not read, it would hold a
    /// socket open that was closed. What is given up ends, too.
    pub fn give_up_sends(&mut self, token: u64) {
        for place in 0..self.sends.len() {
            if self.sends[place]
                .as_ref()
                .is_some_and(|(of, _)| *of == token)
            {
                self.cancel(CancelBuilder::user_data(SENDS | place as u64));
            }
        }
        self.cancel(CancelBuilder::user_data(SENDS_TEXT | token & !KIND).all());
    }

    /// By number, which the kernel finds without a look at the requests of all sockets.
    fn cancel(&mut self, which: CancelBuilder) {
        let entry = opcode::AsyncCancel2::new(which).build();
        self.push(&entry.user_data(NOTHING));
    }

    /// Closes a socket, after what was asked for before.
    pub fn close(&mut self, socket: OwnedFd) {
        let entry = opcode::Close::new(Fd(socket.into_raw_fd())).build();
        self.push(&entry.user_data(NOTHING));
    }
}
