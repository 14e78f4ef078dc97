//! One variant of a plan file becomes several: by factors that take several levels each.

mod filters;
mod levels;

use record::{Level, Refine, Sweep};
use toml::{Table, Value};

use crate::search::refine;
use filters::Filters;
use levels::Levels;

/// What is wrong in a table of a plan, and where.
#[derive(Debug)]
pub(crate) struct Flaw {
    /// The key, from the variant inwards.
    pub(crate) key: String,
    pub(crate) problem: String,
    pub(crate) hint: String,
}

impl Flaw {
    fn new(key: impl Into<String>, problem: impl Into<String>, hint: impl Into<String>) -> Self {
        let (key, problem, hint) = (key.into(), problem.into(), hint.into());
        Self { key, problem, hint }
    }
}

/// A variant of the file as it is run, and the point of a sweep that it is.
#[derive(Debug)]
pub(crate) struct Point {
    /// Which `[[variant]]` of the file it comes from.
    pub(crate) from: usize,
    /// Without the keys that made it of another.
    pub(crate) table: Table,
    pub(crate) sweep: Option<Sweep>,
    /// What a run may add to that sweep.
    pub(crate) refine: Vec<Refine>,
}

/// Tables of a variant in which any key may be set; without them it has what the plan or the app says.
const OPEN: [&str; 3] = ["env", "load", "services"];

/// More variants than anybody waits for.
const MOST: usize = 10_000;

/// A combination of levels: each factor's path, its short name, and what it is set to.
type Combination<'a> = Vec<(&'a str, &'a str, &'a (Level, Option<Value>))>;

/// All variants that a file's tables mean on a machine of so many cores, in order.
///
/// # Errors
/// The first table that makes no sense, by its place.
pub(crate) fn expand(tables: &[Table], cores: u32) -> Result<Vec<Point>, (usize, Flaw)> {
    let mut points = Vec::new();
    for from in 0..tables.len() {
        let of = |flaw| (from, flaw);
        let table = alike(tables, from, 0).map_err(of)?;
        points.extend(vary(table, from, cores).map_err(of)?);
    }
    Ok(points)
}

/// A table on top of the one that it is `like`, with what it sets.
fn alike(tables: &[Table], index: usize, depth: usize) -> Result<Table, Flaw> {
    let mut own = tables[index].clone();
    let set = own.remove("set");
    let mut table = match own.remove("like") {
        None => Table::new(),
        Some(Value::String(name)) => {
            let named = |table: &Table| table.get("name").and_then(Value::as_str) == Some(&name);
            let Some(other) = tables.iter().position(named) else {
                let hint = "name another `[[variant]]` of this plan";
                return Err(Flaw::new(
                    "like",
                    format!("no variant is called `{name}`"),
                    hint,
                ));
            };
            if depth > tables.len() {
                let hint = "one of them must stand by itself";
                return Err(Flaw::new(
                    "like",
                    "these variants are like each other",
                    hint,
                ));
            }
            let mut other = alike(tables, other, depth + 1)?;
            other.remove("title");
            other
        }
        Some(_) => {
            return Err(Flaw::new(
                "like",
                "is not a name",
                "write the variant's `name`",
            ));
        }
    };
    table.extend(own);
    if let Some(set) = set {
        let Value::Table(set) = set else {
            let hint = "write `set = { \"server.workers\" = 2 }`";
            return Err(Flaw::new("set", "is not a table", hint));
        };
        for (path, value) in set {
            put(&mut table, &path, Some(value))?;
        }
    }
    Ok(table)
}

fn vary(mut table: Table, from: usize, cores: u32) -> Result<Vec<Point>, Flaw> {
    let filters = Filters::take(&mut table)?;
    let Some(factors) = table.remove("vary") else {
        if !filters.are_none() {
            let hint = "`only`, `except` and `where` choose among the levels of `vary`";
            return Err(Flaw::new("vary", "is missing", hint));
        }
        return Ok(vec![Point {
            from,
            table,
            sweep: None,
            refine: Vec::new(),
        }]);
    };
    let family = table.get("name").and_then(Value::as_str);
    let family = family.unwrap_or_default().to_owned();
    let factors = factors_of(&factors)?;
    let all = factors.iter().try_fold(1_usize, |all, (.., levels)| {
        all.checked_mul(levels.all.len())
    });
    if all.is_none_or(|all| all > MOST) {
        let problem = format!("makes more than {MOST} variants");
        return Err(Flaw::new("vary", problem, "give its factors fewer levels"));
    }
    let refined = factors.iter().filter(|(.., levels)| levels.refine > 0);
    let refined: Vec<Refine> = refined
        .map(|(path, short, levels)| Refine {
            family: family.clone(),
            factor: short.clone(),
            path: path.clone(),
            points: levels.refine,
            decided: false,
        })
        .collect();
    let mut points = Vec::new();
    let combinations = combinations(&factors);
    filters.check(&combinations)?;
    for combination in &combinations {
        if filters.keep(combination, cores)? {
            let (table, sweep) = point(&table, &family, combination)?;
            points.push(Point {
                from,
                table,
                sweep: Some(sweep),
                refine: refined.clone(),
            });
        }
    }
    if points.is_empty() {
        let hint = "let `only`, `except` and `where` keep at least one combination";
        return Err(Flaw::new("vary", "leaves no variant", hint));
    }
    Ok(points)
}

