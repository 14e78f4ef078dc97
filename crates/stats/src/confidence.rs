/// How sure an interval is: the chance of missing that it leaves on each of its sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Confidence {
    tail: f64,
}

impl Confidence {
    /// 95 %, where nothing asks for more.
    pub const USUAL: Self = Self { tail: 0.025 };

    /// With this chance of missing on each side, above 0 and below one half; what lies beyond is taken for the nearest.
    pub(crate) fn with_tail(tail: f64) -> Self {
        let tail = tail.clamp(1e-9, 0.499);
        Self { tail }
    }

    /// The chance of missing on each side.
    pub fn tail(self) -> f64 {
        self.tail
    }

    /// The chance of containing the truth: 0.95.
    pub fn share(self) -> f64 {
        1.0 - 2.0 * self.tail
    }

    /// The same where so many intervals are to hold together (Bonferroni).
    #[must_use]
    pub(crate) fn shared_by(self, intervals: usize) -> Self {
        Self::with_tail(self.tail / intervals.max(1) as f64)
    }
}

impl Default for Confidence {
    fn default() -> Self {
        Self::USUAL
    }
}
