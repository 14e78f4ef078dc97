use statrs::distribution::{ContinuousCDF as _, Normal, StudentsT};

/// The value of Student's t that is exceeded with the chance `tail`.
pub(crate) fn student(freedom: usize, tail: f64) -> f64 {
    StudentsT::new(0.0, 1.0, freedom as f64).map_or(f64::INFINITY, |t| t.inverse_cdf(1.0 - tail))
}

/// The value of a standard normal deviate that is exceeded with the chance `tail`.
pub(crate) fn normal(tail: f64) -> f64 {
    -Normal::standard().inverse_cdf(tail)
}

/// The chance that a standard normal deviate exceeds `value`.
pub(crate) fn beyond(value: f64) -> f64 {
    Normal::standard().sf(value)
}

/// Mean, and the standard deviation that n - 1 degrees of freedom give.
pub(crate) fn mean_and_scatter(sample: &[f64]) -> (f64, f64) {
    let n = sample.len() as f64;
    let mean = sample.iter().sum::<f64>() / n;
    let squares: f64 = sample.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / (n - 1.0).max(1.0)).sqrt())
}
