//! The language of conditions: what a claim says about the variants of a run, and what a load must not exceed.
//!
//! ```text
//! condition  = side [ "as" "loaded" ] bound { "and" bound }                a claim, `--expect`
//! side       = figure | ratio [ "/" "(" ratio ")" ] | rank | agreement
//! ratio      = figure "/" figure | "(" figure "/" figure ")"
//! rank       = "rank" [ "by" metric ] "of" "`" rival "`" "in" "`" ranking "`"
//! agreement  = "agreement" [ "by" metric ] "of" "`" ranking "`"
//! figure     = [ "least" | "largest" ] metric "of" "`" variant "`"
//! variant      = name [ "@" level { "," level } ]
//! level      = factor "=" ( value | number ".." number )
//! metric     = "median" | a metric of `record::Metric`
//!
//! thresholds = threshold { ( "," | "and" ) threshold }                     `--fail-if`
//! threshold  = measure comparison quantity
//! measure    = "p50" | "p90" | "p95" | "p99" | "p99.9" | "p99.99" | "mean" | "max"
//!            | "errors" | "timeouts" | "dropped" | "throughput" | "achieved"
//!
//! bound      = comparison quantity | "within" quantity ".." quantity
//! comparison = "<" | "<=" | ">" | ">="
//! quantity   = number [ "ns" | "us" | "ms" | "s" | "B" | "kB" | "KiB" | … | "%" | "req/s" ]
//! ```
//!
//! A name of a sweep means all its variants, and with levels those at them; the figure is then taken block
//! by block over these variants: their mean, or with `least` and `largest` the smallest and the largest.
//!
//! A ratio of ratios compares two effects: what one change does here with what it does there. Each is taken within
//! a block, as their ratio is.
//!
//! A rate near the ceiling that its load sets, whatever serves it, is a lower limit of what the server can do, and a
//! ratio with it is one-sided. `as loaded` asks for the rates that were measured: a statement about the load. A rate
//! without a ratio is always one.
//!
//! A rank is decided by the range of ranks that a rival can have in a ranking of the plan, and the agreement of its
//! order with the reported one (Kendall's tau) by the pairs that are sure.
//!
//! Times, sizes and shares need their unit, as `50` may be milliseconds or seconds, and `0.5` half or half a
//! percent; in a claim zero needs none. A rate has one unit only, which may be left out; a ratio and a count have
//! none. What a threshold counts (`errors`) may be given as a share too. Both ends of `within` belong to it.

mod cursor;
mod error;
mod expect;
mod kept;
mod parse;
mod ranks;
mod select;
mod unit;

use crate::Plan;

pub use cursor::Cursor;
pub use error::ExpectError;
pub use expect::{Expect, Figure, Pick};
pub use kept::Condition;
pub use parse::{is_quantile, metric_named};
pub use ranks::RankExpect;
pub use select::select;
pub use unit::{belongs, scale};

/// What a condition of a claim means.
#[derive(Clone, Debug, PartialEq)]
pub enum Expectation {
    /// About figures of variants.
    Figures(Expect),
    /// About a ranking of the plan.
    Ranking(RankExpect),
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

impl Expectation {
    /// The names of the variants that it is about, in the order in which it names them.
    pub fn variants(&self, plan: &Plan) -> Vec<String> {
        let names: Vec<&str> = match self {
            Self::Figures(of) => of.figures().map(|of| of.variant.as_str()).collect(),
            Self::Ranking(of) => {
                let named = plan.rankings.iter().find(|known| known.name == of.ranking);
                let rivals = named.iter().flat_map(|ranking| &ranking.of);
                rivals.map(|rival| rival.variants.as_str()).collect()
            }
        };
        let meant = |name: &str| select(&plan.variants, name).unwrap_or_default();
        let variants = names.into_iter().flat_map(meant);
        variants.map(|variant| variant.name.clone()).collect()
    }

    /// The ranking that it is about, if it is about one.
    pub fn ranking(&self) -> Option<&str> {
        match self {
            Self::Figures(_) => None,
            Self::Ranking(of) => Some(&of.ranking),
        }
    }
}