fn point(table: &Table, family: &str, combination: &Combination) -> Result<(Table, Sweep), Flaw> {
    let mut table = table.clone();
    for (path, _, (_, value)) in combination {
        put(&mut table, path, value.clone())?;
    }
    let levels = combination.iter();
    let levels = levels.map(|(_, short, (level, _))| Level {
        factor: (*short).to_owned(),
        ..level.clone()
    });
    let sweep = Sweep {
        family: family.to_owned(),
        levels: levels.collect(),
        added: false,
    };
    let title = table.get("title").and_then(Value::as_str).unwrap_or(family);
    let title = format!("{title}, {}", refine::words(&sweep));
    table.insert("name".to_owned(), Value::String(refine::name(&sweep)));
    table.insert("title".to_owned(), Value::String(title));
    Ok((table, sweep))
}

/// Factors by their paths, with their short names: the path's last word where that tells them apart.
fn factors_of(factors: &Value) -> Result<Vec<(String, String, Levels)>, Flaw> {
    let example = "write `vary = { \"load.connections\" = [1, 10, 100] }`";
    let Some(factors) = factors.as_table().filter(|table| !table.is_empty()) else {
        return Err(Flaw::new("vary", "is not a table of factors", example));
    };
    let last = |path: &str| path.rsplit('.').next().unwrap_or(path).to_owned();
    factors
        .iter()
        .map(|(path, levels)| {
            let alone = factors
                .keys()
                .filter(|other| last(other) == last(path))
                .count()
                == 1;
            let short = if alone { last(path) } else { path.clone() };
            let levels = Levels::read(levels)
                .map_err(|(problem, hint)| Flaw::new(format!("vary.\"{path}\""), problem, hint))?;
            Ok((path.clone(), short, levels))
        })
        .collect()
}

/// Every combination; the last factor turns fastest.
fn combinations(factors: &[(String, String, Levels)]) -> Vec<Combination<'_>> {
    let mut all = vec![Vec::new()];
    for (path, short, levels) in factors {
        all = all
            .into_iter()
            .flat_map(|begun: Combination| {
                levels.all.iter().map(move |level| {
                    let mut longer = begun.clone();
                    longer.push((path.as_str(), short.as_str(), level));
                    longer
                })
            })
            .collect();
    }
    all
}

/// Sets a path (`server.workers`, `load.connections`, `front.1.maxconn`) to a value, or takes it out.
fn put(table: &mut Table, path: &str, value: Option<Value>) -> Result<(), Flaw> {
    let (key, rest) = match path.split_once('.') {
        Some((key, rest)) => (key, Some(rest)),
        None => (path, None),
    };
    let Some(rest) = rest else {
        match value {
            Some(value) => drop(table.insert(key.to_owned(), value)),
            None => drop(table.remove(key)),
        }
        return Ok(());
    };
    let inner = table.entry(key).or_insert_with(|| {
        // an open table begins empty; without a program there are no knobs
        Value::Table(Table::new())
    });
    if let Value::String(entry) = inner {
        let entry = Value::String(std::mem::take(entry));
        *inner = Value::Table(Table::from_iter([("entry".to_owned(), entry)]));
    }
    match inner {
        Value::Table(inner) if OPEN.contains(&key) || inner.contains_key("entry") => {
            put(inner, rest, value)
        }
        Value::Array(chain) => {
            let (place, rest) = rest.split_once('.').unwrap_or((rest, ""));
            let place = place.parse::<usize>().ok();
            let Some(place) = place.filter(|place| *place < chain.len()) else {
                let hint = format!(
                    "it has {} programs, and `{key}.0` is the first",
                    chain.len()
                );
                return Err(Flaw::new(path, "names no program of the chain", hint));
            };
            let mut one = Table::from_iter([(key.to_owned(), chain.remove(place))]);
            let path = if rest.is_empty() {
                key.to_owned()
            } else {
                format!("{key}.{rest}")
            };
            put(&mut one, &path, value)?;
            if let Some(changed) = one.remove(key) {
                chain.insert(place, changed);
            }
            Ok(())
        }
        _ => {
            let hint = format!("give the variant a `{key}`, or vary `{key}` itself");
            Err(Flaw::new(path, format!("the variant has no `{key}`"), hint))
        }
    }
}

#[cfg(test)]
mod tests;
