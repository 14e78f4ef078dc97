//! Throughput block by block, a panel for each variant; none of a single block.
//!
//! All panels share one vertical scale: the distance from the variant's own median, as a share. So steady and unsteady
//! variants can be told apart, however fast they are.

use judge::{Figure, TrialOpinion, VariantOpinion};
use minijinja::Environment;
use record::Metric;
use serde::Serialize;

use crate::html::{Dot, Drawn, drawn, place};
use crate::{JudgedRun, units};

/// A scale is never finer than this share up and down, lest noise looks like drama.
const FINEST: f64 = 0.05;

/// The size of a panel, and what is kept free above and below.
const WIDTH: f64 = 240.0;
const HEIGHT: f64 = 90.0;
const EDGE: f64 = 8.0;

/// A variant, its figure and its trials, those of both halves of the A/A pair.
type Of<'a> = (&'a VariantOpinion, &'a Figure, Vec<&'a TrialOpinion>);

#[derive(Serialize)]
struct Panel<'a> {
    name: &'a str,
    figure: String,
    /// Upper edge and height of the interval.
    band: Option<(String, String)>,
    dots: Vec<Dot>,
}

/// What the edges of a panel mean: how far a trial lies from its variant's median at most, as a share of it, and the last
/// block.
struct Scale {
    span: f64,
    last: u32,
}

pub(super) fn page(environment: &Environment, of: &JudgedRun) -> Drawn {
    let judged = of.judged;
    let measured = judged.variants.iter().filter_map(|variant| {
        let figure = variant.figures.get(&Metric::Throughput)?;
        let own = |of: &&TrialOpinion| of.variant == variant.name;
        Some((variant, figure, judged.trials.iter().filter(own).collect()))
    });
    let all: Vec<Of> = measured.collect();
    let distances = all.iter().flat_map(|(_, figure, trials)| {
        let trials = trials.iter();
        trials.filter_map(|trial| distance(trial, figure))
    });
    let scale = Scale {
        span: distances.map(f64::abs).fold(FINEST, f64::max),
        last: judged.trials.iter().map(|of| of.block).max().unwrap_or(0),
    };
    let enough = judged.blocks > 1 && !all.is_empty();
    let panels: Vec<Panel> = all.iter().map(|of| scale.panel(of)).collect();
    let said = enough.then(|| (units::about(scale.span), panels));
    drawn(environment, include_str!("../html/blocks.html"), said)
}

impl Scale {
    fn panel<'a>(&self, (variant, figure, trials): &Of<'a>) -> Panel<'a> {
        let dot = |of: &&TrialOpinion| {
            let share = f64::from(of.block) / f64::from(self.last.max(1));
            let x = EDGE + share * (WIDTH - 2.0 * EDGE);
            let y = distance(of, figure).map_or(HEIGHT - EDGE, |distance| self.y(distance));
            Dot::new(x, y, standing(of), text(of))
        };
        Panel {
            name: &variant.name,
            figure: units::figure(Metric::Throughput, figure),
            band: figure.interval.map(|(low, high)| {
                let y = |end: f64| self.y(end / figure.value - 1.0);
                let (top, bottom) = (y(high), y(low));
                (place(top), place((bottom - top).max(1.0)))
            }),
            dots: trials.iter().map(dot).collect(),
        }
    }

    fn y(&self, distance: f64) -> f64 {
        let share = distance.clamp(-self.span, self.span) / self.span;
        HEIGHT / 2.0 - share * (HEIGHT / 2.0 - EDGE)
    }
}

/// How far a trial lies from its variant's median, as a share of it.
fn distance(trial: &TrialOpinion, of: &Figure) -> Option<f64> {
    let rate = trial.figures.get(&Metric::Throughput)?;
    Some(rate / of.value - 1.0).filter(|share| share.is_finite())
}

fn standing(trial: &TrialOpinion) -> &'static str {
    match (&trial.failure, trial.counts) {
        (Some(_), _) => "failed",
        (None, true) => "counts",
        (None, false) => "left-out",
    }
}

/// A trial with its figure, and why it is left out.
fn text(trial: &TrialOpinion) -> String {
    let block = trial.block + 1;
    let rate = trial.figures.get(&Metric::Throughput);
    match (standing(trial), rate.map(|rate| units::rate(*rate))) {
        ("counts", Some(rate)) => format!("block {block}: {rate}"),
        ("left-out", Some(rate)) => {
            let grave = trial.doubts.iter().filter(|doubt| doubt.disqualifies);
            let reasons: Vec<_> = grave.map(|doubt| doubt.kind.rule().title(true)).collect();
            format!("block {block}: {rate}, left out: {}", reasons.join(", "))
        }
        _ => format!("block {block}: no figure"),
    }
}
