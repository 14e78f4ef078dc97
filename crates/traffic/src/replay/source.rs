use std::sync::atomic::{AtomicU64, Ordering};

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

/// Which request of a recording is next, among all threads: each is asked once, and in the recorded
/// order, however fast the threads are. One shared number, as nothing else keeps that order.
#[derive(Debug, Default)]
pub(super) struct Turn(AtomicU64);

/// Bits of the number; above them is the phase to which it belongs.
const BITS: u32 = 48;

impl Turn {
    /// The number of the next request of a phase, which begins at 0. All threads end a phase before
    /// one of them begins the next.
    pub(super) fn take(&self, phase: u64) -> usize {
        let begin = phase << BITS;
        let next = |now: u64| Some(now.max(begin) + 1);
        let (set, get) = (Ordering::Relaxed, Ordering::Relaxed);
        let before = self.0.fetch_update(set, get, next);
        let before = before.unwrap_or_else(|now| now);
        (before.max(begin) - begin) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::Turn;

    #[test]
    fn each_phase_begins_at_the_beginning() {
        let turn = Turn::default();
        assert_eq!([turn.take(1), turn.take(1), turn.take(1)], [0, 1, 2]);
        assert_eq!([turn.take(2), turn.take(2)], [0, 1]);
    }
}
