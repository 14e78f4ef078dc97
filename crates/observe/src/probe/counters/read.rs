//! A number out of an answer.

use record::CounterSpec;
use regex::Regex;

/// How one counter is found.
pub(super) enum Reader {
    Pattern(Regex),
    Cell { row: Vec<String>, column: String },
}

impl Reader {
    pub(super) fn new(spec: &CounterSpec) -> Result<Self, String> {
        match (&spec.pattern, &spec.column) {
            (Some(pattern), _) => Regex::new(pattern)
                .map(Self::Pattern)
                .map_err(|_| "its pattern is no regular expression".to_owned()),
            (None, Some(column)) => Ok(Self::Cell {
                row: spec.row.clone(),
                column: column.clone(),
            }),
            (None, None) => Err("it has neither `pattern` nor `column`".to_owned()),
        }
    }

    /// The sum of all that is found; an answer without any is an error.
    pub(super) fn read(&self, answer: &str) -> Result<f64, String> {
        let found = match self {
            Self::Pattern(pattern) => pattern
                .captures_iter(answer)
                .filter_map(|found| number(found.get(1)?.as_str()))
                .reduce(|sum, value| sum + value),
            Self::Cell { row, column } => cells(answer, row, column),
        };
        found
            .filter(|sum| sum.is_finite())
            .ok_or_else(|| "it is not in the answer".to_owned())
    }
}

fn cells(answer: &str, row: &[String], column: &str) -> Option<f64> {
    let table = answer.trim_start_matches(['#', ' ']);
    let mut table = csv::ReaderBuilder::new()
        .flexible(true)
        .from_reader(table.as_bytes());
    let column = table
        .headers()
        .ok()?
        .iter()
        .position(|name| name == column)?;
    let records = table.records().filter_map(Result::ok);
    records
        .filter(|record| {
            row.iter()
                .map(String::as_str)
                .eq(record.iter().take(row.len()))
        })
        .filter_map(|record| number(record.get(column)?))
        .reduce(|sum, value| sum + value)
}

/// A count: `inf`, `nan` and what is below zero is none.
fn number(text: &str) -> Option<f64> {
    let value: f64 = text.trim().parse().ok()?;
    (value.is_finite() && value >= 0.0).then_some(value)
}
