use rand::RngExt as _;
use rand_chacha::ChaCha8Rng;

use crate::interval::FEWEST;
use crate::quantile::{median, of_ascending};

/// A figure that was measured at several levels of something, block by block.
///
/// A block is whole when it has the figure at every level. Values use all that is there; intervals
/// use whole blocks, since a curve with a hole is another curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    levels: Vec<f64>,
    medians: Vec<f64>,
    /// Whole blocks, each with its figures in the order of the levels.
    whole: Vec<Vec<f64>>,
}

impl Curve {
    /// A curve of levels, each with its figure in each block (nothing where a block has none; as
    /// many places as there are blocks). Levels without any figure are left out.
    ///
    /// `None` without a level, with a level twice, or with a number that is not finite.
    pub fn new(points: &[(f64, Vec<Option<f64>>)]) -> Option<Self> {
        let points = points.iter();
        let known = points.filter(|(_, blocks)| blocks.iter().any(Option::is_some));
        let mut points: Vec<_> = known.collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let levels: Vec<f64> = points.iter().map(|(level, _)| *level).collect();
        let rises = levels.windows(2).all(|pair| pair[0] < pair[1]);
        if levels.is_empty() || !rises || !levels.iter().all(|level| level.is_finite()) {
            return None;
        }
        let there = |blocks: &[Option<f64>]| blocks.iter().flatten().copied().collect::<Vec<_>>();
        let medians = points.iter().map(|(_, blocks)| median(&there(blocks)));
        let medians: Option<Vec<f64>> = medians.collect();
        let blocks = points.iter().map(|(_, blocks)| blocks.len()).min()?;
        let block = |block: usize| points.iter().map(|(_, of)| of[block]).collect();
        Some(Self {
            medians: medians?,
            whole: (0..blocks).filter_map(block).collect(),
            levels,
        })
    }

    /// Levels, ascending.
    pub fn levels(&self) -> &[f64] {
        &self.levels
    }

    /// The median over blocks at each level.
    pub fn medians(&self) -> &[f64] {
        &self.medians
    }

    /// The blocks that have every level, if they are enough for an interval.
    pub(crate) fn enough(&self) -> Option<&[Vec<f64>]> {
        (self.whole.len() >= FEWEST).then_some(&self.whole)
    }

    /// The blocks that have every level.
    pub(crate) fn whole(&self) -> &[Vec<f64>] {
        &self.whole
    }

    /// The medians over as many whole blocks, drawn with replacement: a block stays together, so
    /// that what its points share (a busy minute) is resampled as it was.
    pub(crate) fn resampled(&self, random: &mut ChaCha8Rng) -> Vec<f64> {
        let blocks = self.whole.len();
        let drawn = (0..blocks).map(|_| random.random_range(0..blocks));
        let drawn: Vec<usize> = drawn.collect();
        let at = |level: usize| {
            let values = drawn.iter().map(|block| self.whole[*block][level]);
            let mut values: Vec<f64> = values.collect();
            values.sort_unstable_by(f64::total_cmp);
            of_ascending(&values, 0.5)
        };
        (0..self.levels.len()).map(at).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_sorted_and_holes_cost_their_block() {
        let points = [
            (10.0, vec![Some(3.0), None, Some(5.0)]),
            (1.0, vec![Some(1.0), Some(2.0), Some(4.0)]),
            (5.0, vec![None, None, None]),
        ];
        let curve = Curve::new(&points).unwrap();
        assert_eq!(curve.levels(), [1.0, 10.0]);
        assert_eq!(curve.medians(), [2.0, 4.0]);
        assert_eq!(curve.whole(), [vec![1.0, 3.0], vec![4.0, 5.0]]);
        assert_eq!(curve.enough(), None);
    }

    #[test]
    fn nonsense_is_no_curve() {
        assert_eq!(Curve::new(&[]), None);
        let one = |level: f64, value: f64| (level, vec![Some(value)]);
        assert_eq!(Curve::new(&[one(1.0, 1.0), one(1.0, 2.0)]), None);
        assert_eq!(Curve::new(&[one(f64::NAN, 1.0)]), None);
        assert_eq!(Curve::new(&[one(1.0, f64::INFINITY)]), None);
    }
}
