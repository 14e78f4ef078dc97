use crate::center::{center, rank_center};
use crate::confidence::Confidence;
use crate::interval::{Estimate, median_estimate};

/// How many times as large the first of a pair is as the second, over pairs that were measured
/// side by side (one pair per block).
///
/// Per pair the logarithm of the ratio is taken, so that twice and half are equally far from 1; the value and its
/// interval are the exponentials of those of the logarithms' [`center`], as two things that are equal scatter against
/// each other to both sides alike. Exchanging the sides inverts value and interval. Where the first of a pair is zero
/// (nothing was done), which has no logarithm, the ratios themselves are taken, and the interval of their
/// median ([`median_estimate`]).
///
/// `None` without pairs, when a figure is below zero, or the second of a pair zero; no interval
/// below [`crate::PAIRS`] pairs. Where the first of a pair is zero there is none below [`crate::FEWEST`] pairs at 95 %, and
/// more are needed for a higher confidence.
pub fn paired_ratio(pairs: &[(f64, f64)], confidence: Confidence) -> Option<Estimate> {
    over_pairs(pairs, confidence, center)
}

/// The same for figures of which some are known to be at least, or at most, what they are: an interval one of whose ends
/// remains right. It needs [`crate::FEWEST`] pairs at 95 %, and more for a higher confidence.
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
/// measured side by side: the [`ratio_apart`] of the medians. Each may scatter by a law of its own. It knows the noise
/// inside each sample only: what drifted between the two sessions is not in it.
///
/// Simulated with equal scatter on both sides it covers with 97 to 98 %, and with 95 to 97 % where one side hardly scatters,
/// whatever the law (`tests/coverage.rs`). Narrower ones are wrong somewhere: the rank test's shift needs two laws of one
/// shape, Welch's t is of means, which are no medians where noise is skewed.
///
/// `None` when a side is empty or has a figure that is not above zero; no interval when a side
/// has fewer than [`crate::FEWEST`].
pub fn unpaired_ratio(of: &[f64], over: &[f64]) -> Option<Estimate> {
    let median = |sample: &[f64]| {
        let of = median_estimate(sample, Confidence::USUAL)?;
        sample.iter().all(|value| *value > 0.0).then_some(of)
    };
    ratio_apart(median(of)?, median(over)?)
}

/// The ratio of two estimates that know nothing of each other. Its interval follows from theirs: in logarithms, each end's
/// distance is the root of the sum of the squares of the two distances that make it (MOVER: Zou and Donner, "Construction of
/// confidence limits about effect measures: A general approach", Statistics in Medicine 27, 2008).
///
/// `None` where one of them is not above zero; without an interval where one has none, or one that is not above zero.
pub fn ratio_apart(of: Estimate, over: Estimate) -> Option<Estimate> {
    if !(of.value > 0.0 && over.value > 0.0) {
        return None;
    }
    let value = of.value / over.value;
    let ends = of.interval.zip(over.interval);
    let ends = ends.filter(|((low, _), (over_low, _))| *low > 0.0 && *over_low > 0.0);
    let interval = ends.map(|((low, high), (over_low, over_high))| {
        let both = |of: f64, over: f64| of.ln().hypot(over.ln()).exp();
        let below = both(of.value / low, over_high / over.value);
        let above = both(high / of.value, over.value / over_low);
        (value / below, value * above)
    });
    Some(Estimate { value, interval })
}

/// Half the width of a ratio's interval, as a share: 0.04 for 0.96 to 1.04. Taken in logarithms,
/// so that a ratio and its inverse have the same.
pub fn half_width((low, high): (f64, f64)) -> f64 {
    (high / low).sqrt() - 1.0
}

fn logarithm(value: f64) -> Option<f64> {
    (value > 0.0 && value.is_finite()).then(|| value.ln())
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
            paired_ratio(&pairs[..3], Confidence::USUAL)
                .unwrap()
                .interval
                .is_some()
        );
        assert!(
            paired_ratio(&pairs[..2], Confidence::USUAL)
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
        assert_eq!(unpaired_ratio(&[1.0], &[-1.0]), None);
        assert_eq!(unpaired_ratio(&[2.0, 2.0, 0.0], &[1.0]), None);
        assert_eq!(unpaired_ratio(&[], &[1.0]), None);
        assert_eq!(unpaired_ratio(&[f64::NAN], &[1.0]), None);
    }

    #[test]
    fn unpaired_is_of_two_medians_and_needs_six_on_each_side() {
        let of: Vec<f64> = (1..=8).map(|i| 200.0 + f64::from(i)).collect();
        let over: Vec<f64> = (1..=6).map(|i| 100.0 + f64::from(i)).collect();
        let ratio = unpaired_ratio(&of, &over).unwrap();
        assert!((ratio.value - 204.5 / 103.5).abs() < 1e-12);
        let (low, high) = ratio.interval.unwrap();
        let back = unpaired_ratio(&over, &of).unwrap().interval.unwrap();
        assert!((low * back.1 - 1.0).abs() < 1e-12 && (high * back.0 - 1.0).abs() < 1e-12);
        let few = unpaired_ratio(&of, &over[..5]).unwrap();
        assert_eq!((few.value, few.interval), (204.5 / 103.0, None));
    }

    #[test]
    fn the_ratio_of_two_estimates_is_as_unsure_as_both() {
        let of = |value, interval| Estimate { value, interval };
        let wide = of(100.0, Some((100.0 / 1.1, 110.0)));
        let sharp = of(50.0, Some((50.0, 50.0)));
        let ends = |of, over| ratio_apart(of, over).unwrap().interval.unwrap();
        let near = |ends: (f64, f64), low: f64, high: f64| {
            (ends.0 / low - 1.0).abs() < 1e-12 && (ends.1 / high - 1.0).abs() < 1e-12
        };
        assert!(near(ends(wide, sharp), 2.0 / 1.1, 2.2));
        assert!(near(ends(sharp, wide), 0.5 / 1.1, 0.55));
        let both = 1.1_f64.powf(std::f64::consts::SQRT_2);
        assert!(near(ends(wide, wide), 1.0 / both, both));
        assert_eq!(ends(sharp, sharp), (1.0, 1.0));
        let from_zero = of(1.0, Some((0.0, 2.0)));
        for unknown in [from_zero, of(1.0, None)] {
            assert_eq!(ratio_apart(sharp, unknown), Some(of(50.0, None)));
        }
        assert_eq!(ratio_apart(of(0.0, None), sharp), None);
        assert_eq!(ratio_apart(sharp, of(f64::NAN, None)), None);
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
        let (low, high) = ratio.interval.unwrap();
        assert_eq!((ratio.value, low), (0.0, 0.0));
        // 0.322 of the way from the largest to the next
        assert!((high - 1.517_33).abs() < 1e-5, "{high}");
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
