use std::path::Path;

use judge::{Comparison, Judged, StageOpinion, Standing};
use record::{Metric, Outcome, Run, Trial};

use super::curves;
use super::doubts;
use super::paragraph::{FLUSH, INSIDE, Page};
use super::rankings;
use super::style::{BAD, DIM, PLAIN, STRONG, of_holds, of_verdict};
use super::table::{Cell, Column, Table};
use crate::findings::{Findings, StageLoad};
use crate::harmless::one_line;
use crate::{units, words};

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

/// A run: its stages in a table, the answer, doubts with advice, claims, and where the files are
/// (what each is, and its path).
pub fn run(findings: &Findings, files: &[(&str, &Path)], width: usize) -> String {
    let Findings { run, judged, .. } = *findings;
    let mut page = Page::new(width);
    head(&mut page, run);
    stages(&mut page, judged);
    loads(&mut page, findings);
    counters(&mut page, findings);
    curves::draw(&mut page, &judged.curves);
    page.space();
    page.say(STRONG, FLUSH, &words::headline(run, judged));
    if let Some(floor) = &judged.noise_floor {
        page.say(
            PLAIN,
            FLUSH,
            &format!("Noise floor: {}.", words::noise_floor(floor)),
        );
    }
    doubts::doubts(&mut page, &words::doubts(judged));
    rankings::all(&mut page, judged);
    claims(&mut page, judged);
    if !files.is_empty() {
        page.space();
    }
    for (what, path) in files {
        let path = path.display().to_string();
        page.verbatim(&format!("{what}  {}", one_line(&path)));
    }
    page.into_text()
}

/// A run that is one load of one URL, as `weir bench` printed it; nothing for other runs.
pub fn one_load(findings: &Findings, width: usize) -> Option<String> {
    let Findings { run, trials, .. } = *findings;
    let stage = run.plan.one_load()?;
    let [
        Trial {
            outcome: Outcome::Measured(measured),
            ..
        },
    ] = trials
    else {
        return None;
    };
    let mut page = Page::new(width);
    let url = stage.url.as_deref().unwrap_or_default();
    page.say(STRONG, FLUSH, &format!("Run {} · {url}", run.id));
    about(&mut page, run);
    let doubts = judge::doubts(&measured.load);
    let standing = findings
        .calibration
        .and_then(|of| Standing::of(&measured.load, of));
    let standing = standing.map_or_else(String::new, |of| super::standing(&of, width));
    Some(page.into_text() + &super::bench(&measured.load, &doubts, width) + &standing)
}

/// When it was run, by what, and where.
fn about(page: &mut Page, run: &Run) {
    let moment = words::moment(run.started);
    page.say(
        DIM,
        FLUSH,
        &format!("{moment} UTC · weir {} · {}", run.weir, words::host(run)),
    );
}

fn head(page: &mut Page, run: &Run) {
    page.say(
        STRONG,
        FLUSH,
        &format!("Run {} · {}", run.id, run.plan.title),
    );
    about(page, run);
    page.say(DIM, FLUSH, &words::loads(&run.plan));
    page.say(DIM, FLUSH, &words::blocks(run));
    if let Some(cut) = words::cut(run) {
        page.say(BAD, FLUSH, &format!("Cut short: {cut}."));
    }
    page.space();
}

fn stages(page: &mut Page, judged: &Judged) {
    let full = stage_table(judged, true);
    let fits = full.natural_width() <= page.width();
    let table = if fits {
        full
    } else {
        stage_table(judged, false)
    };
    let (lines, dropped) = table.fit(page.width());
    page.lines(&lines);
    for note in words::notes(judged) {
        page.say(DIM, INSIDE, &note);
    }
    if !dropped.is_empty() {
        page.say(
            DIM,
            INSIDE,
            &format!("not shown at this width: {}", dropped.join(", ")),
        );
    }
    for stage in &judged.stages {
        if let Some(failure) = &stage.failure {
            page.say(
                BAD,
                INSIDE,
                &format!("`{}` could not be measured: {failure}", stage.name),
            );
        }
    }
}

fn stage_table(judged: &Judged, intervals: bool) -> Table {
    let mut columns = vec![
        Column::left("stage"),
        Column::right(Metric::Throughput.row().column),
        Column::right(&format!("vs {}", judged.baseline)),
        Column::left(""),
    ];
    columns.extend(FIGURES.iter().map(|(metric, rank)| {
        let column = Column::right(metric.row().column);
        let given = judged
            .stages
            .iter()
            .any(|stage| stage.figures.contains_key(metric));
        match rank {
            _ if !given => column.rank(0),
            Some(rank) => column.rank(*rank),
            None => column,
        }
    }));
    let mut table = Table::new(columns);
    for stage in &judged.stages {
        let compared = stage
            .against_baseline
            .iter()
            .find(|of| of.metric == Metric::Throughput);
        let mut cells = vec![
            Cell::styled(&stage.name, STRONG),
            figure(stage, Metric::Throughput),
        ];
        cells.extend(ratio(compared, stage.name == judged.baseline, intervals));
        cells.extend(FIGURES.iter().map(|(metric, _)| figure(stage, *metric)));
        table.row(cells);
    }
    table
}

