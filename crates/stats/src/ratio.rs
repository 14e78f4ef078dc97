use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use crate::center::{center, rank_center};
use crate::confidence::Confidence;
use crate::interval::{Estimate, FEWEST, TAIL, median_estimate};
use crate::quantile::{median, of_ascending};

/// How often the unpaired comparison resamples; its interval ends then rest on 100 draws each.
const RESAMPLES: usize = 4_000;

/// How many times as large the first of a pair is as the second, over pairs that were measured
/// side by side (one pair per block).
///
/// Per pair the logarithm of the ratio is taken, so that twice and half are equally far from 1; the value and its
/// interval are the exponentials of those of the logarithms' [`center`], as two things that are equal scatter against
/// each other to both sides alike. Exchanging the sides inverts value and interval. Where the first of a pair is zero
/// (nothing was done), which has no logarithm, the ratios themselves are taken, and the order statistics of their
/// median ([`crate::quantile_interval`]).
///
/// `None` without pairs, when a figure is below zero, or the second of a pair zero; no interval
/// below [`crate::PAIRS`] pairs. Where the first of a pair is zero there is none below [`FEWEST`] pairs at 95 %, and more
/// are needed for a higher confidence.
pub fn paired_ratio(pairs: &[(f64, f64)], confidence: Confidence) -> Option<Estimate> {
    over_pairs(pairs, confidence, center)
}

/// The same for figures of which some are known to be at least, or at most, what they are: an interval one of whose ends
/// remains right. It needs [`FEWEST`] pairs at 95 %, and more for a higher confidence.
pub fn paired_limit(pairs: &[(f64, f64)], confidence: Confidence) -> Option<Estimate> {
    over_pairs(pairs, confidence, rank_center)
}

fn over_pairs(
    pairs: &[(f64, f64)],
    confidence: Confidence,
    center: fn(&[f64], Confidence) -> Option<Estimate>,
) -> Option<Estimate> {
    if pairs.iter().any(|(of, _)| *of == 0.0) {
        let ratio = |&(of, over): &(f64, f64)| (of >= 0.0 && over > 0.0).then_some(of / over);
        return median_estimate(
            &pairs.iter().map(ratio).collect::<Option<Vec<_>>>()?,
            confidence,
        );
    }
    let differences: Option<Vec<f64>> = pairs
        .iter()
        .map(|&(of, over)| Some(logarithm(of)? - logarithm(over)?))
        .collect();
    Some(center(&differences?, confidence)?.map(f64::exp))
}

/// How many times as large the median of `of` is as that of `over`, where the two were not
/// measured side by side.
///
/// The interval is the percentile bootstrap of the difference of the medians of logarithms, both
/// samples resampled apart (4,000 times, `ChaCha8` from `seed`). For medians this plain
/// form keeps its level where others do not (Wilcox, "Introduction to Robust Estimation and
/// Hypothesis Testing", 4th ed. 2017, section 5.4); the rank tests would need both sides to
/// scatter alike. It knows the noise inside each sample only: what drifted between the two
/// sessions is not in it.
///
/// `None` when a side is empty or has a figure that is not above zero; no interval when a side
/// has fewer than [`FEWEST`].
pub fn unpaired_ratio(of: &[f64], over: &[f64], seed: u64) -> Option<Estimate> {
    let logarithms = |of: &[f64]| of.iter().copied().map(logarithm).collect();
    let (of, over): (Option<Vec<f64>>, Option<Vec<f64>>) = (logarithms(of), logarithms(over));
    let (of, over) = (of?, over?);
    let value = median(&of)? - median(&over)?;
    let enough = of.len().min(over.len()) >= FEWEST;
    let interval = enough.then(|| bootstrap(&of, &over, seed));
    Some(Estimate { value, interval }.map(f64::exp))
}

/// Half the width of a ratio's interval, as a share: 0.04 for 0.96 to 1.04. Taken in logarithms,
/// so that a ratio and its inverse have the same.
pub fn half_width((low, high): (f64, f64)) -> f64 {
    (high / low).sqrt() - 1.0
}

fn logarithm(value: f64) -> Option<f64> {
    (value > 0.0 && value.is_finite()).then(|| value.ln())
}

fn bootstrap(of: &[f64], over: &[f64], seed: u64) -> (f64, f64) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut drawn = Vec::with_capacity(of.len().max(over.len()));
    let mut median = |sample: &[f64]| resampled_median(sample, &mut drawn, &mut random);
    let differences = (0..RESAMPLES).map(|_| median(of) - median(over));
    let mut differences: Vec<f64> = differences.collect();
    differences.sort_by(f64::total_cmp);
    let [low, high] = [TAIL, 1.0 - TAIL].map(|q| of_ascending(&differences, q));
    (low, high)
}

