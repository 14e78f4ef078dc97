//! Bodies of requests on their way, as fast as the peer's windows allow (RFC 9113, section 5.2).

use std::sync::Arc;

use super::frame::{self, DATA, END_STREAM, LONGEST};
use crate::{Malformed, Result};

/// Largest window that there can be.
const LARGEST: i64 = (1 << 31) - 1;

/// What streams begin with as long as the peer has not said otherwise.
const INITIAL: i64 = 65_535;

#[derive(Debug)]
pub(super) struct Outgoing {
    /// Bytes that may be sent on the connection.
    window: i64,
    /// And on a stream that begins now.
    initial: i64,
    /// Those that did not fit, the oldest first.
    waiting: Vec<Body>,
}

#[derive(Debug)]
struct Body {
    stream: u32,
    /// Bytes that may be sent on the stream; fewer than none when the peer has taken room back.
    window: i64,
    bytes: Arc<[u8]>,
    sent: usize,
}

impl Outgoing {
    pub(super) fn new() -> Self {
        Self {
            window: INITIAL,
            initial: INITIAL,
            waiting: Vec::new(),
        }
    }

    /// Sends what may be sent of a body that is not empty, and keeps the rest for later.
    pub(super) fn begin(&mut self, stream: u32, bytes: &Arc<[u8]>, out: &mut Vec<u8>) {
        let (mut window, mut sent) = (self.initial, 0);
        write(&mut self.window, &mut window, stream, bytes, &mut sent, out);
        if sent < bytes.len() {
            self.waiting.push(Body {
                stream,
                window,
                bytes: bytes.clone(),
                sent,
            });
        }
    }

    /// Gives up what has not been sent on a stream; whether there was anything.
    pub(super) fn forget(&mut self, stream: u32) -> bool {
        let before = self.waiting.len();
        self.waiting.retain(|body| body.stream != stream);
        self.waiting.len() < before
    }

    /// The peer allows so many bytes more on the connection.
    pub(super) fn widen(&mut self, bytes: u32, out: &mut Vec<u8>) -> Result<()> {
        widen(&mut self.window, i64::from(bytes))?;
        self.advance(out);
        Ok(())
    }

    /// And on a stream.
    pub(super) fn widen_stream(
        &mut self,
        stream: u32,
        bytes: u32,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        if let Some(body) = self.waiting.iter_mut().find(|body| body.stream == stream) {
            widen(&mut body.window, i64::from(bytes))?;
            self.advance(out);
        }
        Ok(())
    }

    /// The peer says what streams begin with, which changes those that have begun (section 6.9.2).
    pub(super) fn set_initial(&mut self, bytes: u32, out: &mut Vec<u8>) -> Result<()> {
        let initial = i64::from(bytes);
        if initial > LARGEST {
            return Err(Malformed::FlowControl);
        }
        for body in &mut self.waiting {
            widen(&mut body.window, initial - self.initial)?;
        }
        self.initial = initial;
        self.advance(out);
        Ok(())
    }

    fn advance(&mut self, out: &mut Vec<u8>) {
        for body in &mut self.waiting {
            write(
                &mut self.window,
                &mut body.window,
                body.stream,
                &body.bytes,
                &mut body.sent,
                out,
            );
        }
        self.waiting.retain(|body| body.sent < body.bytes.len());
    }
}

fn widen(window: &mut i64, bytes: i64) -> Result<()> {
    *window += bytes;
    if *window > LARGEST {
        return Err(Malformed::FlowControl);
    }
    Ok(())
}

/// Appends as many frames as both windows allow.
fn write(
    connection: &mut i64,
    window: &mut i64,
    stream: u32,
    bytes: &[u8],
    sent: &mut usize,
    out: &mut Vec<u8>,
) {
    while *sent < bytes.len() {
        let allowed = usize::try_from((*connection).min(*window)).unwrap_or(0);
        let length = allowed.min(LONGEST).min(bytes.len() - *sent) as u16;
        if length == 0 {
            return;
        }
        *connection -= i64::from(length);
        *window -= i64::from(length);
        let piece = &bytes[*sent..*sent + usize::from(length)];
        *sent += piece.len();
        let last = *sent == bytes.len();
        let flags = if last { END_STREAM } else { 0 };
        frame::header(piece.len(), DATA, flags, stream, out);
        out.extend_from_slice(piece);
    }
}
