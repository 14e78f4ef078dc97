//! Pure mathematics over numbers: quantiles, intervals, ratios of two samples and of many, ranks, curves.
//!
//! Nothing here knows what a trial is. Every interval is a nominal 95 % one, or as sure as it is
//! asked to be ([`Confidence`]), and is absent where the sample is too small to carry it; the simulations in `tests/` hold them to that.

#[macro_use]
extern crate schemars;

mod center;
mod confidence;
mod curve;
mod interval;
mod looks;
mod nnls;
mod pairwise;
mod places;
mod quantile;
mod rank;
mod ratio;
mod share;
mod spline;
mod student;
mod turn;
mod usl;

pub use center::{PAIRS, figure_estimate};
pub use confidence::Confidence;
pub use curve::Curve;
pub use interval::{Estimate, FEWEST, median_estimate, quantile_interval};
pub use looks::Looks;
pub use pairwise::Pairwise;
pub use places::{agreement, rank_ranges};
pub use quantile::{median, quantile};
pub use rank::{quantile_ends, quantile_ranks};
pub use ratio::{half_width, paired_limit, paired_ratio, ratio_apart, unpaired_ratio};
pub use share::{share_difference, share_estimate};
pub use spline::b_spline;
pub use turn::{Collapse, LEFT, Summit, collapse, summit};
pub use usl::{Law, Usl};
