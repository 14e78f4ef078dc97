use statrs::distribution::{ContinuousCDF as _, StudentsT};

/// The value of Student's t that is exceeded with the chance `tail`.
pub(crate) fn student(freedom: usize, tail: f64) -> f64 {
    StudentsT::new(0.0, 1.0, freedom as f64).map_or(f64::INFINITY, |t| t.inverse_cdf(1.0 - tail))
}

/// Mean, and the standard deviation that n - 1 degrees of freedom give.
pub(crate) fn mean_and_scatter(sample: &[f64]) -> (f64, f64) {
    let n = sample.len() as f64;
    let mean = sample.iter().sum::<f64>() / n;
    let squares: f64 = sample.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / (n - 1.0).max(1.0)).sqrt())
}
