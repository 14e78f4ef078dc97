use serde::Serialize;

use crate::units;

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
}

/// A cell of a matrix.
#[derive(Clone, Debug, Serialize)]
pub struct MatrixCell {
    /// Its figure; a dash if it could not be measured, nothing if the plan leaves it out.
    pub figure: String,
    /// The figure's interval.
    pub interval: Option<String>,
    /// From 0 (worst) to [`SHADES`] - 1 (best); none without a figure.
    pub shade: Option<u8>,
    /// The stage.
    pub stage: Option<String>,
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
            let share = if high > low {
                (value - low) / (high - low)
            } else {
                0.0
            };
            let good = if of.metric.larger_is_better() {
                share
            } else {
                1.0 - share
            };
            (good * f64::from(SHADES - 1)).round() as u8
        };
        let cell = |cell: &Option<judge::Cell>| match cell {
            None => MatrixCell {
                figure: String::new(),
                interval: None,
                shade: None,
                stage: None,
            },
            Some(cell) => MatrixCell {
                figure: cell.figure.map_or_else(
                    || units::NOTHING.to_owned(),
                    |figure| units::metric(of.metric, figure.value),
                ),
                interval: cell.figure.as_ref().and_then(units::uncertainty),
                shade: cell.figure.map(|figure| shade(figure.value)),
                stage: Some(cell.stage.clone()),
            },
        };
        let at = of
            .at
            .iter()
            .map(|(factor, level)| format!(", {factor} {level}"));
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
        }
    }
}
