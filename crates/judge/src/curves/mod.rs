//! Sweeps become curves: how throughput and latency move with one factor, and where they turn.

mod assemble;
mod factor;
mod turn;
mod workload;

pub(crate) use assemble::curves;
pub use factor::Counts;
pub(crate) use workload::ceilings;
pub use workload::{StageCeiling, WorkloadCeiling};

use record::Metric;
use serde::Serialize;

use crate::opinion::Figure;

/// A family of stages along one of its factors, the others held where they are.
#[derive(Clone, Debug, Serialize)]
pub struct Curve {
    /// Name of the stage that all of them were made of.
    pub family: String,
    /// What it runs along (`connections`).
    pub factor: String,
    /// The family's other factors, each with the level that it has here.
    pub others: Vec<(String, String)>,
    /// What the factor counts, by which the knee and the law of scalability are given or not.
    pub counts: Counts,
    /// Right answers per second (goodput: throughput, where no errors keep it from counting); then
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
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// The figure.
    pub metric: Metric,
    /// Its points, by ascending level.
    pub points: Vec<Point>,
}

/// A figure at one level.
#[derive(Clone, Debug, Serialize)]
pub struct Point {
    /// What the factor is set to.
    pub level: f64,
    /// The stage that is this point.
    pub stage: String,
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
#[derive(Clone, Debug, Serialize)]
pub struct Missing {
    /// What the factor is set to.
    pub level: f64,
    /// The stage.
    pub stage: String,
    /// Why no trial of it counts.
    pub why: String,
}

/// A level at which a curve turns.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Turn {
    /// One of the measured levels.
    pub level: f64,
    /// 95 % interval, from measured level to measured level; `None` with too few blocks.
    pub interval: Option<(f64, f64)>,
    /// It is the highest level of all: the curve may turn beyond.
    pub at_end: bool,
}

/// Where a curve has surely lost more than half of its peak, and does not come back.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Collapse {
    /// The first level at which it has.
    pub level: f64,
    /// The level before.
    pub after: f64,
}

/// X(N) = λN / (1 + σ(N - 1) + κN(N - 1)), fitted with no coefficient below zero.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Scalability {
    /// λ: what one alone does, per second.
    pub alone: Figure,
    /// σ: share of the work that only one can do at a time.
    pub contention: Figure,
    /// κ: what keeping each two of them in step costs.
    pub coherency: Figure,
    /// N of the largest throughput, if that is not beyond twice the measured range.
    pub peak: Option<Figure>,
    /// Lowest and highest level that it rests on.
    pub range: (f64, f64),
    /// How far it is off where it is farthest from a point, as a share.
    pub off: f64,
}

/// A law that is farther off than this somewhere, as a share, does not describe the curve.
const FITS: f64 = 0.25;

impl Scalability {
    /// Throughput of `n`; `None` beyond twice the measured range, in either direction.
    pub fn at(&self, n: f64) -> Option<f64> {
        let law = stats::Law {
            alone: self.alone.value,
            contention: self.contention.value,
            coherency: self.coherency.value,
        };
        let (low, high) = self.believed();
        (low..=high).contains(&n).then(|| law.at(n))
    }

    /// Where it is believed: twice the measured range.
    pub fn believed(&self) -> (f64, f64) {
        (
            self.range.0 / stats::Usl::REACH,
            self.range.1 * stats::Usl::REACH,
        )
    }

    /// Whether it describes the curve.
    pub fn fits(&self) -> bool {
        self.off <= FITS
    }
}

impl Curve {
    /// As conditions select it: `x`, or `x@server=puma` where the family has other factors.
    pub fn name(&self) -> String {
        if self.others.is_empty() {
            return self.family.clone();
        }
        let others = self.others.iter();
        let others: Vec<String> = others
            .map(|(factor, level)| format!("{factor}={level}"))
            .collect();
        format!("{}@{}", self.family, others.join(","))
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
