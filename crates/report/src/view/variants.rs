//! Every variant with its figures.

mod markdown;
mod together;

use judge::{Judged, VariantOpinion, Verdict};
use minijinja::Environment;
use record::Metric;
use serde::Serialize;

use crate::html::{Drawn, drawn};
use crate::terminal::paragraph::{INSIDE, Page};
use crate::terminal::style::{BAD, DIM, STRONG, of_verdict};
use crate::terminal::table::{Cell, Column, Table};
use crate::{JudgedRun, units, words};

pub(crate) use markdown::markdown;
use together::{bound, longest};

/// A variant with its figures.
#[derive(Serialize)]
pub(crate) struct Variant {
    /// Its name.
    name: String,
    /// One line for people.
    title: String,
    /// One figure for each column.
    figures: Vec<Figure>,
    /// It against the baseline, by what variants are compared.
    versus: Option<Versus>,
    /// Whether it is the baseline.
    baseline: bool,
    /// Why it could not be measured, if so.
    failure: Option<String>,
    /// Its throughput in percent of the highest one, of those that do the same work.
    bar: Option<f64>,
}

/// A figure of a variant.
#[derive(Serialize)]
pub(crate) struct Figure {
    /// The metric.
    metric: Metric,
    /// The head of its column.
    column: &'static str,
    /// The value with its unit (a rate without); a lower bound, or a dash, where there is none.
    text: String,
    /// The wider side of its interval: `±3 %`.
    uncertainty: Option<String>,
    /// Whether there is a figure.
    known: bool,
    /// Whether it is a share of errors above zero.
    bad: bool,
}

/// A variant against the baseline: by throughput, or by the mean response time where they are loaded at a rate.
#[derive(Serialize)]
pub(crate) struct Versus {
    /// `1.88 × [1.81, 1.95]`, or `≥ 1.88 × [1.81, 1.95]`.
    ratio: String,
    /// `1.88 ×`.
    short: String,
    /// What follows from it.
    verdict: Verdict,
    /// The same in words.
    words: &'static str,
}

impl Variant {
    pub(crate) fn new(variant: &VariantOpinion, judged: &Judged) -> Self {
        // what became of one that was struck is told apart
        let struck = judged.faulted.iter().any(|of| of.variant == variant.name);
        let baseline = &*judged.baseline;
        let mut compared = variant.against_baseline.iter();
        let versus = compared.find(|of| of.metric == judged.lead.metric);
        Self {
            name: variant.name.clone(),
            title: variant.title.clone(),
            figures: Metric::columns()
                .map(|metric| Figure::new(variant, metric))
                .collect(),
            versus: versus.map(|of| Versus {
                ratio: words::ratio(of),
                short: words::ratio_alone(of),
                verdict: of.verdict,
                words: words::verdict(of.verdict),
            }),
            baseline: variant.name == baseline,
            failure: variant.failure.clone().filter(|_| !struck),
            bar: None,
        }
    }

    /// Its figure of a metric that has a column.
    fn figure(&self, metric: Metric) -> Option<&Figure> {
        self.figures.iter().find(|of| of.metric == metric)
    }
}

impl Figure {
    fn new(variant: &VariantOpinion, metric: Metric) -> Self {
        let longest = longest(&variant.figures, &variant.response, metric);
        let figure = longest.as_ref().or_else(|| variant.figures.get(&metric));
        let value = |figure: &judge::Figure| match metric {
            Metric::Throughput => units::number(figure.value),
            _ => units::metric(metric, figure.value),
        };
        Self {
            metric,
            column: metric.row().column,
            text: figure.map_or_else(|| bound(variant, metric), value),
            uncertainty: figure.and_then(units::uncertainty),
            known: figure.is_some(),
            bad: metric == Metric::Errors && figure.is_some_and(|figure| figure.value > 0.0),
        }
    }
}

pub(super) fn page(environment: &Environment, of: &JudgedRun) -> Drawn {
    let (judged, variants) = (of.judged, ranked(of));
    let columns = variants.iter().take(1).flat_map(|of| &of.figures);
    let columns: Vec<_> = columns.map(|figure| figure.column).collect();
    let noise = judged.noise_floor.as_ref().map(words::noise_floor);
    let scatter = judged.scatter.as_ref().map(words::scatter);
    let said = (
        &judged.baseline,
        columns,
        variants,
        words::notes(judged),
        noise,
        scatter,
        judged.pace.as_ref().and_then(words::pace),
        by(judged),
    );
    drawn(environment, include_str!("../html/variants.html"), said)
}

/// What is compared with the baseline, as its column is called; nothing for throughput.
fn by(judged: &Judged) -> Option<&'static str> {
    let metric = judged.lead.metric;
    (metric != Metric::Throughput).then(|| metric.row().column)
}

