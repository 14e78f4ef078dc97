use judge::{Judged, StageOpinion, TrialOpinion};
use record::Metric;
use serde::Serialize;

use crate::{units, words};

/// Throughput block by block, a panel for each stage.
///
/// All panels share one vertical scale: the distance from the stage's own median, as a share. So
/// steady and unsteady stages can be told apart, however fast they are.
#[derive(Serialize)]
pub(super) struct Blocks {
    panels: Vec<Panel>,
    /// What the upper and the lower edge mean.
    span: String,
}

#[derive(Serialize)]
struct Panel {
    name: String,
    figure: String,
    /// Upper edge and height of the interval.
    band: Option<(String, String)>,
    dots: Vec<Dot>,
    summary: String,
}

#[derive(Serialize)]
struct Dot {
    x: String,
    y: String,
    class: &'static str,
    text: String,
}

/// The size of a panel, and what is kept free above and below.
const WIDTH: f64 = 240.0;
const HEIGHT: f64 = 90.0;
const EDGE: f64 = 8.0;
/// A scale is never finer than this share up and down, lest noise looks like drama.
const FINEST: f64 = 0.05;

impl Blocks {
    pub(super) fn new(judged: &Judged) -> Option<Self> {
        let span = judged
            .stages
            .iter()
            .flat_map(|stage| own_trials(judged, stage).filter_map(|trial| distance(stage, trial)))
            .map(f64::abs)
            .fold(FINEST, f64::max);
        let panels: Vec<Panel> = judged
            .stages
            .iter()
            .filter_map(|stage| Panel::new(judged, stage, span))
            .collect();
        let enough = judged.blocks > 1 && !panels.is_empty();
        enough.then(|| Self {
            panels,
            span: units::about(span),
        })
    }
}

/// A stage's trials, without the second half of the A/A pair.
fn own_trials<'a>(
    judged: &'a Judged,
    stage: &'a StageOpinion,
) -> impl Iterator<Item = &'a TrialOpinion> {
    judged
        .trials
        .iter()
        .filter(|trial| trial.stage == stage.name && !trial.again)
}

/// How far a trial lies from its stage's median, as a share of it.
fn distance(stage: &StageOpinion, trial: &TrialOpinion) -> Option<f64> {
    let median = stage.figures.get(&Metric::Throughput)?.value;
    let share = trial.figures.get(&Metric::Throughput)? / median - 1.0;
    share.is_finite().then_some(share)
}

impl Panel {
    fn new(judged: &Judged, stage: &StageOpinion, span: f64) -> Option<Self> {
        let figure = stage.figures.get(&Metric::Throughput)?;
        let y = |share: f64| {
            let share = share.clamp(-span, span) / span;
            HEIGHT / 2.0 - share * (HEIGHT / 2.0 - EDGE)
        };
        let last = judged
            .trials
            .iter()
            .map(|trial| trial.block)
            .max()
            .unwrap_or(0)
            .max(1);
        let x = |block: u32| EDGE + f64::from(block) / f64::from(last) * (WIDTH - 2.0 * EDGE);
        let dots: Vec<Dot> = own_trials(judged, stage)
            .map(|trial| {
                let share = distance(stage, trial);
                Dot {
                    x: place(x(trial.block)),
                    y: place(share.map_or(HEIGHT - EDGE, y)),
                    class: class(trial),
                    text: words(trial),
                }
            })
            .collect();
        let band = figure.interval.map(|(low, high)| {
            let (top, bottom) = (y(high / figure.value - 1.0), y(low / figure.value - 1.0));
            (place(top), place((bottom - top).max(1.0)))
        });
        let summary: Vec<&str> = dots.iter().map(|dot| dot.text.as_str()).collect();
        Some(Self {
            name: stage.name.clone(),
            figure: units::figure(Metric::Throughput, figure),
            band,
            summary: summary.join("; "),
            dots,
        })
    }
}

fn class(trial: &TrialOpinion) -> &'static str {
    match trial {
        TrialOpinion {
            failure: Some(_), ..
        } => "failed",
        TrialOpinion { counts: true, .. } => "counts",
        _ => "left-out",
    }
}

fn words(trial: &TrialOpinion) -> String {
    let block = trial.block + 1;
    let rate = trial
        .figures
        .get(&Metric::Throughput)
        .map(|rate| units::rate(*rate));
    match (class(trial), rate) {
        ("counts", Some(rate)) => format!("block {block}: {rate}"),
        ("left-out", Some(rate)) => format!("block {block}: {rate}, left out: {}", reasons(trial)),
        _ => format!("block {block}: no figure"),
    }
}

fn reasons(trial: &TrialOpinion) -> String {
    let disqualifying = trial.doubts.iter().filter(|doubt| doubt.disqualifies);
    let reasons: Vec<&str> = disqualifying.map(words::doubt).collect();
    reasons.join(", ")
}

fn place(at: f64) -> String {
    format!("{at:.1}")
}
