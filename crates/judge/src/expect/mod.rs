//! The language of expectations: what a claim says about stages, as a condition.
//!
//! ```text
//! condition  = side bound { "and" bound }
//! side       = figure [ "/" figure ]
//! figure     = metric "of" "`" stage "`"
//! metric     = "throughput" | "mean" | "median" | "p50" | "p90" | "p99" | "max"
//!            | "cpu-per-request" | "peak-memory" | "errors" | "goodput" | "unconnected"
//!            | "timed-out" | "attempts" | "page-mean" | "page-p50"
//! bound      = ( "<" | "<=" | ">" | ">=" ) number | "within" number ".." number
//! ```
//!
//! Numbers are in the metric's own unit (seconds, requests per second, bytes, a share from 0 to
//! 1); a ratio has none. Both ends of `within` belong to it.

pub(crate) mod cursor;
mod error;
mod parse;

use record::Metric;

pub use error::ExpectError;

use crate::words::{closest, listed};

/// A condition that was read, ready to be decided.
#[derive(Clone, Debug, PartialEq)]
pub struct Expect {
    /// As it was written.
    pub text: String,
    /// The figure, or the one above the line.
    pub of: Figure,
    /// The figure below the line of a ratio.
    pub over: Option<Figure>,
    /// What the side must satisfy, all of it.
    pub bounds: Vec<Bound>,
}

/// A metric of a stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The metric.
    pub metric: Metric,
    /// The stage's name.
    pub stage: String,
    /// Where the name stands in the text: byte offset.
    at: usize,
}

/// What a value must satisfy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// `< x`
    Below(f64),
    /// `<= x`
    AtMost(f64),
    /// `> x`
    Above(f64),
    /// `>= x`
    AtLeast(f64),
    /// `within x .. y`
    Within(f64, f64),
}

impl Bound {
    /// Whether the value satisfies it.
    pub fn holds(self, value: f64) -> bool {
        match self {
            Self::Below(edge) => value < edge,
            Self::AtMost(edge) => value <= edge,
            Self::Above(edge) => value > edge,
            Self::AtLeast(edge) => value >= edge,
            Self::Within(low, high) => (low..=high).contains(&value),
        }
    }
}

impl Expect {
    /// Reads a condition.
    ///
    /// # Errors
    /// It is not one; the error says where and what was expected there.
    pub fn parse(text: &str) -> Result<Self, ExpectError> {
        parse::condition(text)
    }

    /// The figures it is about: one, or two of a ratio.
    pub fn figures(&self) -> impl Iterator<Item = &Figure> {
        [Some(&self.of), self.over.as_ref()].into_iter().flatten()
    }

    /// Checks that every stage it names exists.
    ///
    /// # Errors
    /// The first name that does not, with the one that may have been meant.
    pub fn check_names(&self, names: &[&str]) -> Result<(), ExpectError> {
        for figure in self.figures() {
            if !names.contains(&figure.stage.as_str()) {
                let known = names.iter().copied();
                let hint = match closest(&figure.stage, known.clone()) {
                    Some(name) => format!("did you mean `{name}`?"),
                    None => format!("the stages are {}", listed(known)),
                };
                let problem = format!("no stage is called `{}`", figure.stage);
                let width = figure.stage.len() + 2;
                return Err(ExpectError::new(
                    &self.text, figure.at, width, problem, hint,
                ));
            }
        }
        Ok(())
    }
}

/// Reads a condition and checks its names: what a plan is asked when it is loaded.
///
/// # Errors
/// Those of [`Expect::parse`] and [`Expect::check_names`].
pub fn check_expectation(text: &str, names: &[&str]) -> Result<(), ExpectError> {
    Expect::parse(text)?.check_names(names)
}
