use wire::{Event, Failure};

use crate::check::{Check, Progress};

/// One request on its way, with its times in nanoseconds. Reused from request to request.
#[derive(Debug, Default)]
pub(crate) struct Flight {
    /// Which one it is: a prepared one's number, or that it was made for this one time.
    pub(crate) which: Which,
    /// Number of its name.
    pub(crate) name: u32,
    /// Number of what its answer is compared with.
    pub(crate) expected: u32,
    pub(crate) due: u64,
    /// Nanoseconds from there until the window opened, where it was under way then.
    pub(crate) before: u64,
    /// When a connection was open for it.
    pub(crate) ready: u64,
    /// When it was written; 0 while it was not.
    pub(crate) sent: u64,
    /// When the first byte of the answer came; 0 while none has.
    pub(crate) first_byte: u64,
    /// The whole answer came, and may the connection be kept?
    pub(crate) done: Option<bool>,
    /// It failed alone, and the connection lives on.
    pub(crate) failure: Option<Failure>,
    /// Whether it was already sent once, on a connection that the server closed meanwhile.
    pub(crate) again: bool,
    /// How often it was tried again by a client that does so.
    pub(crate) tries: u32,
    /// When the present try began.
    pub(crate) tried: u64,
    /// Whether it was begun after the window had closed, so that nothing about it counts.
    pub(crate) beyond: bool,
    /// Whether it was sent while at most half of the thread's slots had something to do.
    pub(crate) light: bool,
    pub(crate) progress: Progress,
}

/// In place of a name's number: that of a request which nobody could think of.
pub(crate) const NAMELESS: u32 = u32::MAX;

/// Which request is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    Prepared(u32),
    Made(Method),
}

/// What a method says of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Method {
    /// Whether its answer has no body to compare: a `HEAD`.
    pub(crate) bodiless: bool,
    /// Whether to ask twice is to ask once (RFC 9110, section 9.2.2), so that it may be sent again where nobody knows what became
    /// of it.
    pub(crate) idempotent: bool,
}

impl Method {
    /// By its name; of one that nobody knows, nothing is known.
    pub(crate) fn of(name: &[u8]) -> Self {
        let idempotent: [&[u8]; 6] = [b"GET", b"HEAD", b"PUT", b"DELETE", b"OPTIONS", b"TRACE"];
        Self {
            bodiless: name == b"HEAD",
            idempotent: idempotent.contains(&name),
        }
    }
}

impl Default for Which {
    fn default() -> Self {
        Self::Prepared(0)
    }
}

impl Flight {
    /// Whether it was when the window opened.
    #[inline]
    pub(crate) fn was_under_way(&self) -> bool {
        self.before > 0
    }

    /// Whether a whole response came, be it right or wrong.
    #[inline]
    pub(crate) fn is_answered(&self) -> bool {
        self.done.is_some() && self.failure.is_none()
    }

    /// Another request falls due.
    pub(crate) fn begin(&mut self, due: u64) {
        self.due = due;
        self.before = 0;
        self.again = false;
        self.tries = 0;
        self.tried = due;
        self.forget_sending();
    }

    /// Back to before it was sent; its due time stands.
    pub(crate) fn forget_sending(&mut self) {
        self.ready = self.due;
        self.sent = 0;
        self.first_byte = 0;
        self.done = None;
        self.failure = None;
        self.progress.clear();
    }

    /// Takes what arrived; whether that was the end of it.
    #[inline]
    pub(crate) fn take(&mut self, event: Event<'_>, now: u64, check: &Check) -> bool {
        match event {
            Event::FirstByte => self.first_byte = now,
            Event::Head { status, fields } => check.head(&mut self.progress, status, fields),
            Event::Body(piece) => check.piece(&mut self.progress, piece),
            Event::Stderr(piece) => self.progress.complain(piece),
            Event::Done { keep } => {
                self.done = Some(keep);
                return true;
            }
            Event::Failed(why) => {
                self.failure = Some(why);
                self.done = Some(true);
                return true;
            }
        }
        false
    }
}
