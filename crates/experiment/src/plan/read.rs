//! A plan file is read: its text, its keys, and the variants that its tables make.

use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::{Table, Value};

use crate::plan::error::{PlanError, wrong};
use crate::plan::file::{PlanFile, VariantTable};
use crate::plan::vary;

/// Reads and parses a plan file, for a machine of so many cores.
///
/// # Errors
/// When it cannot be read or has an unknown key or a wrong type.
pub(crate) fn read(path: &Path, cores: u32) -> Result<PlanFile, PlanError> {
    let mut file: PlanFile = parse(path)?;
    if file.variant.iter().all(VariantTable::is_plain) {
        for (index, variant) in file.variant.iter_mut().enumerate() {
            variant.from = index;
        }
    } else {
        let tables: Variants = parse(path)?;
        file.variant = made(path, &tables.variant, cores)?;
    }
    Ok(file)
}

/// Reads a TOML file.
///
/// # Errors
/// When it cannot be read, or is not what it should be.
pub(crate) fn parse<T: DeserializeOwned>(path: &Path) -> Result<T, PlanError> {
    let text = text(path)?;
    toml::from_str(&text).map_err(|error| match error.message() {
        renamed if renamed.starts_with("unknown field `stage`") => {
            let problem = "what a plan lists is called a variant";
            wrong(path, "stage", problem, "write `[[variant]]`")
        }
        problem => PlanError::Syntax {
            path: path.to_owned(),
            detail: record::told_below(&error.to_string(), problem),
        },
    })
}

/// A file as it is.
pub(crate) fn text(path: &Path) -> Result<String, PlanError> {
    input::text(path).map_err(|reason| PlanError::Read {
        path: path.to_owned(),
        reason,
    })
}

/// The variants of a plan file before they are looked at.
#[derive(Deserialize)]
struct Variants {
    variant: Vec<Table>,
}

/// The variants that some tables mean, where not each stands for itself.
fn made(path: &Path, tables: &[Table], cores: u32) -> Result<Vec<VariantTable>, PlanError> {
    let wrong =
        |from: usize, key: &str, problem: String, hint: Option<String>| PlanError::Meaning {
            path: path.to_owned(),
            key: format!("variant[{from}]{key}"),
            problem,
            hint,
        };
    let points = vary::expand(tables, cores).map_err(|(from, flaw)| {
        let key = format!(".{}", flaw.key);
        wrong(from, &key, flaw.problem, Some(flaw.hint))
    })?;
    let variant = |point: vary::Point| {
        let read = VariantTable::deserialize(Value::Table(point.table));
        let mut variant = read.map_err(|error| {
            let hint = "every key of a variant is explained by `weir help plan`".to_owned();
            wrong(point.from, "", record::told(error.message()), Some(hint))
        })?;
        (variant.from, variant.sweep, variant.refine) = (point.from, point.sweep, point.refine);
        Ok(variant)
    };
    points.into_iter().map(variant).collect()
}
