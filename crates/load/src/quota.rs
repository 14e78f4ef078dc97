use std::sync::atomic::{AtomicU64, Ordering};

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

impl<'a> Quota<'a> {
    pub(crate) fn new(own: u64, shared: &'a AtomicU64, workers: u64) -> Self {
        Self {
            own,
            shared,
            workers,
        }
    }

    #[inline]
    pub(crate) fn take(&mut self) -> bool {
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

    fn take_all(mut quota: Quota<'_>) -> u64 {
        let mut taken = 0;
        while quota.take() {
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
                    let quota = Quota::new(own, &shared, 3);
                    scope.spawn(move || take_all(quota))
                });
                workers.map(|worker| worker.join().unwrap()).iter().sum()
            });
            assert_eq!(taken, amount);
        }
    }

    #[test]
    fn a_slow_worker_leaves_the_rest_to_others() {
        let shared = AtomicU64::new(10_000);
        let mut slow = Quota::new(0, &shared, 2);
        let quick = Quota::new(0, &shared, 2);
        assert!(slow.take());
        let done = take_all(quick);
        assert!(done >= 10_000 - BATCH, "{done}");
    }
}
