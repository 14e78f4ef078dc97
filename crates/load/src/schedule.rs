use std::sync::atomic::{AtomicU64, Ordering};

/// When requests fall due. The worker asks and never learns which shape of load it serves.
#[derive(Debug)]
pub(crate) enum Schedule<'a> {
    /// Closed loop: as soon as a connection is free, so many times.
    Count(Quota<'a>),
    /// Closed loop: as soon as a connection is free, until the window closes.
    Endless,
    /// No request any more.
    Over,
}

impl<'a> Schedule<'a> {
    /// This worker's part of a closed loop of `amount` requests, or of an endless one.
    pub(crate) fn closed(
        amount: Option<u64>,
        shared: &'a AtomicU64,
        own: u64,
        workers: u64,
    ) -> Self {
        match amount {
            Some(_) => Self::Count(Quota {
                own,
                shared,
                workers,
            }),
            None => Self::Endless,
        }
    }

    /// The due time of the request that a connection, free since `free`, is to carry next.
    #[inline]
    pub(crate) fn next(&mut self, free: u64) -> Option<u64> {
        match self {
            Self::Count(quota) => quota.take().then_some(free),
            Self::Endless => Some(free),
            Self::Over => None,
        }
    }
}

/// A worker's share of a number of requests. What nobody has begun lies in one shared number, so
/// that a slow worker's share is done by the others; batches keep it off the hot path, and shrink
/// towards the end so that nobody sits on requests that others could send.
#[derive(Debug)]
pub(crate) struct Quota<'a> {
    own: u64,
    shared: &'a AtomicU64,
    workers: u64,
}

/// Largest batch.
const BATCH: u64 = 256;

impl Quota<'_> {
    #[inline]
    fn take(&mut self) -> bool {
        if self.own == 0 {
            self.own = self.fetch();
        }
        if self.own == 0 {
            return false;
        }
        self.own -= 1;
        true
    }

    fn fetch(&self) -> u64 {
        let batch = |left: u64| (left / (8 * self.workers)).clamp(1, BATCH).min(left);
        self.shared
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                Some(left - batch(left))
            })
            .map_or(0, batch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take_all(mut schedule: Schedule<'_>) -> u64 {
        let mut taken = 0;
        while schedule.next(0).is_some() {
            taken += 1;
        }
        taken
    }

    #[test]
    fn workers_take_exactly_the_amount() {
        for (amount, owns) in [(10, [4, 3, 3]), (1_000, [4, 3, 3]), (100_003, [4, 3, 3])] {
            let shared = AtomicU64::new(amount - 10);
            let taken: u64 = std::thread::scope(|scope| {
                let workers = owns.map(|own| {
                    let schedule = Schedule::closed(Some(amount), &shared, own, 3);
                    scope.spawn(move || take_all(schedule))
                });
                workers.map(|worker| worker.join().unwrap()).iter().sum()
            });
            assert_eq!(taken, amount);
        }
    }

    #[test]
    fn a_slow_worker_leaves_the_rest_to_others() {
        let shared = AtomicU64::new(10_000);
        let mut slow = Schedule::closed(Some(10_000), &shared, 0, 2);
        let quick = Schedule::closed(Some(10_000), &shared, 0, 2);
        assert_eq!(slow.next(7), Some(7));
        let done = take_all(quick);
        assert!(done >= 10_000 - BATCH, "{done}");
    }
}
