//! Every stage with its figures.

use judge::{StageOpinion, Verdict};
use minijinja::Environment;
use record::Metric;
use serde::Serialize;

use crate::html::{Drawn, drawn};
use crate::terminal::paragraph::{INSIDE, Page};
use crate::terminal::style::{BAD, DIM, STRONG, of_verdict};
use crate::terminal::table::{Cell, Column, Table};
use crate::{JudgedRun, units, words};

/// A stage with its figures.
#[derive(Serialize)]
pub(crate) struct Stage {
    /// Its name.
    name: String,
    /// One line for people.
    title: String,
    /// One figure for each column.
    figures: Vec<Figure>,
    /// Its throughput against the baseline's.
    versus: Option<Versus>,
    /// Whether it is the baseline.
    baseline: bool,
    /// Why it could not be measured, if so.
    failure: Option<String>,
}

/// A figure of a stage.
#[derive(Serialize)]
pub(crate) struct Figure {
    /// The metric.
    metric: Metric,
    /// The head of its column.
    column: &'static str,
    /// The value with its unit (a rate without); a dash where there is none.
    text: String,
    /// The wider side of its interval: `±3 %`.
    uncertainty: Option<String>,
    /// Whether there is a figure.
    known: bool,
    /// Whether it is a share of errors above zero.
    bad: bool,
}

/// A stage's throughput against the baseline's.
#[derive(Serialize)]
pub(crate) struct Versus {
    /// `1.88 × [1.81, 1.95]`.
    ratio: String,
    /// `1.88 ×`.
    short: String,
    /// What follows from it.
    verdict: Verdict,
    /// The same in words.
    words: &'static str,
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
    fn figure(&self, metric: Metric) -> Option<&Figure> {
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

pub(super) fn page(environment: &Environment, of: &JudgedRun) -> Drawn {
    let (judged, columns) = (of.judged, Metric::columns());
    let columns: Vec<_> = columns.map(|metric| metric.row().column).collect();
    let noise = judged.noise_floor.as_ref().map(words::noise_floor);
    let said = (
        &judged.baseline,
        columns,
        all(of),
        words::notes(judged),
        noise,
    );
    drawn(environment, include_str!("../html/stages.html"), said)
}

/// The stages in the plan's order.
fn all(of: &JudgedRun) -> Vec<Stage> {
    let stages = of.judged.stages.iter();
    stages
        .map(|stage| Stage::new(stage, &of.judged.baseline))
        .collect()
}

pub(super) fn draw(page: &mut Page, of: &JudgedRun) {
    let (stages, baseline) = (all(of), &of.judged.baseline);
    let full = table(&stages, baseline, true);
    let fits = full.natural_width() <= page.width();
    let table = if fits {
        full
    } else {
        table(&stages, baseline, false)
    };
    let (lines, dropped) = table.fit(page.width());
    page.lines(&lines);
    for note in words::notes(of.judged) {
        page.say(DIM, INSIDE, &note);
    }
    if !dropped.is_empty() {
        let dropped = format!("not shown at this width: {}", dropped.join(", "));
        page.say(DIM, INSIDE, &dropped);
    }
    for stage in &stages {
        if let Some(failure) = &stage.failure {
            let failure = format!("`{}` could not be measured: {failure}", stage.name);
            page.say(BAD, INSIDE, &failure);
        }
    }
}

/// What follows throughput and ratio: metric, and the rank by which its column goes on a narrow
/// terminal.
const FIGURES: [(Metric, Option<u8>); 8] = [
    (Metric::Mean, None),
    (Metric::P50, Some(5)),
    (Metric::P90, Some(1)),
    (Metric::P95, Some(2)),
    (Metric::P99, Some(6)),
    (Metric::CpuPerRequest, Some(4)),
    (Metric::PeakMemory, Some(3)),
    (Metric::Errors, None),
];

fn table(stages: &[Stage], baseline: &str, intervals: bool) -> Table {
    let mut columns = vec![
        Column::left("stage"),
        Column::right(Metric::Throughput.row().column),
        Column::right(&format!("vs {baseline}")),
        Column::left(""),
    ];
    let given = |metric| {
        let mut figures = stages.iter().filter_map(|of| of.figure(metric));
        figures.any(|of| of.known)
    };
    columns.extend(FIGURES.iter().map(|(metric, rank)| {
        let column = Column::right(metric.row().column);
        match rank {
            _ if !given(*metric) => column.rank(0),
            Some(rank) => column.rank(*rank),
            None => column,
        }
    }));
    let mut table = Table::new(columns);
    for stage in stages {
        let figure = |metric| stage.figure(metric).map_or_else(Cell::nothing, cell);
        let name = Cell::styled(&stage.name, STRONG);
        let mut cells = vec![name, figure(Metric::Throughput)];
        cells.extend(ratio(stage, intervals));
        cells.extend(FIGURES.iter().map(|(metric, _)| figure(*metric)));
        table.row(cells);
    }
    table
}

fn cell(figure: &Figure) -> Cell {
    match (&figure.uncertainty, figure.metric) {
        _ if !figure.known => Cell::nothing(),
        (Some(uncertainty), Metric::Throughput) => {
            Cell::new(format!("{} {uncertainty}", figure.text))
        }
        _ if figure.bad => Cell::styled(&figure.text, BAD),
        _ => Cell::new(&figure.text),
    }
}

fn ratio(stage: &Stage, intervals: bool) -> [Cell; 2] {
    match &stage.versus {
        Some(of) => [
            Cell::new(if intervals { &of.ratio } else { &of.short }),
            Cell::styled(of.words, of_verdict(of.verdict)),
        ],
        None if stage.baseline => [Cell::styled("baseline", DIM), Cell::new("")],
        None => [Cell::nothing(), Cell::new("")],
    }
}
