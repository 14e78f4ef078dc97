//! The language of expectations: what a claim says about stages, as a condition.
//!
//! ```text
//! condition  = side bound { "and" bound }
//! side       = figure [ "/" figure ] | rank | agreement
//! rank       = "rank" [ "by" metric ] "of" "`" rival "`" "in" "`" ranking "`"
//! agreement  = "agreement" [ "by" metric ] "of" "`" ranking "`"
//! figure     = [ "least" | "largest" ] metric "of" "`" stage "`"
//! stage      = name [ "@" level { "," level } ]
//! level      = factor "=" ( value | number ".." number )
//! metric     = "throughput" | "mean" | "median" | "p50" | "p90" | "p95" | "p99" | "max"
//!            | "cpu-per-request" | "peak-memory" | "errors" | "goodput" | "unconnected"
//!            | "timed-out" | "attempts" | "page-mean" | "page-p50" | "generator-cpu"
//! bound      = ( "<" | "<=" | ">" | ">=" ) quantity | "within" quantity ".." quantity
//! quantity   = number [ "ns" | "us" | "ms" | "s" | "B" | "kB" | "KiB" | … | "%" | "req/s" ]
//! ```
//!
//! A name of a sweep means all its stages, and with levels those at them; the figure is then taken block
//! by block over these stages: their mean, or with `least` and `largest` the smallest and the largest.
//!
//! A rank is decided by the range of ranks that a rival can have in a ranking of the plan, and the agreement of its
//! order with the reported one (Kendall's tau) by the pairs that are sure.
//!
//! Times, sizes and shares need their unit, as `50` may be milliseconds or seconds, and `0.5` half or half a
//! percent; zero needs none. A rate has one unit only, which may be left out; a ratio and a count have none.
//! Both ends of `within` belong to it.

pub(crate) mod cursor;
mod error;
mod parse;
mod ranks;
mod select;
mod unit;

use record::{Metric, Plan, Ranking, Stage};

pub use error::ExpectError;
pub use ranks::RankExpect;
pub(crate) use ranks::is_about_a_ranking;
pub(crate) use select::select;

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

/// A metric of a stage, or of several that a sweep has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// Which one of several stages' figures.
    pub pick: Pick,
    /// The metric.
    pub metric: Metric,
    /// The stage's name, or what selects several.
    pub stage: String,
    /// Where the name stands in the text: byte offset.
    at: usize,
}

impl Figure {
    /// A metric of all the stages that a name means.
    pub(crate) fn of(pick: Pick, metric: Metric, stage: String) -> Self {
        let at = 0;
        Self {
            pick,
            metric,
            stage,
            at,
        }
    }
}

/// What becomes of several stages' figures of one block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pick {
    /// Their arithmetic mean.
    #[default]
    Mean,
    /// The smallest.
    Least,
    /// The largest.
    Largest,
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
    /// Reads a condition as it may stand in a stored plan: numbers without a unit are in the metric's
    /// own (seconds, bytes, a share from 0 to 1).
    ///
    /// # Errors
    /// It is not one; the error says where and what was expected there.
    pub fn parse(text: &str) -> Result<Self, ExpectError> {
        parse::condition(text, true)
    }

    /// The figures it is about: one, or two of a ratio.
    pub fn figures(&self) -> impl Iterator<Item = &Figure> + Clone {
        [Some(&self.of), self.over.as_ref()].into_iter().flatten()
    }
}

/// The names of the stages that a condition is about, in the order in which it names them; none where it cannot be
/// read.
pub fn stages_of(text: &str, plan: &Plan) -> Vec<String> {
    let names: Vec<String> = if let Ok(rank) = RankExpect::parse(text) {
        let named = |ranking: &&Ranking| ranking.name == rank.ranking;
        let rivals = plan.rankings.iter().find(named).map(|ranking| &ranking.of);
        let rivals = rivals.into_iter().flatten();
        rivals.map(|rival| rival.stages.clone()).collect()
    } else if let Ok(expect) = Expect::parse(text) {
        expect
            .figures()
            .map(|figure| figure.stage.clone())
            .collect()
    } else {
        Vec::new()
    };
    let meant = |name: &String| select(&plan.stages, name).unwrap_or_default();
    let stages = names.iter().flat_map(meant);
    stages.map(|stage| stage.name.clone()).collect()
}

/// The ranking that a condition is about, if it is about one.
pub fn ranking_of(text: &str) -> Option<String> {
    RankExpect::parse(text).ok().map(|rank| rank.ranking)
}

/// Reads a condition and checks its units and its names: what a plan is asked when it is loaded.
///
/// # Errors
/// Those of [`Expect::parse`] and [`Expect::check_names`], and a number without the unit that it needs.
pub fn check_expectation(text: &str, stages: &[Stage]) -> Result<(), ExpectError> {
    check_condition(text, stages, &[])
}

/// The same, of a plan that has rankings.
///
/// # Errors
/// Those of [`check_expectation`], [`RankExpect::parse`] and [`RankExpect::check_names`].
pub fn check_condition(
    text: &str,
    stages: &[Stage],
    rankings: &[Ranking],
) -> Result<(), ExpectError> {
    if is_about_a_ranking(text) {
        return RankExpect::parse(text)?.check_names(rankings);
    }
    parse::condition(text, false)?.check_names(stages)
}
