//! Pure mathematics over numbers: quantiles, intervals, ratios of two samples, Little's law.
//!
//! Nothing here knows what a trial is. Every interval is a nominal 95 % one, and is absent where
//! the sample is too small to carry it; the simulations in `tests/coverage.rs` hold them to that.

mod interval;
mod quantile;
mod queue;
mod rank;
mod ratio;

pub use interval::{Estimate, FEWEST, median_estimate, quantile_interval};
pub use quantile::{median, quantile};
pub use queue::requests_inside;
pub use rank::quantile_ranks;
pub use ratio::{half_width, paired_ratio, unpaired_ratio};
