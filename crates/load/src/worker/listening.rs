//! What a worker does with what has happened to its connections.

use wire::Session;

use super::Worker;
use crate::reactor::Happening;

impl<S: Session> Worker<'_, S> {
    /// Handles all that has happened, and returns when that was done. The clock is read for each thing apart: in a long turn
    /// the first and the last are far from each other.
    pub(super) fn listen(&mut self) -> u64 {
        let mut first = None;
        while let Some((at, happening)) = self.reactor.next() {
            self.expect_next();
            let now = self.config.clock.now();
            first.get_or_insert(now);
            self.look(now);
            match happening {
                Happening::Received(length) => self.received(at, length, now),
                Happening::Opened => self.opened(at, now),
                Happening::Ended => self.ended(at, now),
                Happening::Failed(error) => self.broken(at, &error, now),
            }
            self.fail_doomed(now);
            self.wake(now);
        }
        let now = self.config.clock.now();
        if let Some(first) = first.filter(|_| !self.draining) {
            self.recorder.facts.turns.record(now - first);
        }
        now
    }

    /// Has what is known of the connection that comes next brought to where it can be looked at.
    #[inline]
    fn expect_next(&self) {
        let link = self
            .reactor
            .soon()
            .and_then(|at| self.links.get(at).map(|link| (at, link)));
        if let Some((at, link)) = link {
            kernel::prefetch(link);
            if let Some(slot) = self.slots.get(at * self.depth) {
                kernel::prefetch(slot);
            }
        }
    }
}
