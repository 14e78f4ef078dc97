//! What the report on a run says, section by section, in words and figures: the terminal and the page draw it,
//! and neither adds to it. Names stand in backticks.
//!
//! A new section is a file here, its field below, and a renderer beside those of `terminal/run/` and `html/`.

mod blocks;
mod claims;
mod curves;
mod details;
mod doubts;
mod head;
mod load;
mod loads;
mod matrices;
mod rankings;
mod reading;
mod stages;
mod times;

use serde::Serialize;

use crate::JudgedRun;

pub use blocks::{BlockTrial, Blocks, Panel};
pub use claims::{Claim, Condition};
pub use curves::Curve;
pub use details::{Detail, Process, Server, TrialRow};
pub use doubts::Doubt;
pub use head::Head;
pub(crate) use head::facts;
pub use load::Load;
pub use loads::Loads;
pub use matrices::{Matrix, MatrixCell, SHADES};
pub use rankings::{RankCell, Ranking, Rival};
pub use reading::Reading;
pub use stages::{Figure, Stage, Stages, Versus};
pub use times::Times;

/// The report on a run. A section of which there is nothing to say is empty, or `None`.
#[derive(Clone, Debug, Serialize)]
pub struct Report<'a> {
    /// What was run, and which stage is the fastest.
    pub head: Head,
    /// Every stage with its figures.
    pub stages: Stages,
    /// What the load of each stage was like, beyond the figures that are compared.
    pub loads: Option<Loads>,
    /// The curves of the sweeps.
    pub curves: Vec<Curve<'a>>,
    /// Reasons not to trust figures, those that disqualify first.
    pub doubts: Vec<Doubt>,
    /// Families with two factors or more.
    pub matrices: Vec<Matrix>,
    /// The plan's rankings.
    pub rankings: Vec<Ranking>,
    /// The plan's claims with their verdicts.
    pub claims: Vec<Claim>,
    /// The response times of each stage.
    pub times: Vec<Times<'a>>,
    /// Throughput block by block; none of a single block.
    pub blocks: Option<Blocks>,
    /// Everything needed to repeat a stage and to check its figures.
    pub details: Vec<Detail<'a>>,
    /// How to read all this.
    pub reading: Reading,
}

impl<'a> Report<'a> {
    /// The report on a run and its trials.
    pub fn new(of: &JudgedRun<'a>) -> Self {
        let JudgedRun { run, judged, .. } = *of;
        Self {
            head: Head::new(run, judged),
            stages: Stages::new(judged),
            loads: Loads::new(of),
            curves: judged.curves.iter().map(Curve::new).collect(),
            doubts: Doubt::all(judged),
            matrices: judged.matrices.iter().map(Matrix::new).collect(),
            rankings: judged.rankings.iter().map(Ranking::new).collect(),
            claims: judged.claims.iter().map(Claim::new).collect(),
            times: judged.stages.iter().map(Times::of_stage).collect(),
            blocks: Blocks::new(judged),
            details: details::all(of),
            reading: Reading::new(run, judged),
        }
    }
}
