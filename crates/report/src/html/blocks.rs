use serde::Serialize;

use crate::view::{self, BlockTrial};

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

impl Blocks {
    pub(super) fn new(of: &view::Blocks) -> Self {
        Self {
            panels: of
                .panels
                .iter()
                .map(|panel| Panel::new(of, panel))
                .collect(),
            span: of.span_words.clone(),
        }
    }
}

impl Panel {
    fn new(all: &view::Blocks, of: &view::Panel) -> Self {
        let y = |distance: f64| {
            let share = distance.clamp(-all.span, all.span) / all.span;
            HEIGHT / 2.0 - share * (HEIGHT / 2.0 - EDGE)
        };
        let last = f64::from(all.last.max(1));
        let x = |block: u32| EDGE + f64::from(block) / last * (WIDTH - 2.0 * EDGE);
        let dot = |of: &BlockTrial| Dot {
            x: place(x(of.block)),
            y: place(of.distance.map_or(HEIGHT - EDGE, y)),
            class: of.standing,
            text: of.text.clone(),
        };
        let texts: Vec<&str> = of.trials.iter().map(|of| of.text.as_str()).collect();
        Self {
            name: of.name.clone(),
            figure: of.figure.clone(),
            band: of.interval.map(|(low, high)| {
                let (top, bottom) = (y(high), y(low));
                (place(top), place((bottom - top).max(1.0)))
            }),
            dots: of.trials.iter().map(dot).collect(),
            summary: texts.join("; "),
        }
    }
}

fn place(at: f64) -> String {
    format!("{at:.1}")
}
