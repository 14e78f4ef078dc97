use record::Metric;

use super::super::paragraph::INSIDE;
use super::super::style::{BAD, DIM, STRONG, of_verdict};
use super::super::table::{Cell, Column, Table};
use super::Page;
use crate::units;
use crate::view::{Figure, Report, Stage, Stages};

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

pub(super) fn draw(page: &mut Page, report: &Report) {
    let stages = &report.stages;
    let full = table(stages, true);
    let fits = full.natural_width() <= page.width();
    let table = if fits { full } else { table(stages, false) };
    let (lines, dropped) = table.fit(page.width());
    page.lines(&lines);
    for note in &stages.notes {
        page.say(DIM, INSIDE, note);
    }
    if !dropped.is_empty() {
        page.say(
            DIM,
            INSIDE,
            &format!("not shown at this width: {}", dropped.join(", ")),
        );
    }
    for stage in &stages.rows {
        if let Some(failure) = &stage.failure {
            page.say(
                BAD,
                INSIDE,
                &format!("`{}` could not be measured: {failure}", stage.name),
            );
        }
    }
}

fn table(stages: &Stages, intervals: bool) -> Table {
    let mut columns = vec![
        Column::left("stage"),
        Column::right(Metric::Throughput.row().column),
        Column::right(&format!("vs {}", stages.baseline)),
        Column::left(""),
    ];
    let given = |metric| {
        let figures = stages.rows.iter().filter_map(|of| of.figure(metric));
        figures.into_iter().any(|of| of.known)
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
    for stage in &stages.rows {
        let figure = |metric| stage.figure(metric).map_or_else(nothing, cell);
        let mut cells = vec![
            Cell::styled(&stage.name, STRONG),
            figure(Metric::Throughput),
        ];
        cells.extend(ratio(stage, intervals));
        cells.extend(FIGURES.iter().map(|(metric, _)| figure(*metric)));
        table.row(cells);
    }
    table
}

fn nothing() -> Cell {
    Cell::styled(units::NOTHING, DIM)
}

fn cell(figure: &Figure) -> Cell {
    match (&figure.uncertainty, figure.metric) {
        _ if !figure.known => nothing(),
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
        None => [nothing(), Cell::new("")],
    }
}
