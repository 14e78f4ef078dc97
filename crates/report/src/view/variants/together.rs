//! Figures of all times of a variant together, which have no interval.

use std::collections::BTreeMap;

use judge::{Figure, VariantOpinion};
use record::{Distribution, Metric};

use crate::{units, words};

/// The longest of all times together, where a quantile in the same row is of all of them: that may be longer than the median
/// of the blocks' longest.
pub(super) fn longest(
    figures: &BTreeMap<Metric, Figure>,
    response: &Distribution,
    metric: Metric,
) -> Option<Figure> {
    let of_blocks = |of: Metric| {
        let figure = figures.get(&of);
        figure.is_some_and(|figure| figure.interval.is_some())
    };
    let together = Metric::columns().any(|of| of.quantile().is_some() && !of_blocks(of));
    let longest = response.max();
    let value = longest.filter(|_| metric == Metric::Max && together)?;
    Some(Figure {
        value,
        interval: None,
    })
}

/// What stands where a variant has no figure: the lower bound of a quantile, of all its times together.
pub(super) fn bound(variant: &VariantOpinion, metric: Metric) -> String {
    let quantile = metric.quantile();
    quantile.map_or_else(
        || units::NOTHING.to_owned(),
        |q| words::quantile(&variant.response, q),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_quantile_is_longer_than_the_longest_beside_it() {
        let mut response = Distribution::default();
        (1..=1_200).for_each(|milliseconds| response.record(milliseconds * 1_000_000));
        let longest = |interval: Option<(f64, f64)>, metric| {
            let value = 1.0;
            let quantiles = [Metric::P50, Metric::P90, Metric::P95, Metric::P99];
            let figures = quantiles.map(|metric| (metric, Figure { value, interval }));
            super::longest(&figures.into(), &response, metric).map(|of| of.value)
        };
        // the 99th percentile of all blocks together, beside the median of their longest
        let all = longest(None, Metric::Max).unwrap();
        assert!(all >= response.quantile(0.99).unwrap(), "{all}");
        assert_eq!(longest(None, Metric::Mean), None);
        // where each block has its own quantiles, it has its own longest
        assert_eq!(longest(Some((0.9, 1.1)), Metric::Max), None);
    }
}
