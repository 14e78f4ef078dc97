//! Totals that only grow, over a window that may pause.

/// Totals as they were when the window opened, and as they are; what grew while it paused is taken out.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Grown<const N: usize> {
    before: Option<[f64; N]>,
    now: Option<[f64; N]>,
}

impl<const N: usize> Grown<N> {
    /// The window opens at these; none where the system does not tell.
    pub(super) fn open(&mut self, now: Option<[f64; N]>) {
        (self.before, self.now) = (now, now);
    }

    /// They are now these.
    pub(super) fn at(&mut self, now: Option<[f64; N]>) {
        self.now = now;
    }

    /// The window goes on at these: what grew since the last ones is others' doing.
    pub(super) fn resume(&mut self, now: Option<[f64; N]>) {
        if let (Some(before), Some(paused), Some(now)) = (&mut self.before, self.now, now) {
            for (at, before) in before.iter_mut().enumerate() {
                *before += now[at] - paused[at];
            }
        }
        self.now = now;
    }

    /// By how much they grew so far.
    pub(super) fn grown(&self) -> Option<[f64; N]> {
        let (now, before) = self.now.zip(self.before)?;
        Some(std::array::from_fn(|at| (now[at] - before[at]).max(0.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_grew_in_a_pause_does_not_count() {
        let mut totals = Grown::default();
        totals.open(Some([10.0, 0.5]));
        totals.at(Some([14.0, 0.5]));
        totals.resume(Some([114.0, 7.5]));
        totals.at(Some([115.0, 8.0]));
        assert_eq!(totals.grown(), Some([5.0, 0.5]));
        totals.at(None);
        assert_eq!(totals.grown(), None);
    }
}
