use crate::flight::Flight;

/// One connection that is to be kept busy, across all sockets it goes through.
pub(super) struct Line<S> {
    pub(super) session: Option<S>,
    pub(super) doing: Doing,
    pub(super) flight: Flight,
    /// Answers that the present socket has brought.
    pub(super) answers: u32,
    pub(super) opening_since: u64,
    /// How long the present socket took to open, for the phase in which it is used.
    pub(super) opened_in: Option<u64>,
    /// Failures of the connection in a row.
    pub(super) strikes: u32,
    /// Whether an alarm for its time limit is set.
    pub(super) limited: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doing {
    /// No request; the socket may be open.
    Resting,
    /// No request; it failed and waits.
    Pausing,
    /// No request; its connection is being opened for those to come.
    Preparing,
    /// A request waits for its connection.
    Opening,
    /// A request is sent.
    Waiting,
}

impl<S> Line<S> {
    pub(super) fn new() -> Self {
        Self {
            session: None,
            doing: Doing::Resting,
            flight: Flight::default(),
            answers: 0,
            opening_since: 0,
            opened_in: None,
            strikes: 0,
            limited: false,
        }
    }

    /// Whether a request is under way, sent or not.
    pub(super) fn is_busy(&self) -> bool {
        matches!(self.doing, Doing::Opening | Doing::Waiting)
    }
}
