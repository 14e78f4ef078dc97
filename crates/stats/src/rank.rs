use crate::interval::{NORMAL, TAIL, cut};

/// Ranks (1 is the smallest) of the two order statistics of `n` independent values between which
/// the quantile `q` of what they were drawn from lies with 95 % confidence.
///
/// For samples too large to be held one by one: the number of values below the quantile is
/// binomial(n, q), taken as normal. (Le Boudec, "Performance Evaluation of Computer and
/// Communication Systems", 2010, theorem 2.1: j = floor(nq - z s), k = ceil(nq + z s) + 1 with
/// s = sqrt(nq(1 - q)).) `None` where a rank falls outside the sample, or fewer than ten values are
/// expected on a side of the quantile, below which the normal form is no longer good.
pub fn quantile_ranks(n: u64, q: f64) -> Option<(u64, u64)> {
    let below = n as f64 * q;
    let above = n as f64 * (1.0 - q);
    if below.is_nan() || below.min(above) < 10.0 - 1e-6 {
        return None;
    }
    let reach = NORMAL * (below * (1.0 - q)).sqrt();
    let low = (below - reach).floor() as u64;
    let high = (below + reach).ceil() as u64 + 1;
    (low >= 1 && high <= n).then_some((low, high))
}

/// The same two ranks by the binomial distribution itself, each `None` where `n` values are too few for
/// an end on that side: none of them is surely below the quantile, or none surely above it. Between 0
/// and 1 for a `q` between them; takes time in proportion to the values on the smaller side of the quantile.
pub fn quantile_ends(n: u64, q: f64) -> (Option<u64>, Option<u64>) {
    let size = usize::try_from(n).unwrap_or(usize::MAX);
    if !(q > 0.0 && q < 1.0) {
        return (None, None);
    }
    let low = cut(size, q, TAIL).map(|rank| rank as u64);
    let high = cut(size, 1.0 - q, TAIL).map(|rank| n + 1 - rank as u64);
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quantile_interval;

    #[test]
    fn few_values_have_an_end_where_their_number_decides() {
        // R: qbinom(.025, n, .99), and .99^n against .025
        for (n, ends) in [
            (0, (None, None)),
            (1, (Some(1), None)),
            (100, (Some(97), None)),
            (367, (Some(359), None)),
            (368, (Some(360), Some(368))),
            (400, (Some(392), Some(400))),
        ] {
            assert_eq!(quantile_ends(n, 0.99), ends, "{n}");
        }
        assert_eq!(quantile_ends(5, 0.5), (None, None));
        assert_eq!(quantile_ends(6, 0.5), (Some(1), Some(6)));
        assert_eq!(quantile_ends(100, 1.0), (None, None));
    }

    /// Those below the quantile could not be counted one by one.
    #[test]
    fn of_very_many_values_the_few_beyond_are_counted() {
        // R: qpois(c(.025, .975), 10) = 4 and 17
        let n = 1_000_000_000_000;
        let ends = quantile_ends(n, 1.0 - 1e-11);
        assert_eq!(ends, (Some(n - 17), Some(n - 3)));
    }

    #[test]
    fn agrees_with_the_exact_ranks_to_two_places() {
        for (n, q) in [
            (200_u64, 0.5),
            (1_000, 0.9),
            (5_000, 0.5),
            (10_000, 0.99),
            (100_000, 0.999),
        ] {
            let sample: Vec<f64> = (1..=n).map(|value| value as f64).collect();
            let exact = quantile_interval(&sample, q).unwrap();
            let (low, high) = quantile_ranks(n, q).unwrap();
            assert!((low as f64 - exact.0).abs() <= 2.0, "{n} {q}: {low}");
            assert!((high as f64 - exact.1).abs() <= 2.0, "{n} {q}: {high}");
        }
    }

    #[test]
    fn small_samples_and_nonsense_have_no_ranks() {
        for (n, q) in [
            (0, 0.5),
            (15, 0.5),
            (900, 0.99),
            (100, 1.0),
            (100, f64::NAN),
        ] {
            assert_eq!(quantile_ranks(n, q), None, "{n} {q}");
        }
    }
}
