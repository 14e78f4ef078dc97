//! What the trials of a variant come to in each block, by themselves and as they are compared.
//!
//! Where not all variants of a block fit at the same time, each of its groups has an instance of the baseline. A group has a
//! time of its own, and so a noise of its own: what the machine did to it, it did to that instance, too.

use std::collections::BTreeMap;

use record::Metric;
use record::metric::Dimension;

use super::{Seen, SeenRun};

/// The figures of trials by their block and group.
type Placed = BTreeMap<(u32, u32), Vec<f64>>;

impl SeenRun<'_> {
    /// A variant's figure in each block in which a trial of it counts and has the figure: where it runs more than once in a
    /// block, what these come to together.
    pub(crate) fn by_block(&self, variant: &str, metric: Metric) -> BTreeMap<u32, f64> {
        merged(metric, counted(|| self.of(variant), metric))
    }

    /// The same as it is compared with that of other variants: in a block of several groups at the pace that the baseline had
    /// in all of them, so that of two variants the ratio is that of their ratios to the baseline, each within its group.
    /// Where the baseline's figure of a group is missing, so are those of the group.
    pub(crate) fn compared(&self, variant: &str, metric: Metric) -> BTreeMap<u32, f64> {
        let own = counted(|| self.of(variant), metric);
        self.at_one_pace(metric, own, || counted(|| self.instances(), metric))
    }

    /// The figure of one half of the A/A pair in each block.
    pub(crate) fn half_by_block(
        &self,
        variant: &str,
        again: bool,
        metric: Metric,
    ) -> BTreeMap<u32, f64> {
        merged(metric, counted(|| self.half(variant, again), metric))
    }

    /// A variant's figure in each block, of trials too in which the generator was the bottleneck.
    pub(crate) fn with_limits(&self, variant: &str, metric: Metric) -> BTreeMap<u32, f64> {
        let tells = |seen: &Seen| seen.tells_least(metric);
        merged(metric, placed(self.of(variant), metric, tells))
    }

    /// The same as it is compared.
    pub(crate) fn compared_with_limits(&self, variant: &str, metric: Metric) -> BTreeMap<u32, f64> {
        let tells = |seen: &Seen| seen.tells_least(metric);
        let own = placed(self.of(variant), metric, tells);
        self.at_one_pace(metric, own, || placed(self.instances(), metric, tells))
    }

    /// Sizes, shares and counts do not go by the machine's pace.
    fn at_one_pace(
        &self,
        metric: Metric,
        own: Placed,
        baseline: impl Fn() -> Placed,
    ) -> BTreeMap<u32, f64> {
        use Dimension::{CpuTime, Rate, Time};
        if !self.has_groups || !matches!(metric.dimension(), Rate | Time | CpuTime) {
            return merged(metric, own);
        }
        let baseline = baseline();
        let usual = merged(metric, baseline.clone());
        let at_usual = own.into_iter().filter_map(|(place, figures)| {
            let Some(usual) = usual.get(&place.0) else {
                return Some((place, figures));
            };
            let there = together(metric, baseline.get(&place)?);
            let factor = if there > 0.0 { usual / there } else { 1.0 };
            let figures = figures.into_iter().map(|figure| figure * factor);
            Some((place, figures.collect()))
        });
        merged(metric, at_usual.collect())
    }
}

/// The figures of those that count. None of a quantile that a counted trial has too few responses for: those that have enough
/// of them were the quick ones.
fn counted<'a, 'b: 'a, I: Iterator<Item = &'a Seen<'b>>>(
    trials: impl Fn() -> I,
    metric: Metric,
) -> Placed {
    let counts = |seen: &Seen| seen.counts_for(metric);
    let lacks = |seen: &Seen| counts(seen) && !seen.opinion.figures.contains_key(&metric);
    if metric.quantile().is_some() && trials().any(lacks) {
        return Placed::new();
    }
    placed(trials(), metric, counts)
}

/// The figures of the trials that enter.
fn placed<'a, 'b: 'a>(
    trials: impl Iterator<Item = &'a Seen<'b>>,
    metric: Metric,
    enters: impl Fn(&Seen) -> bool,
) -> Placed {
    let mut placed = Placed::new();
    for seen in trials.filter(|seen| enters(seen)) {
        if let Some(figure) = seen.opinion.figures.get(&metric) {
            let place = (seen.trial.block, seen.trial.group);
            placed.entry(place).or_default().push(*figure);
        }
    }
    placed
}

/// What they come to in each block.
fn merged(metric: Metric, placed: Placed) -> BTreeMap<u32, f64> {
    let mut blocks: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for ((block, _), figures) in placed {
        blocks.entry(block).or_default().extend(figures);
    }
    let blocks = blocks.into_iter();
    blocks
        .map(|(block, figures)| (block, together(metric, &figures)))
        .collect()
}

/// What trials of a block come to: the geometric mean, as figures are compared by their ratio (of zero and something, their
/// mean); of shares and counts, which add up, the mean.
fn together(metric: Metric, figures: &[f64]) -> f64 {
    let many = figures.len() as f64;
    let adds_up = matches!(metric.dimension(), Dimension::Share | Dimension::Count);
    if adds_up || figures.iter().any(|figure| *figure <= 0.0) {
        figures.iter().sum::<f64>() / many
    } else {
        figures.iter().product::<f64>().powf(1.0 / many)
    }
}
