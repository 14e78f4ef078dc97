use load::{Asked, RequestStream, What};

use super::Replay;

/// One thread's part of a recording: every so many-th request, or whatever is next when it has time.
pub(super) struct ReplayStream {
    replay: Replay,
    worker: usize,
    workers: usize,
    /// The next request's number, where times say which thread's it is.
    next: usize,
    /// How many phases have begun.
    phase: u64,
    /// When the recording's first request would have been due, on the load's clock.
    opened: Option<u64>,
}

impl ReplayStream {
    pub(super) fn new(replay: Replay, worker: usize, workers: usize) -> Self {
        Self {
            replay,
            worker,
            workers,
            next: worker,
            phase: 0,
            opened: None,
        }
    }

    /// Passes over requests that fell due and were never begun (dropped), so that those after them keep
    /// their times. A due time that is none of the recording's passes over nothing.
    fn catch_up(&mut self, due: u64) {
        let Some(times) = &self.replay.times else {
            return;
        };
        let Some(&time) = times.get(self.next) else {
            return;
        };
        let opened = *self.opened.get_or_insert(due.saturating_sub(time));
        let since = due.saturating_sub(opened);
        if time >= since {
            return;
        }
        let first = times.partition_point(|&time| time < since);
        let mine = (first..times.len())
            .take_while(|&number| times[number] == since)
            .find(|number| number % self.workers == self.worker);
        if let Some(mine) = mine {
            self.next = mine;
        }
    }
}

impl RequestStream for ReplayStream {
    fn begin(&mut self, _connection: usize, due: u64) -> Result<Asked, String> {
        let number = if self.replay.times.is_some() {
            self.catch_up(due);
            let number = self.next;
            // A thread that has come to the end begins its part again.
            self.next = match number + self.workers {
                next if next < self.replay.recording.entries.len() => next,
                _ => self.worker,
            };
            number
        } else {
            self.replay.turn.take(self.phase)
        };
        let recording = &self.replay.recording;
        // With more threads than requests some share them, and what is over begins again.
        let entry = recording.entries[number % recording.entries.len()];
        let made = recording.unprepared(entry.request);
        Ok(Asked {
            what: made.map_or(What::Prepared(entry.request), |request| {
                What::Request(Box::new(request))
            }),
            name: u32::from(entry.name),
            expected: u32::from(entry.expected),
            delay: 0,
        })
    }

    fn restart(&mut self) {
        self.next = self.worker;
        self.phase += 1;
        self.opened = None;
    }
}
