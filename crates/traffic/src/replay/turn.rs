use std::sync::atomic::{AtomicU64, Ordering};

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
