use std::collections::BTreeMap;

use record::Metric;
use stats::Estimate;

use crate::one_end::held_to;
use crate::opinion::{Comparison, NoiseFloor, Verdict};
use crate::own_share;
use crate::seen_run::SeenRun;

/// Ratios this close to 1 are no difference that anybody should act on, however sure they are.
pub const NEGLIGIBLE: f64 = 0.03;

/// However noisy a run is, ratios farther than this from 1 are not called the same.
const SAME_AT_MOST: f64 = 0.10;

/// Beyond so many blocks nobody waits for a verdict.
pub const MOST_BLOCKS: f64 = 100.0;

/// Two variants of a run by one metric, paired by block and by way of the baselines of their groups; `None` when no block
/// has both, or a figure is zero.
pub(crate) fn paired(
    seen_run: &SeenRun,
    of: &str,
    over: &str,
    metric: Metric,
) -> Option<Comparison> {
    let [above, below] = [of, over].map(|variant| seen_run.compared(variant, metric));
    let (ratio, pairs) = ratio(seen_run, &above, &below)?;
    let names = (of.to_owned(), over.to_owned());
    let measured = verdict(metric, ratio, floor_share(seen_run, metric));
    let verdict = held_to((seen_run, of), (seen_run, over), metric, measured);
    let freed = own_share::of_pair((seen_run, of), (seen_run, over), metric);
    let comparison = Comparison {
        one_ended: verdict != measured,
        elsewhere: freed.map(|freed| freed.between(ratio.value)),
        ..Comparison::new(metric, names, ratio, pairs, verdict)
    };
    Some(Comparison {
        wanted: wanted(seen_run, &comparison),
        ..comparison
    })
}

/// Figures of two things, side by side as they were measured; `None` when a figure of the second is zero, or there are none. Nothing
/// tells how far apart two equal things would lie.
pub fn side_by_side_figures(
    metric: Metric,
    (of, over): (&str, &str),
    pairs: &[(f64, f64)],
) -> Option<Comparison> {
    let ratio = stats::paired_ratio(pairs, stats::Confidence::USUAL)?;
    let names = (of.to_owned(), over.to_owned());
    let verdict = verdict(metric, ratio, None);
    let comparison = Comparison::new(metric, names, ratio, pairs.len(), verdict);
    let shrink = shrink_within(&comparison, NEGLIGIBLE);
    Some(Comparison {
        wanted: shrink.and_then(|by| needed(comparison.pairs, by)),
        ..comparison
    })
}

/// One variant's figures over another's, block by block, and the number of blocks with both.
pub(crate) fn ratio(
    seen_run: &SeenRun,
    of: &BTreeMap<u32, f64>,
    over: &BTreeMap<u32, f64>,
) -> Option<(Estimate, usize)> {
    ratio_of(seen_run, side_by_side(of, over))
}

/// The same of figures that stand side by side already.
pub(crate) fn ratio_of(
    seen_run: &SeenRun,
    pairs: BTreeMap<u32, (f64, f64)>,
) -> Option<(Estimate, usize)> {
    let confidence = seen_run.confidence(pairs.keys());
    let pairs: Vec<_> = pairs.into_values().collect();
    Some((stats::paired_ratio(&pairs, confidence)?, pairs.len()))
}

/// Figures of the same block side by side.
pub(crate) fn side_by_side(
    of: &BTreeMap<u32, f64>,
    over: &BTreeMap<u32, f64>,
) -> BTreeMap<u32, (f64, f64)> {
    let pair = |(block, above): (&u32, &f64)| Some((*block, (*above, *over.get(block)?)));
    of.iter().filter_map(pair).collect()
}

/// What to say of a ratio when equal things lay `floor` (a share) apart.
pub(crate) fn verdict(metric: Metric, ratio: Estimate, floor: Option<f64>) -> Verdict {
    let Some((low, high)) = ratio.interval else {
        return Verdict::CannotTell;
    };
    let (low, high) = (low.ln(), high.ln());
    let noise = floor.unwrap_or(0.0).max(NEGLIGIBLE);
    let same = noise.min(SAME_AT_MOST).ln_1p();
    if -same <= low && high <= same {
        return Verdict::Same;
    }
    let sure = low > 0.0 || high < 0.0;
    if !sure || ratio.value.ln().abs() <= noise.ln_1p() {
        return Verdict::CannotTell;
    }
    if (ratio.value > 1.0) == metric.larger_is_better() {
        Verdict::Better
    } else {
        Verdict::Worse
    }
}

