//! Families with two factors or more.

use minijinja::Environment;
use serde::Serialize;

use crate::html::{Drawn, drawn};
use crate::terminal::paragraph::{FLUSH, INSIDE, Page};
use crate::terminal::style::{DIM, STRONG};
use crate::terminal::table::{Cell, Column, Table};
use crate::{JudgedRun, units, words};

/// How strongly a cell is shaded, from the worst figure of its matrix (0) to the best.
pub const SHADES: u8 = 5;

/// A matrix in words.
#[derive(Clone, Debug, Serialize)]
pub struct Matrix {
    /// `rails: throughput by server and front, connections 10`.
    pub title: String,
    /// The factor that goes down.
    pub rows_by: String,
    /// The factor that goes across.
    pub columns_by: String,
    /// Its levels.
    pub columns: Vec<String>,
    /// The others' levels, with their cells.
    pub rows: Vec<(String, Vec<MatrixCell>)>,
    /// What the signs before its figures mean, if there are any.
    pub signs: Option<String>,
}

/// A cell of a matrix.
#[derive(Clone, Debug, Default, Serialize)]
pub struct MatrixCell {
    /// Its figure (`≥ 423 req/s` where the load generator held it down); a dash if it could not be measured, nothing if the plan
    /// leaves it out.
    pub figure: String,
    /// The figure's interval.
    pub interval: Option<String>,
    /// From 0 (worst) to [`SHADES`] - 1 (best); none without a figure.
    pub shade: Option<u8>,
    /// The variant.
    pub variant: Option<String>,
}

impl Matrix {
    /// A matrix in words.
    pub fn new(of: &judge::Matrix) -> Self {
        let values = || {
            let cells = of.cells.iter().flatten().flatten();
            cells.filter_map(|cell| Some(cell.figure?.value))
        };
        let low = values().fold(f64::INFINITY, f64::min);
        let high = values().fold(f64::NEG_INFINITY, f64::max);
        let shade = |value: f64| {
            let apart = high > low;
            let share = if apart {
                (value - low) / (high - low)
            } else {
                0.0
            };
            let rises = of.metric.larger_is_better();
            let good = if rises { share } else { 1.0 - share };
            (good * f64::from(SHADES - 1)).round() as u8
        };
        let cell = |cell: &Option<judge::Cell>| match cell {
            None => MatrixCell::default(),
            Some(cell) => MatrixCell {
                figure: units::known(cell.figure, |figure| {
                    words::signed(of.metric, figure.value, cell.elsewhere)
                }),
                interval: cell.figure.as_ref().and_then(units::uncertainty),
                shade: cell.figure.map(|figure| shade(figure.value)),
                variant: Some(cell.variant.clone()),
            },
        };
        let shown = of.cells.iter().flatten().flatten();
        let at = of.at.iter();
        let at = at.map(|(factor, level)| format!(", {factor} {level}"));
        let rows = of.rows.levels.iter().zip(&of.cells);
        Self {
            title: format!(
                "{}: {} by {} and {}{}",
                of.family,
                of.metric.row().noun,
                of.rows.factor,
                of.columns.factor,
                at.collect::<String>()
            ),
            rows_by: of.rows.factor.clone(),
            columns_by: of.columns.factor.clone(),
            columns: of.columns.levels.clone(),
            rows: rows
                .map(|(level, cells)| (level.clone(), cells.iter().map(cell).collect()))
                .collect(),
            signs: words::signs("figure", shown.map(|cell| cell.elsewhere)),
        }
    }
}

/// Some matrices on a page.
pub(crate) fn on_page<'a>(
    environment: &Environment,
    matrices: impl Iterator<Item = &'a judge::Matrix>,
) -> Drawn {
    let matrices: Vec<_> = matrices.map(Matrix::new).collect();
    drawn(environment, include_str!("../html/matrices.html"), matrices)
}

pub(super) fn page(environment: &Environment, of: &JudgedRun) -> Drawn {
    on_page(environment, of.judged.matrices.iter())
}

pub(super) fn draw(page: &mut Page, of: &JudgedRun) {
    for of in &of.judged.matrices {
        page.space();
        matrix_on(page, of);
    }
}

/// A matrix by itself.
pub fn matrix(of: &judge::Matrix, width: usize) -> String {
    let mut page = Page::new(width);
    matrix_on(&mut page, of);
    page.into_text()
}

/// From the worst figure of a matrix to the best, for those who see no colour.
const SHADING: [&str; SHADES as usize] = [" ", "░", "▒", "▓", "█"];

fn matrix_on(page: &mut Page, of: &judge::Matrix) {
    let said = Matrix::new(of);
    page.say(STRONG, FLUSH, &said.title);
    let head = format!("{} \\ {}", said.rows_by, said.columns_by);
    let across = said.columns.iter().map(|level| Column::right(level));
    let mut table = Table::new(std::iter::once(Column::left(&head)).chain(across).collect());
    for (level, cells) in &said.rows {
        let cells = cells.iter().map(|cell| {
            let shade = cell.shade.map_or(" ", |shade| SHADING[usize::from(shade)]);
            Cell::new(format!("{} {shade}", cell.figure))
        });
        let row = std::iter::once(Cell::styled(level, STRONG)).chain(cells);
        table.row(row.collect());
    }
    page.lines(&table.fit(page.width()).0);
    if let Some(signs) = &said.signs {
        page.say(DIM, INSIDE, signs);
    }
}
