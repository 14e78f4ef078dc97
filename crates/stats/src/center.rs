use crate::confidence::Confidence;
use crate::interval::{Estimate, median_estimate};
use crate::quantile::{ascending, median};
use crate::student::{mean_and_scatter, normal, student};

/// Fewest differences that carry an interval of their centre: of three, Student's is 4.4 standard deviations wide, and of two it would
/// be 14.
pub const PAIRS: usize = 3;

/// The interval is by ranks where at least so many of the 2^n equally likely sets of signs fall into its tail: of fewer
/// it is the whole range, or nearly so, and a chance of missing that comes in such large steps is mostly given away.
const SETS: f64 = 3.0;

/// Sizes from which the ranks' law is near enough to the normal one.
const LARGE: usize = 60;

/// The centre of differences that scatter to both sides alike: the Hodges-Lehmann estimate (the median of the means of
/// all pairs, each with itself among them), and an interval of this confidence, which depends on their number n:
///
/// | differences | interval | why |
/// |---|---|---|
/// | below 3 | none | |
/// | below 2^-n = tail / 3 | Student's | no test by ranks reaches the tail, or it is their whole range (of six 27 % wider than Student's) |
/// | from there on | of the signed-rank test | exact for every symmetric law, and hardly wider than Student's |
///
/// Ranks begin at 7 differences for 95 %, at 9 for 98.8 % and at 10 for 99.4 %, as looks at a run ask for
/// ([`crate::Looks`]).
///
/// Simulated with normal noise, 8 differences: 1.77 standard deviations wide, and covers with 96.2 %; order
/// statistics of the median 2.85 and 99.2 %. `tests/coverage.rs` holds both to five laws. Student's interval
/// covers with 93 to 94.5 % where noise is uniform, which that of machines is not: it has outliers, for which Student's
/// is too wide. Where noise is skewed, the centre is neither the mean nor the median; a pair of equals has none
/// (Hodges and Lehmann, "Estimates of Location Based on Rank Tests", 1963; Hollander, Wolfe and Chicken,
/// "Nonparametric Statistical Methods", 3rd ed. 2014, section 3.3).
///
/// `None` without differences, or where one is not finite.
pub(crate) fn center(differences: &[f64], confidence: Confidence) -> Option<Estimate> {
    let means = walsh(differences)?;
    let interval = match differences.len() {
        ..PAIRS => None,
        n if ranks_serve(n, confidence) => by_ranks(&means, n, confidence),
        _ => Some(around_mean(differences, confidence)),
    };
    Some(Estimate {
        value: median(&means)?,
        interval,
    })
}

fn ranks_serve(n: usize, confidence: Confidence) -> bool {
    confidence.tail() * (n as f64).exp2() >= SETS
}

/// The same by ranks alone, from so many differences on as its tail needs (six for 95 %). Its ends rise with every
/// difference, so that one of them remains right where differences are known to be at least, or at most, what they are.
pub(crate) fn rank_center(differences: &[f64], confidence: Confidence) -> Option<Estimate> {
    let means = walsh(differences)?;
    Some(Estimate {
        value: median(&means)?,
        interval: by_ranks(&means, differences.len(), confidence),
    })
}

/// The means of all pairs in ascending order.
fn walsh(differences: &[f64]) -> Option<Vec<f64>> {
    let pairs = differences.iter().enumerate().flat_map(|(at, of)| {
        differences[at..]
            .iter()
            .map(move |other| f64::midpoint(*of, *other))
    });
    ascending(&pairs.collect::<Vec<_>>())
}

fn by_ranks(means: &[f64], n: usize, confidence: Confidence) -> Option<(f64, f64)> {
    let cut = cut(n, confidence.tail());
    (cut > 0).then(|| (means[cut - 1], means[means.len() - cut]))
}

/// For how many values k, from 0 on, the sum of the signed ranks of n differences is k or less with at most the chance
/// `tail`.
fn cut(n: usize, tail: f64) -> usize {
    let most = n * (n + 1) / 2;
    if n >= LARGE {
        let (mean, n) = (most as f64 / 2.0, n as f64);
        let spread = (n * (n + 1.0) * (2.0 * n + 1.0) / 24.0).sqrt();
        return (mean - normal(tail) * spread).floor() as usize;
    }
    // how many of the 2^n sets of signs have each sum
    let mut sets = vec![0.0; most + 1];
    sets[0] = 1.0;
    for rank in 1..=n {
        for sum in (rank..=most).rev() {
            sets[sum] += sets[sum - rank];
        }
    }
    let all: f64 = sets.iter().sum();
    let mut below = 0.0;
    let likely = sets.iter().position(|of| {
        below += of / all;
        below > tail
    });
    likely.unwrap_or(0)
}

