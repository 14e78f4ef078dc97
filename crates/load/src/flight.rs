use wire::Event;

use crate::check::{Check, Progress};

/// One request on its way, with its times in nanoseconds. Reused from request to request.
#[derive(Debug, Default)]
pub(crate) struct Flight {
    pub(crate) due: u64,
    /// When a connection was open for it.
    pub(crate) ready: u64,
    /// When it was written; 0 while it was not.
    pub(crate) sent: u64,
    /// When the first byte of the answer came; 0 while none has.
    pub(crate) first_byte: u64,
    /// The whole answer came, and may the connection be kept?
    pub(crate) done: Option<bool>,
    /// Whether it was already sent once, on a connection that the server closed meanwhile.
    pub(crate) again: bool,
    pub(crate) progress: Progress,
}

impl Flight {
    /// Another request falls due.
    pub(crate) fn begin(&mut self, due: u64) {
        self.due = due;
        self.again = false;
        self.forget_sending();
    }

    /// Back to before it was sent; its due time stands.
    pub(crate) fn forget_sending(&mut self) {
        self.ready = self.due;
        self.sent = 0;
        self.first_byte = 0;
        self.done = None;
        self.progress.clear();
    }

    #[inline]
    pub(crate) fn take(&mut self, event: Event<'_>, now: u64, check: &Check) {
        match event {
            Event::FirstByte => self.first_byte = now,
            Event::Head { status, .. } => check.head(&mut self.progress, status),
            Event::Body(piece) => check.piece(&mut self.progress, piece),
            Event::Stderr(piece) => self.progress.complain(piece),
            Event::Done { keep } => self.done = Some(keep),
            Event::Failed(why) => {
                self.progress.complain(why.to_string().as_bytes());
                self.done = Some(false);
            }
        }
    }
}
