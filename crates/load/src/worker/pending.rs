//! What a worker does with peers that do not read, and with answers that do not end.

use record::Cause;
use wire::Session;

use super::Worker;
use super::losing::Doomed;
use super::slot::Doing;
use crate::flight::Which;
use crate::pending::{MOST_PENDING, describe, is_beyond};

impl<S: Session> Worker<'_, S> {
    /// Looks at what a connection's peer has not taken. It is failed later: whoever sends may be in
    /// the middle of its slots.
    #[inline]
    pub(super) fn weigh(&mut self, c: usize) {
        if self.reactor.unsent(c) > MOST_PENDING && self.is_unread(c) {
            self.doomed.push(Doomed::Unread(c));
        }
    }

    #[cold]
    fn is_unread(&self, c: usize) -> bool {
        let slots = self.slots_of(c).map(|at| &self.slots[at]);
        let waiting = slots.filter(|slot| slot.doing == Doing::Waiting);
        let lengths = waiting.filter_map(|slot| match slot.flight.which {
            Which::Prepared(number) => Some(S::length(self.source.prepared(number))),
            Which::Made(_) => slot.made.as_ref().map(S::length),
        });
        is_beyond(self.reactor.unsent(c), lengths)
    }

    #[cold]
    pub(super) fn drop_unread(&mut self, c: usize, now: u64) {
        if !self.is_unread(c) {
            return; // it has another socket by now
        }
        let pending = self.reactor.unsent(c);
        self.gather(c);
        if !self.affected.is_empty() {
            self.recorder.example(Cause::Unread, || describe(pending));
        }
        self.drop_socket(c);
        self.each_affected(c, now, |worker, at| {
            worker.failed(at, Cause::Unread, now);
        });
    }

    /// Gives up an answer that is needed whole, and has grown beyond what is kept of it.
    #[cold]
    pub(super) fn cut(&mut self, at: usize, now: u64) {
        let flight = &self.slots[at].flight;
        if self.slots[at].doing != Doing::Waiting || !flight.progress.too_long {
            return; // it has come to its end in the same turn
        }
        let check = &self.config.checks[flight.expected as usize];
        let words = || check.describe(&flight.progress);
        self.recorder.example(Cause::TooLong, words);
        self.release(at, now);
        self.slots[at].doing = Doing::Waiting; // it was sent, and has failed
        self.failed(at, Cause::TooLong, now);
        self.unqueue(self.link_of(at), now);
    }
}
