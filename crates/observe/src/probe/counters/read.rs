//! A number out of an answer.

use std::collections::BTreeMap;

use record::CounterSpec;
use regex::Regex;

/// How one counter is found.
pub(in crate::probe) enum Reader {
    Pattern(Regex),
    Letters(Regex, String),
    Cell { row: Vec<String>, column: String },
}

/// How each of these is found, by its name; and what is wrong with one of them.
pub(in crate::probe) fn readers(
    each: &BTreeMap<String, CounterSpec>,
) -> (Vec<(String, Reader)>, Option<String>) {
    let (mut readers, mut problem) = (Vec::new(), None);
    for (name, spec) in each {
        match Reader::new(spec) {
            Ok(reader) => readers.push((name.clone(), reader)),
            Err(why) => problem = Some(format!("`{name}`: {why}")),
        }
    }
    (readers, problem)
}

impl Reader {
    fn new(spec: &CounterSpec) -> Result<Self, String> {
        match (&spec.pattern, &spec.column) {
            (Some(pattern), _) => {
                let pattern = Regex::new(pattern)
                    .map_err(|_| "its pattern is no regular expression".to_owned())?;
                Ok(match &spec.letters {
                    Some(letters) => Self::Letters(pattern, letters.clone()),
                    None => Self::Pattern(pattern),
                })
            }
            (None, Some(column)) => Ok(Self::Cell {
                row: spec.row.clone(),
                column: column.clone(),
            }),
            (None, None) => Err("it has neither `pattern` nor `column`".to_owned()),
        }
    }

    /// The sum of all that is found; `None` where the program has nothing to say of it, and an error where it is
    /// nowhere.
    pub(in crate::probe) fn read(&self, answer: &str) -> Result<Option<f64>, String> {
        let found: Vec<_> = match self {
            Self::Pattern(pattern) => groups(pattern, answer).map(str::to_owned).collect(),
            Self::Letters(pattern, letters) => groups(pattern, answer)
                .map(|group| {
                    group
                        .matches(|c: char| letters.contains(c))
                        .count()
                        .to_string()
                })
                .collect(),
            Self::Cell { row, column } => cells(answer, row, column),
        };
        let said: Vec<_> = found.iter().filter(|text| !text.is_empty()).collect();
        let values: Option<Vec<f64>> = said.into_iter().map(|text| number(text)).collect();
        match values {
            Some(values) if !found.is_empty() => {
                let sum = values.into_iter().reduce(|sum, value| sum + value);
                Ok(sum.filter(|sum| sum.is_finite()))
            }
            _ => Err("it is not in the response".to_owned()),
        }
    }
}

/// What a pattern's group finds.
fn groups<'a>(pattern: &'a Regex, answer: &'a str) -> impl Iterator<Item = &'a str> {
    let found = pattern.captures_iter(answer);
    found.filter_map(|found| Some(found.get(1)?.as_str()))
}

/// The cells of a column in the rows that begin so.
fn cells(answer: &str, row: &[String], column: &str) -> Vec<String> {
    let table = answer.trim_start_matches(['#', ' ']);
    let mut table = csv::ReaderBuilder::new()
        .flexible(true)
        .from_reader(table.as_bytes());
    let headers = table.headers().cloned().unwrap_or_default();
    let Some(column) = headers.iter().position(|name| name == column) else {
        return Vec::new();
    };
    let begin = row.iter().map(String::as_str);
    let records = table.records().filter_map(Result::ok);
    let records = records.filter(|record| begin.clone().eq(record.iter().take(row.len())));
    records
        .filter_map(|record| record.get(column).map(|cell| cell.trim().to_owned()))
        .collect()
}

/// A count: `inf`, `nan` and what is below zero is none.
fn number(text: &str) -> Option<f64> {
    let value: f64 = text.parse().ok()?;
    (value.is_finite() && value >= 0.0).then_some(value)
}