/// A figure over so many blocks: its median, and an interval of this confidence, which depends on their number n:
///
/// | blocks | interval | why |
/// |---|---|---|
/// | below 3 | none | |
/// | below 2^-n = tail | Student's of the logarithms, reaching to the median where that lies beyond | order statistics are not that sure |
/// | from there on | between order statistics ([`median_estimate`]) | holds whatever the law, and of 8 blocks is as narrow as the signed-rank test's |
///
/// They begin at [`crate::FEWEST`] blocks for 95 %, and at 8 for 99.2 %. The figures of one variant scatter by a law that
/// need not be symmetric, unlike a pair's differences ([`center`]). Of three to five blocks the interval covers with 95 %
/// where the logarithms scatter to both sides alike, and with 93 to 94 % where they are as skewed as an exponential
/// (`tests/coverage.rs`). Figures that are all the same, as of errors where there was none, scatter by nothing.
pub fn figure_estimate(sample: &[f64], confidence: Confidence) -> Option<Estimate> {
    let estimate = median_estimate(sample, confidence)?;
    let alike = |of: &f64| of.total_cmp(&estimate.value).is_eq();
    if estimate.interval.is_none() && sample.len() >= PAIRS && sample.iter().all(alike) {
        return Some(Estimate {
            interval: Some((estimate.value, estimate.value)),
            ..estimate
        });
    }
    let has_logarithms = sample.len() >= PAIRS && sample.iter().all(|of| *of > 0.0);
    if estimate.interval.is_some() || !has_logarithms {
        return Some(estimate);
    }
    let logarithms: Vec<f64> = sample.iter().map(|of| of.ln()).collect();
    let (low, high) = around_mean(&logarithms, confidence);
    let ends = (
        low.exp().min(estimate.value),
        high.exp().max(estimate.value),
    );
    Some(Estimate {
        interval: Some(ends),
        ..estimate
    })
}

fn around_mean(sample: &[f64], confidence: Confidence) -> (f64, f64) {
    let (mean, scatter) = mean_and_scatter(sample);
    let reach =
        student(sample.len() - 1, confidence.tail()) * scatter / (sample.len() as f64).sqrt();
    (mean - reach, mean + reach)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hollander, Wolfe and Chicken, table A.4; R: `qsignrank(0.025, n)`.
    #[test]
    fn ranks_match_the_tables_of_the_signed_rank_test() {
        let table = [
            (5, 0),
            (6, 1),
            (7, 3),
            (8, 4),
            (9, 6),
            (10, 9),
            (12, 14),
            (15, 26),
            (20, 53),
            (50, 435),
        ];
        for (n, wanted) in table {
            assert_eq!(cut(n, 0.025), wanted, "n {n}");
        }
        assert!(
            cut(LARGE, 0.025).abs_diff(cut(LARGE - 1, 0.025) + 24) < 8,
            "{}",
            cut(LARGE, 0.025)
        );
    }

    #[test]
    fn the_estimate_lies_in_the_middle_of_all_pairs() {
        let of = center(&[1.0, 2.0, 9.0], Confidence::USUAL).unwrap();
        // 1, 1.5, 2, 5, 5.5, 9
        assert!((of.value - 3.5).abs() < 1e-12);
        assert_eq!(
            center(&[1.0, 9.0], Confidence::USUAL).unwrap().interval,
            None
        );
        assert_eq!(center(&[], Confidence::USUAL), None);
        assert_eq!(center(&[f64::NAN], Confidence::USUAL), None);
        let same = center(&[0.5; 4], Confidence::USUAL).unwrap();
        assert_eq!(same.interval, Some((0.5, 0.5)));
    }

    #[test]
    fn figures_that_are_all_the_same_scatter_by_nothing() {
        let none = |blocks| figure_estimate(&vec![0.0; blocks], Confidence::USUAL).unwrap();
        assert_eq!(none(2).interval, None);
        assert_eq!(none(3).interval, Some((0.0, 0.0)));
        assert_eq!(none(12).interval, Some((0.0, 0.0)));
        let once = figure_estimate(&[0.0, 0.0, 0.0, 0.01], Confidence::USUAL).unwrap();
        assert_eq!(once.interval, None);
    }

    #[test]
    fn of_four_to_six_it_is_students_and_then_by_ranks() {
        // R: t.test(c(-1, 0, 1, 2))$conf.int
        let (low, high) = center(&[-1.0, 0.0, 1.0, 2.0], Confidence::USUAL)
            .unwrap()
            .interval
            .unwrap();
        assert!(
            (low + 1.554_26).abs() < 1e-4 && (high - 2.554_26).abs() < 1e-4,
            "{low} {high}"
        );
        // R: wilcox.test(c(1, 2, 4, 8, 16, 32, 64), conf.int = TRUE)$conf.int
        let seven = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];
        assert_eq!(
            center(&seven, Confidence::USUAL).unwrap().interval,
            Some((2.0, 40.0))
        );
        assert_eq!(
            rank_center(&seven[..6], Confidence::USUAL)
                .unwrap()
                .interval,
            Some((1.0, 32.0))
        );
        assert_eq!(
            rank_center(&seven[..5], Confidence::USUAL)
                .unwrap()
                .interval,
            None
        );
    }
}
