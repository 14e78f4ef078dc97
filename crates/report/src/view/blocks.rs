use judge::{Doubt, Judged, StageOpinion, TrialOpinion};
use record::Metric;
use serde::Serialize;

use crate::units;

/// Throughput block by block.
#[derive(Clone, Debug, Serialize)]
pub struct Blocks {
    /// Each stage that has a figure.
    pub panels: Vec<Panel>,
    /// How far a trial lies from its stage's median at most, as a share of it.
    pub span: f64,
    /// The same in words.
    pub span_words: String,
    /// The last block, 0-based.
    pub last: u32,
}

/// The trials of a stage.
#[derive(Clone, Debug, Serialize)]
pub struct Panel {
    /// The stage.
    pub name: String,
    /// Its throughput with the uncertainty.
    pub figure: String,
    /// Ends of the interval of its median, as distances from it.
    pub interval: Option<(f64, f64)>,
    /// Its trials, without the second half of the A/A pair.
    pub trials: Vec<BlockTrial>,
}

/// A trial of a stage.
#[derive(Clone, Debug, Serialize)]
pub struct BlockTrial {
    /// Its block, 0-based.
    pub block: u32,
    /// How far it lies from its stage's median, as a share of it.
    pub distance: Option<f64>,
    /// `counts`, `left-out` or `failed`.
    pub standing: &'static str,
    /// The same with its figure, and why it is left out.
    pub text: String,
}

/// A scale is never finer than this share up and down, lest noise looks like drama.
const FINEST: f64 = 0.05;

impl Blocks {
    pub(super) fn new(judged: &Judged) -> Option<Self> {
        let stages = judged.stages.iter();
        let panels: Vec<Panel> = stages
            .filter_map(|stage| Panel::new(judged, stage))
            .collect();
        let trials = panels.iter().flat_map(|panel| &panel.trials);
        let distances = trials.filter_map(|trial| trial.distance);
        let span = distances.map(f64::abs).fold(FINEST, f64::max);
        let enough = judged.blocks > 1 && !panels.is_empty();
        enough.then(|| Self {
            panels,
            span,
            span_words: units::about(span),
            last: judged.trials.iter().map(|of| of.block).max().unwrap_or(0),
        })
    }
}

impl Panel {
    fn new(judged: &Judged, stage: &StageOpinion) -> Option<Self> {
        let figure = stage.figures.get(&Metric::Throughput)?;
        let distance = |of: f64| of / figure.value - 1.0;
        let own = judged.trials.iter();
        let own = own.filter(|trial| trial.stage == stage.name && !trial.again);
        let trial = |of: &TrialOpinion| BlockTrial {
            block: of.block,
            distance: of
                .figures
                .get(&Metric::Throughput)
                .map(|rate| distance(*rate))
                .filter(|share| share.is_finite()),
            standing: standing(of),
            text: text(of),
        };
        Some(Self {
            name: stage.name.clone(),
            figure: units::figure(Metric::Throughput, figure),
            interval: figure
                .interval
                .map(|(low, high)| (distance(low), distance(high))),
            trials: own.map(trial).collect(),
        })
    }
}

fn standing(trial: &TrialOpinion) -> &'static str {
    match trial {
        TrialOpinion {
            failure: Some(_), ..
        } => "failed",
        TrialOpinion { counts: true, .. } => "counts",
        _ => "left-out",
    }
}

fn text(trial: &TrialOpinion) -> String {
    let block = trial.block + 1;
    let rate = trial.figures.get(&Metric::Throughput);
    match (standing(trial), rate.map(|rate| units::rate(*rate))) {
        ("counts", Some(rate)) => format!("block {block}: {rate}"),
        ("left-out", Some(rate)) => format!("block {block}: {rate}, left out: {}", reasons(trial)),
        _ => format!("block {block}: no figure"),
    }
}

fn reasons(trial: &TrialOpinion) -> String {
    let disqualifying = trial.doubts.iter().filter(|doubt| doubt.disqualifies);
    let title = |doubt: &Doubt| doubt.kind.rule().title(true);
    disqualifying.map(title).collect::<Vec<_>>().join(", ")
}
