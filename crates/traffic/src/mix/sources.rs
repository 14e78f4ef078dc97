use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Spanned;

use super::file::Reader;
use super::source::{Kind, Order, Values};
use super::template::Flaw;
use crate::TrafficError;

/// Longest sequence that is shuffled: its order is kept by each thread, at 4 bytes a value.
const SHUFFLED: u64 = 10_000_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct SourceTable {
    range: Option<[i64; 2]>,
    list: Option<Vec<Single>>,
    csv: Option<PathBuf>,
    hex: Option<usize>,
    uuid: Option<bool>,
    order: Option<Order>,
}

/// A value of a list; numbers need no quotes.
#[derive(Deserialize)]
#[serde(untagged)]
enum Single {
    Text(String),
    Whole(i64),
}

impl Reader<'_> {
    pub(super) fn sources(
        &self,
        tables: BTreeMap<String, Spanned<SourceTable>>,
    ) -> Result<Vec<Values>, TrafficError> {
        let read = |(name, table): (String, Spanned<SourceTable>)| {
            let span = table.span();
            let kind = self.kind(table.into_inner()).map_err(|flaw| match flaw {
                Trouble::Flaw(flaw) => {
                    let key = format!("source.{name}");
                    self.wrong(key, Some(span), flaw.problem, flaw.hint)
                }
                Trouble::Error(error) => error,
            })?;
            Ok(Values { name, kind })
        };
        tables.into_iter().map(read).collect()
    }

    fn kind(&self, table: SourceTable) -> Result<Kind, Trouble> {
        let order = table.order.unwrap_or_default();
        let ordered = table.order.is_some();
        match (table.range, table.list, table.csv, table.hex, table.uuid) {
            (Some([first, last]), None, None, None, None) => range(first, last, order),
            (None, Some(list), None, None, None) if !list.is_empty() => Ok(Kind::Rows {
                columns: Vec::new(),
                rows: list.into_iter().map(|value| vec![value.text()]).collect(),
                order,
            }),
            (None, None, Some(file), None, None) => self.csv(&file, order),
            (None, None, None, Some(digits @ 1..=1024), None) if !ordered => {
                Ok(Kind::Hex { digits })
            }
            (None, None, None, None, Some(true)) if !ordered => Ok(Kind::Uuid),
            _ => Err(flaw(
                "it is not one of the kinds of source",
                "give one of `range = [1, 100]`, `list = [\"a\", \"b\"]`, `csv = \"FILE\"`, each with an \
                 `order` if you like, or `hex = 16` (digits, up to 1024), `uuid = true`",
            )),
        }
    }

    fn csv(&self, name: &Path, order: Order) -> Result<Kind, Trouble> {
        let path = self.beside(name);
        let file = input::open(&path)
            .map_err(|reason| Trouble::Error(TrafficError::read(&path)(reason)))?;
        let broken = |error: csv::Error| {
            flaw(
                &format!("`{}`: {error}", path.display()),
                "give a CSV file in UTF-8, with the names of its columns in its first line",
            )
        };
        let mut reader = csv::Reader::from_reader(file);
        let columns = reader.headers().map_err(broken)?;
        let columns = columns.iter().map(|name| name.trim().to_owned()).collect();
        let mut rows = Vec::new();
        for row in reader.records() {
            rows.push(row.map_err(broken)?.iter().map(str::to_owned).collect());
        }
        if rows.is_empty() {
            let problem = format!("`{}` has no row below its first line", path.display());
            let hint = "its first line names the columns, the others have the values";
            return Err(flaw(&problem, hint));
        }
        Ok(Kind::Rows {
            columns,
            rows,
            order,
        })
    }
}

impl Single {
    fn text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Whole(number) => number.to_string(),
        }
    }
}

enum Trouble {
    Flaw(Flaw),
    Error(TrafficError),
}

fn flaw(problem: &str, hint: &str) -> Trouble {
    Trouble::Flaw(Flaw {
        problem: problem.to_owned(),
        hint: hint.to_owned(),
    })
}

fn range(first: i64, last: i64, order: Order) -> Result<Kind, Trouble> {
    if last < first {
        let problem = format!("the range ends at {last}, before its start at {first}");
        return Err(flaw(&problem, "write `range = [SMALLEST, LARGEST]`"));
    }
    if order == Order::Shuffled && last.abs_diff(first) >= SHUFFLED {
        let problem = format!("a range of more than {SHUFFLED} values cannot be shuffled");
        return Err(flaw(&problem, "use `order = \"random\"`"));
    }
    Ok(Kind::Range { first, last, order })
}
