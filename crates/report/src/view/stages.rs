use judge::{Judged, StageOpinion, Verdict};
use record::Metric;
use serde::Serialize;

use crate::{units, words};

/// Every stage with its figures.
#[derive(Clone, Debug, Serialize)]
pub struct Stages {
    /// The stage that the others are compared with.
    pub baseline: String,
    /// Heads of the figures, throughput first.
    pub columns: Vec<&'static str>,
    /// The stages in the plan's order.
    pub rows: Vec<Stage>,
    /// What to know of them: figures that are missing, trials left out or repeated.
    pub notes: Vec<String>,
}

/// A stage with its figures.
#[derive(Clone, Debug, Serialize)]
pub struct Stage {
    /// Its name.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// One figure for each column.
    pub figures: Vec<Figure>,
    /// Its throughput against the baseline's.
    pub versus: Option<Versus>,
    /// Whether it is the baseline.
    pub baseline: bool,
    /// Why it could not be measured, if so.
    pub failure: Option<String>,
}

/// A figure of a stage.
#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    /// The metric.
    pub metric: Metric,
    /// The head of its column.
    pub column: &'static str,
    /// The value with its unit (a rate without); a dash where there is none.
    pub text: String,
    /// The wider side of its interval: `±3 %`.
    pub uncertainty: Option<String>,
    /// Whether there is a figure.
    pub known: bool,
    /// Whether it is a share of errors above zero.
    pub bad: bool,
}

/// A stage's throughput against the baseline's.
#[derive(Clone, Debug, Serialize)]
pub struct Versus {
    /// `1.88 × [1.81, 1.95]`.
    pub ratio: String,
    /// `1.88 ×`.
    pub short: String,
    /// What follows from it.
    pub verdict: Verdict,
    /// The same in words.
    pub words: &'static str,
}

impl Stages {
    pub(super) fn new(judged: &Judged) -> Self {
        Self {
            baseline: judged.baseline.clone(),
            columns: Metric::columns()
                .map(|metric| metric.row().column)
                .collect(),
            rows: judged
                .stages
                .iter()
                .map(|stage| Stage::new(stage, &judged.baseline))
                .collect(),
            notes: words::notes(judged),
        }
    }
}

impl Stage {
    pub(crate) fn new(stage: &StageOpinion, baseline: &str) -> Self {
        let mut compared = stage.against_baseline.iter();
        let versus = compared.find(|of| of.metric == Metric::Throughput);
        Self {
            name: stage.name.clone(),
            title: stage.title.clone(),
            figures: Metric::columns()
                .map(|metric| Figure::new(stage, metric))
                .collect(),
            versus: versus.map(|of| Versus {
                ratio: units::ratio_within(of.ratio, of.interval),
                short: units::ratio_within(of.ratio, None),
                verdict: of.verdict,
                words: words::verdict(of.verdict),
            }),
            baseline: stage.name == baseline,
            failure: stage.failure.clone(),
        }
    }

    /// Its figure of a metric that has a column.
    pub fn figure(&self, metric: Metric) -> Option<&Figure> {
        self.figures.iter().find(|of| of.metric == metric)
    }
}

impl Figure {
    fn new(stage: &StageOpinion, metric: Metric) -> Self {
        let figure = stage.figures.get(&metric);
        let value = |figure: &judge::Figure| match metric {
            Metric::Throughput => units::number(figure.value),
            _ => units::metric(metric, figure.value),
        };
        Self {
            metric,
            column: metric.row().column,
            text: figure.map_or_else(|| units::NOTHING.to_owned(), value),
            uncertainty: figure.and_then(units::uncertainty),
            known: figure.is_some(),
            bad: metric == Metric::Errors && figure.is_some_and(|figure| figure.value > 0.0),
        }
    }
}
