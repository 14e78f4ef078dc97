use crate::clock::nanoseconds;

/// How often a slow connection moves, at most, per second. More often would be no slower for the
/// server, and cost more.
const BEATS: f64 = 10.0;

/// Things that happen at a rate: equal gaps, none of them lost to rounding or to a late thread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beat {
    /// Nanoseconds.
    gap: f64,
    start: u64,
    count: u64,
}

impl Beat {
    /// The first is one gap after `start`, nanoseconds of the load's clock.
    pub(super) fn new(rate: f64, start: u64) -> Self {
        Self {
            gap: 1e9 / rate,
            start,
            count: 1,
        }
    }

    /// When the next one falls due.
    pub(super) fn next(&self) -> u64 {
        self.start
            .saturating_add((self.count as f64 * self.gap) as u64)
    }

    /// Takes one that has fallen due.
    pub(super) fn take(&mut self, now: u64) -> bool {
        let due = self.next() <= now;
        self.count += u64::from(due);
        due
    }
}

/// The pace of a slow connection: so many bytes, so often.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trickle {
    /// Bytes at once.
    pub(super) piece: usize,
    /// Nanoseconds between.
    pub(super) gap: u64,
}

impl Trickle {
    /// Bytes per second.
    pub(super) fn new(rate: f64) -> Self {
        let piece = (rate / BEATS).round().max(1.0);
        Self {
            piece: piece as usize,
            // A byte a day is as slow as a clock of nanoseconds needs to know.
            gap: nanoseconds((piece / rate).min(86_400.0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pace_is_exact_however_slow() {
        for rate in [0.5, 1.0, 3.0, 10.0, 14.0, 1_000.0, 1e6] {
            let pace = Trickle::new(rate);
            let got = pace.piece as f64 / (pace.gap as f64 / 1e9);
            assert!((got / rate - 1.0).abs() < 1e-6, "{got} for {rate}");
        }
        assert_eq!(Trickle::new(1_000.0).piece, 100);
        assert_eq!(Trickle::new(2.0).piece, 1);
    }

    #[test]
    fn beats_do_not_drift_and_are_never_lost() {
        let mut beat = Beat::new(3.0, 1_000);
        let mut taken = 0;
        // A thread that looks up seldom and late.
        for second in 1..=1_000_u64 {
            while beat.take(1_000 + second * 1_000_000_000 + second % 7) {
                taken += 1;
            }
        }
        assert_eq!(taken, 3_000);
        assert!(!beat.take(0));
    }
}
