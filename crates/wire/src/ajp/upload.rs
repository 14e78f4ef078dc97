use std::sync::Arc;

use super::HEADER;
use super::request::LONGEST;

/// Most bytes of a body in one packet, whose length stands before them.
pub(super) const PIECE: usize = LONGEST - HEADER - 2;

/// What a request's body still owes: its first packet went unasked, the others go one by one, each
/// when the container calls for it.
#[derive(Debug, Default)]
pub(super) struct Upload {
    body: Option<Arc<[u8]>>,
    gone: usize,
}

impl Upload {
    pub(super) fn new(body: Option<Arc<[u8]>>) -> Self {
        Self { body, gone: 0 }
    }

    /// Answers a call for at most `wanted` bytes: with an empty packet when there are none left, as
    /// when there was no body at all. A call for more than a packet holds gets what it holds, as does
    /// one for nothing, since an empty packet would say that the body ends here.
    pub(super) fn answer_call(&mut self, wanted: u16, out: &mut Vec<u8>) {
        let left = self
            .body
            .as_deref()
            .map_or(&[][..], |body| &body[self.gone..]);
        let wanted = match wanted {
            0 => PIECE,
            wanted => PIECE.min(wanted.into()),
        };
        let piece = &left[..left.len().min(wanted)];
        packet(piece, out);
        self.gone += piece.len();
    }
}

/// A packet with a piece of a body; an empty one, without even a length, ends it.
pub(super) fn packet(piece: &[u8], out: &mut Vec<u8>) {
    out.extend([0x12, b'4']);
    if piece.is_empty() {
        out.extend([0, 0]);
        return;
    }
    let length = piece.len() as u16;
    out.extend((length + 2).to_be_bytes());
    out.extend(length.to_be_bytes());
    out.extend(piece);
}
