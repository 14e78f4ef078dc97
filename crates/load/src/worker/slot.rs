use crate::flight::Flight;

/// Carries one request after another, across all sockets of its connection, which it may share
/// with others.
pub(super) struct Slot<R> {
    pub(super) doing: Doing,
    pub(super) flight: Flight,
    /// The request, if it was made for this one time.
    pub(super) made: Option<R>,
    /// When the alarm for its time limits rings; `u64::MAX` while none is set.
    pub(super) limited: u64,
    /// Failures in a row.
    pub(super) strikes: u32,
    /// When the present pause began: the one after a failure, or the user's own.
    pub(super) paused: u64,
    /// Nanoseconds of the user's own, whole.
    pub(super) sleep: u64,
    /// Whether its user has asked something in this phase.
    pub(super) begun: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doing {
    /// No request; there may be one at any time.
    Resting,
    /// No request; until another slot's answer brings one, there is none to be had.
    Asleep,
    /// No request; it failed and waits.
    Pausing,
    /// No request; its connection is being opened for those to come.
    Preparing,
    /// A request whose user sleeps before it: until it is ready.
    Delaying,
    /// A request that failed and waits to be tried again.
    BackingOff,
    /// A request waits for its connection to open.
    Opening,
    /// A request waits for its connection, which is open, to take it.
    Queued,
    /// A request is sent.
    Waiting,
}

impl<R> Slot<R> {
    pub(super) fn new() -> Self {
        Self {
            doing: Doing::Resting,
            flight: Flight::default(),
            made: None,
            limited: u64::MAX,
            strikes: 0,
            paused: 0,
            sleep: 0,
            begun: false,
        }
    }

    /// Whether a request has fallen due and is under way, sent or not.
    pub(super) fn is_busy(&self) -> bool {
        use Doing::{BackingOff, Opening, Queued, Waiting};
        matches!(self.doing, BackingOff | Opening | Queued | Waiting)
    }
}
