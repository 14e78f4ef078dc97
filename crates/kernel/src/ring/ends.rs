//! What became of what the kernel was asked for.

use std::io;

use io_uring::cqueue;

use super::{KIND, OPENS, RECEIVES, Ring, SENDS, SENDS_TEXT};

/// `IORING_CQE_F_BUF_MORE`: the kernel goes on with this buffer.
const SAME_BUFFER: u32 = 1 << 4;

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
    /// So many bytes of these were sent. Of a text only what failed is told, and without its bytes.
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

impl Ring {
    /// The next request that has ended before the last wait did.
    #[inline]
    pub fn ended(&mut self) -> Option<Ended> {
        self.look_on();
        while let Some(end) = self.ends.get(self.looked) {
            let (number, result, flags) = (end.user_data(), end.result(), end.flags());
            self.looked += 1;
            let ended = self.told(number, result, flags);
            if ended.is_some() {
                return ended;
            }
        }
        None
    }

    /// Whether something ended that `ended` has not told yet.
    pub fn has_ended(&self) -> bool {
        self.looked < self.ends.len()
    }

    /// The token that something will come for next, as far as that is known.
    #[inline]
    pub fn soon(&self) -> Option<u64> {
        let number = self.ends.get(self.looked)?.user_data();
        (number & KIND == RECEIVES).then_some(number)
    }

    /// The bytes that were received last, until `ended` or `wait` is called.
    #[inline]
    pub fn received(&self) -> &[u8] {
        self.buffers.bytes(self.piece)
    }

    #[inline]
    fn told(&mut self, number: u64, result: i32, flags: u32) -> Option<Ended> {
        let outcome = match result {
            error if error < 0 => Err(io::Error::from_raw_os_error(-error)),
            length => Ok(length.cast_unsigned() as usize),
        };
        let token = number & !KIND;
        match number & KIND {
            RECEIVES => {
                let more = cqueue::more(flags);
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
            SENDS_TEXT => Some(Ended::Sent {
                token,
                // so many bytes and no more, as nobody reads there any longer
                outcome: outcome.and(Err(io::ErrorKind::ConnectionReset.into())),
                bytes: Vec::new(),
            }),
            _ => None,
        }
    }
}
