//! A condition about figures of variants.

use crate::Metric;

use super::{Bound, Cursor, ExpectError, parse};

/// A condition that was read, ready to be decided.
#[derive(Clone, Debug, PartialEq)]
pub struct Expect {
    /// As it was written.
    pub text: String,
    /// The figure, or the one above the line.
    pub of: Figure,
    /// The figure below the line of a ratio.
    pub over: Option<Figure>,
    /// The ratio by which the first one is divided, of a ratio of ratios.
    pub against: Option<[Figure; 2]>,
    /// Whether it is about the figures under this load, and not about what the servers could do under more.
    pub as_loaded: bool,
    /// What the side must satisfy, all of it.
    pub bounds: Vec<Bound>,
}

/// A metric of a variant, or of several that a sweep has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// Which one of several variants' figures.
    pub pick: Pick,
    /// The metric.
    pub metric: Metric,
    /// The variant's name, or what selects several.
    pub variant: String,
    /// Where the name stands in the text: byte offset.
    pub(super) at: usize,
}

impl Figure {
    /// A metric of all the variants that a name means.
    pub fn of(pick: Pick, metric: Metric, variant: String) -> Self {
        let at = 0;
        Self {
            pick,
            metric,
            variant,
            at,
        }
    }
}

/// What becomes of several variants' figures of one block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pick {
    /// Their arithmetic mean.
    #[default]
    Mean,
    /// The smallest.
    Least,
    /// The largest.
    Largest,
}

impl Expect {
    /// Reads a condition as it may stand in a stored plan: numbers without a unit are in the metric's
    /// own (seconds, bytes, a share from 0 to 1).
    ///
    /// # Errors
    /// It is not one; the error says where and what was expected there.
    pub fn parse(text: &str) -> Result<Self, ExpectError> {
        parse::figures(&mut Cursor::new(text))
    }

    /// The figures it is about: one, two of a ratio, four of a ratio of ratios.
    pub fn figures(&self) -> impl Iterator<Item = &Figure> + Clone {
        let first = [Some(&self.of), self.over.as_ref()].into_iter().flatten();
        first.chain(self.against.iter().flatten())
    }

    /// Both figures of a ratio of throughputs, the one above the line first: what a machine carries by each.
    pub fn carried(&self) -> Option<[&Figure; 2]> {
        let over = self.over.as_ref().filter(|_| self.against.is_none())?;
        let both = [&self.of, over];
        let carried = both.iter().all(|of| of.metric == Metric::Throughput);
        carried.then_some(both)
    }

    /// The figures with which its value rises, and those with which it falls.
    pub fn sides(&self) -> [Vec<&Figure>; 2] {
        let [above, below] = match &self.against {
            Some([above, below]) => [Some(above), Some(below)],
            None => [None, None],
        };
        let both = |one: Option<_>, other: Option<_>| one.into_iter().chain(other).collect();
        [both(Some(&self.of), below), both(self.over.as_ref(), above)]
    }
}
