/// The sample in ascending order; `None` when it is empty or holds a value that is not finite.
pub(crate) fn ascending(sample: &[f64]) -> Option<Vec<f64>> {
    if sample.is_empty() || !sample.iter().all(|value| value.is_finite()) {
        return None;
    }
    let mut sorted = sample.to_vec();
    sorted.sort_by(f64::total_cmp);
    Some(sorted)
}

/// The value below which the share `q` (0 to 1) of the sample lies, interpolated linearly between
/// the order statistics x(j) and x(j+1) with j = floor(q(n - 1)) + 1.
///
/// This is definition 7 of Hyndman and Fan, "Sample Quantiles in Statistical Packages" (The
/// American Statistician 50, 1996), the default of R and `NumPy`. `None` for an empty sample, a
/// value that is not finite, or a `q` outside 0 to 1.
pub fn quantile(sample: &[f64], q: f64) -> Option<f64> {
    let sorted = ascending(sample)?;
    if !(0.0..=1.0).contains(&q) {
        return None;
    }
    Some(of_ascending(&sorted, q))
}

/// [`quantile`] of values that are there, finite and in ascending order.
pub(crate) fn of_ascending(sorted: &[f64], q: f64) -> f64 {
    let place = q * (sorted.len() - 1) as f64;
    let [below, above] = [place.floor(), place.ceil()].map(|at| sorted[at as usize]);
    below + (above - below) * place.fract()
}

/// The middle of the sample, or the mean of the two in the middle; `None` like [`quantile`].
pub fn median(sample: &[f64]) -> Option<f64> {
    quantile(sample, 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_numpy() {
        // numpy.quantile([7, 15, 36, 39, 40, 41], [0, .1, .25, .5, .9, 1])
        let sample = [41.0, 7.0, 39.0, 15.0, 40.0, 36.0];
        let expected = [7.0, 11.0, 20.25, 37.5, 40.5, 41.0];
        for (q, value) in [0.0, 0.1, 0.25, 0.5, 0.9, 1.0].into_iter().zip(expected) {
            let got = quantile(&sample, q).unwrap();
            assert!((got - value).abs() < 1e-12, "q {q}: {got}");
        }
    }

    #[test]
    fn says_nothing_where_nothing_can_be_said() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[1.0, f64::NAN]), None);
        assert_eq!(median(&[1.0, f64::INFINITY]), None);
        assert_eq!(quantile(&[1.0], 1.01), None);
        assert_eq!(quantile(&[1.0], f64::NAN), None);
        assert_eq!(median(&[3.0]), Some(3.0));
    }
}
