use std::time::Duration;

/// Most times that are kept: the first ones. What a program does it does from its beginning.
const MOST: usize = 10_000;

/// Some times, of which the first ten thousand are kept.
#[derive(Clone, Debug, Default)]
pub struct Gaps {
    nanoseconds: Vec<u64>,
    count: u64,
}

impl Gaps {
    /// One more.
    pub fn add(&mut self, gap: Duration) {
        self.count += 1;
        if self.nanoseconds.len() < MOST {
            self.nanoseconds.push(gap.as_nanos() as u64);
        }
    }

    /// How many there were.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The median of those that are kept, in seconds; `None` of none.
    pub fn median(&self) -> Option<f64> {
        let mut sorted = self.nanoseconds.clone();
        sorted.sort_unstable();
        let middle = sorted.get(sorted.len() / 2)?;
        Some(*middle as f64 / 1e9)
    }
}

/// The times of bodies that came after their heads.
#[derive(Debug, Default)]
pub(crate) struct Waits {
    pub(crate) all: Gaps,
    pub(crate) stalled: Gaps,
    pub(crate) acknowledged: Gaps,
}