/// By how many times the interval of a comparison that cannot be told has to shrink to lie on one side of 1, or beside
/// it, if the ratio stays where it is; infinite where no width would do. `None` without an interval, and where one end of
/// a figure is known only, so that a narrower interval tells no more.
pub(crate) fn shrink(seen_run: &SeenRun, of: &Comparison) -> Option<f64> {
    let floor = floor_share(seen_run, of.metric).unwrap_or(0.0);
    shrink_within(of, floor.max(NEGLIGIBLE))
}

/// The same where ratios up to so large a share from 1 are noise.
fn shrink_within(of: &Comparison, noise: f64) -> Option<f64> {
    let (low, high) = of.interval?;
    let ratio = Estimate {
        value: of.ratio,
        interval: of.interval,
    };
    if verdict(of.metric, ratio, Some(noise)) != Verdict::CannotTell {
        return None;
    }
    let same = noise.min(SAME_AT_MOST).ln_1p();
    let (off, half) = (of.ratio.ln().abs(), 0.5 * (high / low).ln());
    let apart = if off > noise.ln_1p() {
        half / off
    } else {
        f64::INFINITY
    };
    let alike = if off < same {
        half / (same - off)
    } else {
        f64::INFINITY
    };
    Some(apart.min(alike))
}

/// How many blocks most likely tell what cannot be told of two variants, with the confidence of the last look where there are
/// looks: an interval narrows with the root of their number. `None` where it can be told, and where no number up to
/// [`MOST_BLOCKS`] would do.
fn wanted(seen_run: &SeenRun, of: &Comparison) -> Option<u32> {
    if of.verdict != Verdict::CannotTell {
        return None;
    }
    let shrink = shrink(seen_run, of)? * seen_run.narrower(of.pairs as usize);
    needed(of.pairs, shrink)
}

/// How many pairs make the interval of so many as narrow as it has to be.
fn needed(pairs: u32, shrink: f64) -> Option<u32> {
    let pairs = f64::from(pairs);
    let blocks = (pairs * shrink * shrink).ceil().max(pairs + 1.0);
    (blocks <= MOST_BLOCKS).then_some(blocks as u32)
}

/// The A/A pair of a run; `None` if the plan has none, or no block has both halves.
pub(crate) fn noise_floor(seen_run: &SeenRun) -> Option<NoiseFloor> {
    let variant = seen_run.run.plan.noise_floor.clone()?;
    let (ratio, pairs) = halves(seen_run, &variant, Metric::Throughput)?;
    let share = floor_share(seen_run, Metric::Throughput);
    let by_metric = Metric::columns()
        .filter_map(|metric| Some((metric, floor_share(seen_run, metric)?)))
        .collect();
    let names = (variant.clone(), variant.clone());
    let verdict = verdict(Metric::Throughput, ratio, None);
    let comparison = Comparison::new(Metric::Throughput, names, ratio, pairs, verdict);
    Some(NoiseFloor {
        variant,
        comparison,
        share,
        by_metric,
    })
}

/// How far apart the two halves of the A/A pair lay by this metric, as a share: half the width of
/// their ratio's interval, and no less than the ratio's own distance from 1. `None` without an
/// interval.
pub(crate) fn floor_share(seen_run: &SeenRun, metric: Metric) -> Option<f64> {
    let variant = seen_run.run.plan.noise_floor.as_deref()?;
    let (ratio, _) = halves(seen_run, variant, metric)?;
    let off = ratio.value.ln().abs().exp_m1();
    Some(stats::half_width(ratio.interval?).max(off))
}