fn resampled_median(sample: &[f64], drawn: &mut Vec<f64>, random: &mut ChaCha8Rng) -> f64 {
    drawn.clear();
    drawn.extend((0..sample.len()).map(|_| sample[random.random_range(0..sample.len())]));
    drawn.sort_unstable_by(f64::total_cmp);
    of_ascending(drawn, 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratio_of_pairs() {
        let pairs = [
            (200.0, 100.0),
            (210.0, 100.0),
            (90.0, 50.0),
            (420.0, 200.0),
            (19.0, 10.0),
            (1000.0, 400.0),
        ];
        let ratio = paired_ratio(&pairs, Confidence::USUAL).unwrap();
        assert!((ratio.value - 2.049_39).abs() < 1e-5, "{}", ratio.value);
        let (low, high) = ratio.interval.unwrap();
        assert!(
            (low - 1.825_67).abs() < 1e-5 && (high - 2.314_13).abs() < 1e-5,
            "{low} {high}"
        );
        assert!(
            paired_ratio(&pairs[..4], Confidence::USUAL)
                .unwrap()
                .interval
                .is_some()
        );
        assert!(
            paired_ratio(&pairs[..3], Confidence::USUAL)
                .unwrap()
                .interval
                .is_none()
        );
        assert!(
            paired_limit(&pairs[..5], Confidence::USUAL)
                .unwrap()
                .interval
                .is_none()
        );
        let (low, high) = paired_limit(&pairs, Confidence::USUAL)
            .unwrap()
            .interval
            .unwrap();
        assert!((low - 1.8).abs() < 1e-12 && (high - 2.5).abs() < 1e-12);
    }

    #[test]
    fn exchanging_the_sides_inverts() {
        let pairs = [
            (3.0, 2.0),
            (5.0, 4.0),
            (9.0, 7.0),
            (2.0, 3.0),
            (8.0, 5.0),
            (6.0, 1.0),
        ];
        let swapped = pairs.map(|(of, over)| (over, of));
        let (there, back) = (
            paired_ratio(&pairs, Confidence::USUAL).unwrap(),
            paired_ratio(&swapped, Confidence::USUAL).unwrap(),
        );
        let ((low, high), (low_back, high_back)) =
            (there.interval.unwrap(), back.interval.unwrap());
        assert!((there.value * back.value - 1.0).abs() < 1e-12);
        assert!((low * high_back - 1.0).abs() < 1e-12);
        assert!((high * low_back - 1.0).abs() < 1e-12);
    }

    #[test]
    fn what_has_no_logarithm_has_no_ratio() {
        assert_eq!(paired_ratio(&[(1.0, 0.0)], Confidence::USUAL), None);
        assert_eq!(paired_ratio(&[], Confidence::USUAL), None);
        assert_eq!(unpaired_ratio(&[1.0], &[-1.0], 1), None);
        assert_eq!(unpaired_ratio(&[], &[1.0], 1), None);
        assert_eq!(unpaired_ratio(&[f64::NAN], &[1.0], 1), None);
    }

    #[test]
    fn unpaired_is_repeatable_and_needs_six_on_each_side() {
        let of: Vec<f64> = (1..=8).map(|i| 200.0 + f64::from(i)).collect();
        let over: Vec<f64> = (1..=6).map(|i| 100.0 + f64::from(i)).collect();
        let ratio = unpaired_ratio(&of, &over, 7).unwrap();
        assert_eq!(ratio, unpaired_ratio(&of, &over, 7).unwrap());
        let (low, high) = ratio.interval.unwrap();
        assert!(low < ratio.value && ratio.value < high, "{ratio:?}");
        assert!(
            unpaired_ratio(&of, &over[..5], 7)
                .unwrap()
                .interval
                .is_none()
        );
    }

    #[test]
    fn nothing_is_a_ratio_of_zero() {
        let some = [
            (0.0, 2.0),
            (4.0, 2.0),
            (0.0, 3.0),
            (0.0, 1.0),
            (1.0, 2.0),
            (0.0, 5.0),
        ];
        let ratio = paired_ratio(&some, Confidence::USUAL).unwrap();
        assert_eq!((ratio.value, ratio.interval), (0.0, Some((0.0, 2.0))));
        assert_eq!(paired_ratio(&[(0.0, 0.0)], Confidence::USUAL), None);
        assert_eq!(
            paired_ratio(&[(0.0, 1.0), (-1.0, 1.0)], Confidence::USUAL),
            None
        );
        assert_eq!(paired_ratio(&[(0.0, f64::NAN)], Confidence::USUAL), None);
    }

    #[test]
    fn half_width_is_the_same_for_a_ratio_and_its_inverse() {
        assert!((half_width((0.96, 1.04)) - 0.0408).abs() < 1e-4);
        let (there, back) = (half_width((0.5, 2.5)), half_width((0.4, 2.0)));
        assert!((there - back).abs() < 1e-12);
    }
}
