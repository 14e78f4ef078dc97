//! How a window opens while its load is under way.

use wire::Session;

use super::Worker;
use super::link::State;
use super::slot::Doing;
use crate::clock::ThreadCost;
use crate::recorder::Recorder;
use crate::segments::Segments;
use crate::slots::Slots;

impl<S: Session> Worker<'_, S> {
    /// A recorder of a window that opens at `start`.
    pub(super) fn recorder(&self, start: u64, length: Option<u64>) -> Recorder {
        let mut recorder = Recorder::new(start, length, self.config.names, self.config.slices);
        recorder.segments = Segments::new(start, self.config.segments);
        if self.config.held {
            recorder.slots = Slots::new(start, self.slots.len() as u64);
        }
        recorder
    }

    /// What was seen so far led in to the window, which opens at `start`. The requests that are under way are its
    /// first: it sees when they end.
    #[cold]
    pub(super) fn open_window(&mut self, start: u64) {
        self.opens = u64::MAX;
        let recorder = self.recorder(start, Some(self.end.saturating_sub(start)));
        let led = std::mem::replace(&mut self.recorder, recorder);
        self.recorder.led = led.facts.completed + led.unanswered();
        self.recorder.facts.examples = led.facts.examples;
        self.carry_connections();
        let recorder = &mut self.recorder;
        for slot in &mut self.slots {
            let flight = &mut slot.flight;
            match slot.doing {
                Doing::BackingOff | Doing::Opening | Doing::Queued | Doing::Waiting => {
                    flight.before = start.saturating_sub(flight.due);
                    recorder.begun(flight.due);
                    if flight.sent > 0 {
                        let late = flight.sent - flight.ready;
                        recorder.facts.lateness.record(late);
                    }
                }
                Doing::Pausing | Doing::Delaying => slot.paused = slot.paused.max(start),
                Doing::Resting | Doing::Asleep | Doing::Preparing => {}
            }
        }
        self.cost = ThreadCost::now(self.busy_waited);
    }

    /// Connections that are open already carry the window too.
    pub(super) fn carry_connections(&mut self) {
        for link in 0..self.links.len() {
            if let Some(opened_in) = self.links[link].opened_in {
                self.connected(opened_in);
            }
        }
    }

    /// The slices of a window that follow do not count once more what this one has.
    pub(super) fn forget_connections(&mut self) {
        for link in &mut self.links {
            if link.state != State::Securing {
                link.opened_in = None;
            }
        }
    }
}
