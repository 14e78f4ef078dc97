//! When no response came on any connection, though each had a request under way.

use record::{Pause, PauseFacts};

use crate::clock::seconds;

/// How long nothing must come for it, in nanoseconds.
const LONG: u64 = 100_000_000;

/// One worker's part: the stretches in which its connections were silent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Silence {
    start: u64,
    last: u64,
    /// From and until, in order.
    stretches: Vec<(u64, u64)>,
}

impl Silence {
    pub(crate) fn since(start: u64) -> Self {
        Self {
            start,
            last: start,
            stretches: Vec::new(),
        }
    }

    /// A request came to an end, or the window did.
    #[inline]
    pub(crate) fn heard(&mut self, now: u64) {
        if now.saturating_sub(self.last) >= LONG {
            self.stretches.push((self.last, now)); // ten a second at most
        }
        self.last = now;
    }

    /// Leaves the stretches in which the other worker's connections were silent too.
    pub(crate) fn merge(&mut self, other: &Self) {
        let both = self.stretches.iter().flat_map(|&(from, until)| {
            let theirs = other.stretches.iter();
            theirs.map(move |of| (from.max(of.0), until.min(of.1)))
        });
        self.stretches = both.filter(|(from, until)| *until >= from + LONG).collect();
        self.start = self.start.min(other.start);
    }

    /// In figures, of a window that ended at `end`.
    pub(crate) fn told(&self, end: u64) -> PauseFacts {
        let mut facts = PauseFacts::default();
        for &(from, until) in &self.stretches {
            let until = until.min(end);
            if until < from + LONG {
                continue;
            }
            let length = seconds(until - from);
            let since = |moment: u64| seconds(moment.saturating_sub(self.start));
            let one = PauseFacts {
                longest: length,
                total: length,
                suspended: 0.0,
                stretches: vec![Pause {
                    from: since(from),
                    until: since(until),
                }],
            };
            facts.follow(one, 0.0);
        }
        facts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLISECOND: u64 = 1_000_000;

    fn heard(at: &[u64]) -> Silence {
        let mut silence = Silence::since(0);
        for at in at {
            silence.heard(at * MILLISECOND);
        }
        silence
    }

    #[test]
    fn a_silence_is_one_of_all_workers() {
        let mut one = heard(&[10, 20, 990, 1_010, 1_500]);
        assert!((one.told(1_500 * MILLISECOND).total - 1.46).abs() < 1e-9);
        one.merge(&heard(&[10, 300, 900, 1_405, 1_500]));
        // 20 to 300, 300 to 900, 1,010 to 1,405
        let told = one.told(1_500 * MILLISECOND);
        assert_eq!(told.stretches.len(), 3);
        assert!((told.longest - 0.6).abs() < 1e-9, "{told:?}");
        one.merge(&heard(&(0..30).map(|at| at * 50).collect::<Vec<_>>()));
        assert_eq!(one.told(1_500 * MILLISECOND), PauseFacts::default());
    }

    #[test]
    fn what_lies_beyond_the_end_is_not_told() {
        let silence = heard(&[10, 2_000]);
        let told = silence.told(500 * MILLISECOND);
        assert!((told.longest - 0.49).abs() < 1e-9, "{told:?}");
    }
}