/// How far apart the two halves of the A/A pair surely are by this metric, as a share: the end of their ratio's interval that
/// is nearer to 1. `None` where the interval holds 1, as chance alone may have put them apart then.
pub(crate) fn surely_apart(seen_run: &SeenRun, metric: Metric) -> Option<f64> {
    let variant = seen_run.run.plan.noise_floor.as_deref()?;
    let (ratio, _) = halves(seen_run, variant, metric)?;
    let (low, high) = ratio.interval?;
    let nearer = low.ln().max(-high.ln());
    (nearer > 0.0).then(|| nearer.exp_m1())
}

/// The second half of the A/A pair over the first, and the number of blocks with both.
fn halves(seen_run: &SeenRun, variant: &str, metric: Metric) -> Option<(Estimate, usize)> {
    let [again, first] = [true, false].map(|again| seen_run.half_by_block(variant, again, metric));
    ratio(seen_run, &again, &first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(metric: Metric, value: f64, interval: (f64, f64), floor: Option<f64>) -> Verdict {
        let interval = Some(interval);
        verdict(metric, Estimate { value, interval }, floor)
    }

    #[test]
    fn needs_an_interval_on_one_side_and_an_effect_beyond_the_noise() {
        use Metric::{Mean, Throughput};
        use Verdict::{Better, CannotTell, Same, Worse};
        assert_eq!(said(Throughput, 1.4, (1.2, 1.6), None), Better);
        assert_eq!(said(Throughput, 0.7, (0.6, 0.8), None), Worse);
        assert_eq!(said(Mean, 1.4, (1.2, 1.6), None), Worse);
        assert_eq!(said(Mean, 0.7, (0.6, 0.8), None), Better);
        // sure, but inside the noise of equal things
        assert_eq!(said(Throughput, 1.10, (1.05, 1.2), Some(0.12)), CannotTell);
        assert_eq!(said(Throughput, 1.10, (1.05, 1.2), Some(0.05)), Better);
        // large, but not sure
        assert_eq!(said(Throughput, 1.4, (0.9, 1.6), None), CannotTell);
        // sure and negligible is the same
        assert_eq!(said(Throughput, 1.02, (1.015, 1.025), None), Same);
        assert_eq!(said(Throughput, 1.02, (0.95, 1.06), Some(0.07)), Same);
        // a noisy run does not make unequal things the same
        assert_eq!(said(Throughput, 1.1, (0.7, 1.4), Some(0.6)), CannotTell);
        let unknown = Estimate {
            value: 9.0,
            interval: None,
        };
        assert_eq!(verdict(Throughput, unknown, None), CannotTell);
    }

    /// Of six blocks; how far the logarithm of the ratio lies off, and how far its interval reaches to both sides.
    #[test]
    fn blocks_that_would_tell_are_as_the_square_of_how_much_too_wide_it_is() {
        let wanted = |off: f64, half: f64, noise: f64| {
            let ratio = Estimate {
                value: off.exp(),
                interval: Some(((off - half).exp(), (off + half).exp())),
            };
            let names = ("a".to_owned(), "b".to_owned());
            let of = Comparison::new(Metric::Throughput, names, ratio, 6, Verdict::CannotTell);
            shrink_within(&of, noise).and_then(|by| needed(of.pairs, by))
        };
        // 1.9 times as wide as tells: six times 3.61
        assert_eq!(wanted(0.2, 0.38, NEGLIGIBLE), Some(22));
        assert_eq!(wanted(-0.2, 0.38, NEGLIGIBLE), Some(22));
        let same = NEGLIGIBLE.ln_1p();
        assert_eq!(wanted(0.0, 1.9 * same, NEGLIGIBLE), Some(22));
        assert_eq!(wanted(0.5 * same, 0.95 * same, NEGLIGIBLE), Some(22));
        assert_eq!(wanted(0.2, 0.2001, NEGLIGIBLE), Some(7), "one more");
        assert_eq!(wanted(0.2, 0.1, NEGLIGIBLE), None, "it tells");
        assert_eq!(wanted(0.2, 0.84, NEGLIGIBLE), None, "more than a hundred");
        // too far off to be the same, and within the noise
        assert_eq!(wanted(0.15, 0.01, 0.2), None);
    }
}