/// The head of the column that compares with the baseline: `vs flask-dev`, `mean vs flask-dev`.
fn versus(judged: &Judged) -> String {
    let by = by(judged).map(|by| format!("{by} "));
    format!("{}vs {}", by.unwrap_or_default(), judged.baseline)
}

/// The variants in the plan's order. A column that says nothing of any of them is left out, as clients have none of times.
fn all(of: &JudgedRun) -> Vec<Variant> {
    let variants = of.judged.variants.iter();
    let variants = variants.map(|variant| Variant::new(variant, of.judged));
    let mut variants: Vec<_> = variants.collect();
    let says = |figure: &Figure| figure.text != units::NOTHING;
    let figures = variants.iter().flat_map(|of| &of.figures);
    let said = figures.filter(|of| says(of)).map(|of| of.metric);
    let mut said: Vec<_> = said.collect();
    said.push(Metric::Throughput);
    for variant in &mut variants {
        variant.figures.retain(|of| said.contains(&of.metric));
    }
    variants
}

/// The variants that do the baseline's work first, the best of them on top, each with its bar; then the others. Several loads of
/// one URL stay in the order in which they ran.
fn ranked(of: &JudgedRun) -> Vec<Variant> {
    let rivals = &of.judged.lead.rivals;
    let place = |name: &str| rivals.iter().position(|rival| rival == name);
    let throughput =
        |variant: &VariantOpinion| variant.figures.get(&Metric::Throughput).map(|of| of.value);
    let opinions = of.judged.variants.iter();
    let highest = opinions
        .clone()
        .filter(|of| place(&of.name).is_some())
        .filter_map(throughput)
        .fold(0.0, f64::max);
    let mut variants = all(of);
    for (variant, opinion) in variants.iter_mut().zip(opinions) {
        let compared = rivals.len() > 1 && place(&variant.name).is_some();
        variant.bar = throughput(opinion)
            .filter(|_| compared && highest > 0.0)
            .map(|own| (1e3 * own / highest).round() / 10.0);
    }
    if of.run.plan.search.is_none() {
        variants.sort_by_key(|variant| place(&variant.name).unwrap_or(rivals.len()));
    }
    variants
}

pub(super) fn draw(page: &mut Page, of: &JudgedRun) {
    let (variants, versus) = (all(of), versus(of.judged));
    let full = table(&variants, &versus, true);
    let fits = full.natural_width() <= page.width();
    let table = if fits {
        full
    } else {
        table(&variants, &versus, false)
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
    for variant in &variants {
        if let Some(failure) = &variant.failure {
            let failure = format!("`{}` could not be measured: {failure}", variant.name);
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

fn table(variants: &[Variant], versus: &str, intervals: bool) -> Table {
    let mut columns = vec![
        Column::left("variant"),
        Column::right(Metric::Throughput.row().column),
        Column::right(versus),
        Column::left(""),
    ];
    let given = |metric| {
        let mut figures = variants.iter().filter_map(|of| of.figure(metric));
        figures.any(|of| of.known)
    };
    let shown = |metric| variants.iter().any(|of| of.figure(metric).is_some());
    let figures = FIGURES.iter().filter(|(metric, _)| shown(*metric));
    columns.extend(figures.clone().map(|(metric, rank)| {
        let column = Column::right(metric.row().column);
        match rank {
            _ if !given(*metric) => column.rank(0),
            Some(rank) => column.rank(*rank),
            None => column,
        }
    }));
    let mut table = Table::new(columns);
    for variant in variants {
        let figure = |metric| variant.figure(metric).map_or_else(Cell::nothing, cell);
        let name = Cell::styled(&variant.name, STRONG);
        let mut cells = vec![name, figure(Metric::Throughput)];
        cells.extend(ratio(variant, intervals));
        cells.extend(figures.clone().map(|(metric, _)| figure(*metric)));
        table.row(cells);
    }
    table
}

fn cell(figure: &Figure) -> Cell {
    match (&figure.uncertainty, figure.metric) {
        _ if !figure.known => Cell::styled(&figure.text, DIM),
        (Some(uncertainty), Metric::Throughput) => {
            Cell::new(format!("{} {uncertainty}", figure.text))
        }
        _ if figure.bad => Cell::styled(&figure.text, BAD),
        _ => Cell::new(&figure.text),
    }
}

fn ratio(variant: &Variant, intervals: bool) -> [Cell; 2] {
    match &variant.versus {
        Some(of) => [
            Cell::new(if intervals { &of.ratio } else { &of.short }),
            Cell::styled(of.words, of_verdict(of.verdict)),
        ],
        None if variant.baseline => [Cell::styled("baseline", DIM), Cell::new("")],
        None => [Cell::nothing(), Cell::new("")],
    }
}
