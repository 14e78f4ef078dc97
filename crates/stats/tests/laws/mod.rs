//! Laws by which simulated figures scatter.

use rand::RngExt as _;
use rand_chacha::ChaCha8Rng;

/// A standard normal deviate (Box and Muller).
pub(crate) fn normal(random: &mut ChaCha8Rng) -> f64 {
    let (u, v) = (1.0 - random.random::<f64>(), random.random::<f64>());
    (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
}

/// How the logarithm of a pair's ratio scatters: laws that are symmetric, as those of two equals are.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Law {
    /// Of one standard deviation.
    Normal,
    /// Student's, of 3 degrees of freedom.
    HeavyTails,
    /// Of two log-normal figures.
    LogNormals,
    /// Normal, but one in ten is ten times as far off.
    Outliers,
    /// Of two exponential ones.
    Laplace,
}

impl Law {
    /// Each.
    pub(crate) const ALL: [Self; 5] = [
        Self::Normal,
        Self::HeavyTails,
        Self::LogNormals,
        Self::Outliers,
        Self::Laplace,
    ];

    /// The logarithm of one ratio.
    pub(crate) fn draw(self, random: &mut ChaCha8Rng) -> f64 {
        match self {
            Self::HeavyTails => {
                let squares: f64 = (0..3).map(|_| normal(random).powi(2)).sum();
                normal(random) / (squares / 3.0).sqrt()
            }
            Self::LogNormals => (0.8 * normal(random)).exp() - (0.8 * normal(random)).exp(),
            Self::Outliers if random.random_bool(0.1) => 10.0 * normal(random),
            Self::Normal | Self::Outliers => normal(random),
            Self::Laplace => random.random::<f64>().ln() - random.random::<f64>().ln(),
        }
    }
}