fn figure(stage: &StageOpinion, metric: Metric) -> Cell {
    match stage.figures.get(&metric) {
        None => Cell::styled(units::NOTHING, DIM),
        Some(figure) if metric == Metric::Throughput => {
            Cell::new(units::figure_in_column(metric, figure))
        }
        Some(figure) if metric == Metric::Errors && figure.value > 0.0 => {
            Cell::styled(units::percent(figure.value), BAD)
        }
        Some(figure) => Cell::new(units::metric(metric, figure.value)),
    }
}

fn ratio(compared: Option<&Comparison>, baseline: bool, intervals: bool) -> [Cell; 2] {
    match compared {
        Some(of) => [
            Cell::new(units::ratio_within(
                of.ratio,
                of.interval.filter(|_| intervals),
            )),
            Cell::styled(words::verdict(of.verdict), of_verdict(of.verdict)),
        ],
        None if baseline => [Cell::styled("baseline", DIM), Cell::new("")],
        None => [Cell::styled(units::NOTHING, DIM), Cell::new("")],
    }
}

/// What each load was like beyond the figures that are compared; nothing where there is nothing to
/// tell.
fn loads(page: &mut Page, findings: &Findings) {
    type Told = (&'static str, fn(&StageLoad) -> Option<String>);
    const COLUMNS: [Told; 5] = [
        ("offered", |of| of.offered.map(units::rate)),
        ("achieved", |of| of.achieved.map(units::percent)),
        ("page p50", |of| of.page.map(units::duration)),
        ("attempts/req", |of| of.attempts.map(units::number)),
        ("of weir's ceiling", |of| of.of_ceiling.map(units::about)),
    ];
    let names = findings.judged.stages.iter().map(|stage| &stage.name);
    let all: Vec<_> = names
        .map(|name| (name, findings.stage_load(name)))
        .collect();
    let told = |(_, text): &&Told| all.iter().any(|(_, load)| text(load).is_some());
    let columns: Vec<&Told> = COLUMNS.iter().filter(told).collect();
    if columns.is_empty() {
        return;
    }
    let heads = columns.iter().map(|(head, _)| Column::right(head));
    let mut table = Table::new(std::iter::once(Column::left("load")).chain(heads).collect());
    for (name, load) in &all {
        let cells = columns.iter().map(|(_, text)| match text(load) {
            Some(text) => Cell::new(text),
            None => Cell::styled(units::NOTHING, DIM),
        });
        table.row(
            std::iter::once(Cell::styled(name, STRONG))
                .chain(cells)
                .collect(),
        );
    }
    page.space();
    page.lines(&table.fit(page.width()).0);
}

/// What programs counted themselves, of one trial of each stage.
fn counters(page: &mut Page, findings: &Findings) {
    let mut table = Table::new(vec![
        Column::left("counted"),
        Column::left("by"),
        Column::wrapping("in one trial"),
    ]);
    let mut any = false;
    for stage in &findings.judged.stages {
        let shown = findings.shown(&stage.name);
        for (program, values) in shown.map_or_else(Vec::new, |(_, of)| words::counters(of)) {
            let name = Cell::styled(&stage.name, STRONG);
            table.row(vec![name, Cell::new(program), Cell::new(values)]);
            any = true;
        }
    }
    if any {
        page.space();
        page.lines(&table.fit(page.width()).0);
    }
}

fn claims(page: &mut Page, judged: &Judged) {
    if judged.claims.is_empty() {
        return;
    }
    let mut table = Table::new(vec![
        Column::left(""),
        Column::left(""),
        Column::wrapping(""),
    ]);
    for claim in &judged.claims {
        table.row(vec![
            Cell::styled(&claim.id, STRONG),
            Cell::styled(words::holds(claim.holds), of_holds(claim.holds)),
            Cell::new(&claim.text),
        ]);
        let mut below = |line: String| {
            table.row(vec![Cell::new(""), Cell::new(""), Cell::new(line)]);
        };
        if !claim.reported.is_empty() {
            below(format!("reported  {}", claim.reported));
        }
        for of in &claim.conditions {
            below(format!("measured  {}   ({})", words::measured(of), of.text));
        }
        if let Some(reason) = &claim.reason {
            below(format!("because   {reason}"));
        }
    }
    page.space();
    page.say(STRONG, FLUSH, "Claims");
    page.lines(&table.fit(page.width()).0);
}
