//! When a warm-up has lasted long enough.

/// Nanoseconds of a look at the warm-up: long enough for a rate that means something, short enough
/// not to make a quick server wait.
const LOOK: u64 = 400_000_000;
/// How far two looks in a row may be from the two before them, as a share.
const RATE: f64 = 0.05;
/// Medians of short looks scatter more than rates.
const MEDIAN: f64 = 0.10;

/// Rate and median over the course of a warm-up: they are stationary once the last two looks agree
/// with the two before them.
#[derive(Debug, Default)]
pub(crate) struct Course {
    looks: Vec<(f64, f64)>,
    /// When the last look was, and how many requests had been answered.
    last: (u64, u64),
}

impl Course {
    /// So many nanoseconds into the warm-up, so many requests have been answered, of late with this
    /// median in seconds.
    pub(crate) fn hear(&mut self, elapsed: u64, completed: u64, median: Option<f64>) {
        let (then, before) = self.last;
        if elapsed < then + LOOK {
            return;
        }
        self.last = (elapsed, completed);
        let rate = (completed - before) as f64 / (elapsed - then) as f64;
        self.looks.push((rate, median.unwrap_or(0.0)));
    }

    pub(crate) fn is_stationary(&self) -> bool {
        let [.., first, second, third, fourth] = self.looks.as_slice() else {
            return false;
        };
        let agree = |earlier: f64, later: f64, share: f64| {
            earlier > 0.0 && (later / earlier - 1.0).abs() <= share
        };
        let mean = |one: f64, other: f64| f64::midpoint(one, other);
        agree(mean(first.0, second.0), mean(third.0, fourth.0), RATE)
            && agree(mean(first.1, second.1), mean(third.1, fourth.1), MEDIAN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settles_at(looks: &[(f64, f64)]) -> Option<usize> {
        let mut course = Course::default();
        looks.iter().position(|&(rate, median)| {
            course.looks.push((rate, median));
            course.is_stationary()
        })
    }

    #[test]
    fn a_course_that_rises_is_not_stationary() {
        let rising: Vec<_> = (1..20)
            .map(|look| (f64::from(look) * 100.0, 0.01))
            .collect();
        // Until a step is less than the tolerance: from 2 x 100/(n) on.
        assert!(settles_at(&rising[..15]).is_none());
        let warming = [(10.0, 0.1), (60.0, 0.03), (90.0, 0.02), (100.0, 0.01)];
        let steady = [
            (101.0, 0.01),
            (99.0, 0.0101),
            (100.0, 0.0099),
            (100.0, 0.01),
        ];
        let course = [warming, steady].concat();
        assert_eq!(settles_at(&course), Some(6));
    }

    #[test]
    fn a_median_that_falls_while_the_rate_stands_is_not_stationary() {
        let falling: Vec<_> = (0..8)
            .map(|look| (100.0, 1.0 / f64::from(1 << look)))
            .collect();
        assert_eq!(settles_at(&falling), None);
        assert_eq!(settles_at(&[(0.0, 0.0); 8]), None, "nothing is answered");
    }
}
