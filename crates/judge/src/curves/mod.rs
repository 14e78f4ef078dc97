//! Sweeps become curves: how throughput and latency move with one factor, and where they turn.

mod assemble;
mod factor;
mod turn;
mod workload;

pub(crate) use assemble::curves;
pub use factor::Counts;
pub use workload::{VariantCeiling, WorkloadCeiling};
pub(crate) use workload::{ceilings, stands_at_its_ceiling};

use record::Metric;
use serde::Serialize;
pub use stats::{Collapse, Summit as Turn, Usl as Scalability};

use crate::opinion::Figure;

/// A family of variants along one of its factors, the others held where they are.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Curve {
    /// Name of the variant that all of them were made of.
    pub family: String,
    /// What it runs along (`connections`).
    pub factor: String,
    /// The family's other factors, each with the level that it has here.
    pub others: Vec<(String, String)>,
    /// What the factor counts, by which the knee and the law of scalability are given or not.
    pub counts: Counts,
    /// Correct responses per second (goodput: throughput, where no errors keep it from counting); then
    /// p50 and p99 of the response time, as far as three levels have them.
    pub lines: Vec<Line>,
    /// Levels that have no figure.
    pub missing: Vec<Missing>,
    /// Where most is answered.
    pub peak: Option<Turn>,
    /// The level of the largest power, throughput over mean response time ([`stats::summit`] says why): up
    /// to it more load is rewarded more than punished. Of factors that are load, among the levels
    /// at which errors are few.
    pub knee: Option<Turn>,
    /// From where on less than half of the peak is left.
    pub collapse: Option<Collapse>,
    /// The Universal Scalability Law of the curve; of factors that count clients or workers.
    pub law: Option<Scalability>,
    /// Why there is no law, where one might be expected.
    pub no_law: Option<String>,
}

/// A figure at each level.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Line {
    /// The figure.
    pub metric: Metric,
    /// Its points, by ascending level.
    pub points: Vec<Point>,
}

/// A figure at one level.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Point {
    /// What the factor is set to.
    pub level: f64,
    /// The variant that is this point.
    pub variant: String,
    /// Median over blocks, with its interval.
    pub figure: Figure,
    /// The figure of each block.
    pub blocks: Vec<(u32, f64)>,
    /// Share of requests that failed, where that kept trials from counting as throughput.
    pub errors: Option<f64>,
    /// What the workload itself allows here, where that is known.
    pub ceiling: Option<WorkloadCeiling>,
    /// Whether a run put it here because the curve turned nearby; the plan's own points are not.
    pub added: bool,
}

/// A level without a figure.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Missing {
    /// What the factor is set to.
    pub level: f64,
    /// The variant.
    pub variant: String,
    /// Why no trial of it counts.
    pub why: String,
}

impl Curve {
    /// As conditions select it: `x`, or `x@server=puma` where the family has other factors.
    pub fn name(&self) -> String {
        if self.others.is_empty() {
            return self.family.clone();
        }
        let others = self.others.iter();
        let others = others.map(|(factor, level)| format!("{factor}={level}"));
        format!("{}@{}", self.family, others.collect::<Vec<_>>().join(","))
    }

    /// The line of this metric.
    pub fn line(&self, metric: Metric) -> Option<&Line> {
        self.lines.iter().find(|line| line.metric == metric)
    }

    /// Points of throughput.
    pub fn points(&self) -> &[Point] {
        self.line(Metric::Goodput).map_or(&[], |line| &line.points)
    }
}
