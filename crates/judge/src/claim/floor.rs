//! How far apart equal trials surely are in the run: so far from its edge a ratio has to be. What chance does from block to
//! block is in its interval.

use record::condition::{Bound, Expect, Figure};
use stats::Estimate;

use super::blocks::edges;
use crate::compare::surely_apart;
use crate::seen_run::SeenRun;
use crate::words::percent;

/// The noise floor of a condition.
pub(super) struct Floor {
    /// By how many times equal trials differ. `None` for what is no ratio, and where no A/A pair is surely apart.
    factor: Option<f64>,
}

impl Floor {
    /// Of a ratio by the noisier of its metrics. A ratio of ratios has two such differences: as they are independent, their
    /// squares add up.
    pub(super) fn of(seen_run: &SeenRun, expect: &Expect) -> Self {
        let ratio = |of: &Figure, over: &Figure| {
            let mut metrics = vec![of.metric, over.metric];
            metrics.dedup();
            let shares = metrics
                .into_iter()
                .filter_map(|metric| surely_apart(seen_run, metric));
            shares.reduce(f64::max).map(f64::ln_1p)
        };
        let over = expect.over.as_ref();
        let first = over.and_then(|over| ratio(&expect.of, over));
        let against = expect.against.as_ref();
        let second = against.and_then(|[above, below]| ratio(above, below));
        let apart = [first, second].into_iter().flatten().reduce(f64::hypot);
        Self {
            factor: apart.map(f64::exp),
        }
    }

    /// The interval that decides: that of the estimate, and no narrower to either side than equal trials differ. What lies
    /// inside it is an edge of which nothing can be told.
    pub(super) fn widened(&self, estimate: Estimate) -> Option<(f64, f64)> {
        let (low, high) = estimate.interval?;
        let Some(factor) = self.factor else {
            return Some((low, high));
        };
        let value = estimate.value;
        Some((low.min(value / factor), high.max(value * factor)))
    }

    /// Whether equal trials differ by as much as a value from one of these edges.
    pub(super) fn reaches_an_edge(&self, value: f64, bounds: &[Bound]) -> bool {
        self.factor.is_some_and(|factor| {
            let near = value / factor..=value * factor;
            let mut edges = bounds.iter().flat_map(edges);
            edges.any(|edge| near.contains(&edge))
        })
    }

    /// That an edge is so near, and what would tell.
    pub(super) fn told(&self, seen_run: &SeenRun) -> String {
        let variant = seen_run.run.plan.noise_floor.as_deref();
        format!(
            "equal trials of `{}` are {} apart and more, and the edge is nearer than that: more blocks tell only if they \
             come together",
            variant.unwrap_or_default(),
            percent(self.factor.unwrap_or(1.0) - 1.0)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_is_as_wide_as_the_noise_floor_to_both_sides() {
        let estimate = Estimate {
            value: 2.0,
            interval: Some((1.9, 2.6)),
        };
        let of = |factor| Floor { factor };
        assert_eq!(of(None).widened(estimate), Some((1.9, 2.6)));
        assert_eq!(of(Some(1.25)).widened(estimate), Some((1.6, 2.6)));
        assert_eq!(of(Some(2.0)).widened(estimate), Some((1.0, 4.0)));
        let unknown = Estimate {
            interval: None,
            ..estimate
        };
        assert_eq!(of(Some(2.0)).widened(unknown), None);
    }

    #[test]
    fn the_pair_is_needed_where_an_edge_is_near() {
        let near = |factor, bound| Floor { factor }.reaches_an_edge(2.0, &[bound]);
        assert!(near(Some(1.25), Bound::AtLeast(1.7)));
        assert!(near(Some(1.25), Bound::Within(0.5, 2.4)));
        assert!(!near(Some(1.25), Bound::AtLeast(1.5)));
        assert!(!near(None, Bound::AtLeast(2.0)));
    }
}
