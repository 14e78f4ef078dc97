//! Which combinations of levels are variants: those of `only`, without those of `except`, where the
//! constraints of `where` hold.

use std::collections::BTreeMap;

use record::{Knob, Level};
use toml::{Table, Value};

use super::levels::word;
use super::{Combination, Flaw};

/// Characters of a constraint that an error shows.
const SHOWN: usize = 200;

/// What a variant says of its combinations.
#[derive(Debug)]
pub(super) struct Filters {
    only: Option<Vec<Table>>,
    except: Vec<Table>,
    constraints: Vec<String>,
}

impl Filters {
    /// Takes them out of a variant's table.
    ///
    /// # Errors
    /// One that is not written as filters are.
    pub(super) fn take(table: &mut Table) -> Result<Self, Flaw> {
        Ok(Self {
            only: rows(table, "only")?,
            except: rows(table, "except")?.unwrap_or_default(),
            constraints: constraints(table)?,
        })
    }

    /// Whether nothing is filtered.
    pub(super) fn are_none(&self) -> bool {
        self.only.is_none() && self.except.is_empty() && self.constraints.is_empty()
    }

    /// Checks that every row speaks of factors and levels that there are.
    ///
    /// # Errors
    /// The first that does not, with those that there are.
    pub(super) fn check(&self, all: &[Combination]) -> Result<(), Flaw> {
        let only = self.only.iter().flatten().map(|row| ("only", row));
        let except = self.except.iter().map(|row| ("except", row));
        for (key, row) in only.chain(except) {
            for (factor, wanted) in row {
                known(all, key, factor, wanted)?;
            }
        }
        Ok(())
    }

    /// Whether this combination is a variant on a machine of so many cores.
    ///
    /// # Errors
    /// A constraint that cannot be computed.
    pub(super) fn keep(&self, combination: &Combination, cores: u32) -> Result<bool, Flaw> {
        let fits = |row: &Table| {
            let mut wanted = row.iter();
            wanted.all(|(factor, wanted)| {
                level_of(combination, factor).is_some_and(|level| is(level, wanted))
            })
        };
        if self
            .only
            .as_ref()
            .is_some_and(|only| !only.iter().any(fits))
            || self.except.iter().any(fits)
        {
            return Ok(false);
        }
        for constraint in &self.constraints {
            if !holds(constraint, combination, cores)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn rows(table: &mut Table, key: &str) -> Result<Option<Vec<Table>>, Flaw> {
    let Some(value) = table.remove(key) else {
        return Ok(None);
    };
    value.try_into().map(Some).map_err(|_| {
        let hint = format!("write `{key} = [{{ server = \"puma\", connections = \"10..50\" }}]`");
        Flaw::new(key, "is not a list of combinations", hint)
    })
}

fn constraints(table: &mut Table) -> Result<Vec<String>, Flaw> {
    match table.remove("where") {
        None => Ok(Vec::new()),
        Some(Value::String(one)) => Ok(vec![one]),
        Some(list) => list.try_into().map_err(|_| {
            let hint = "write `where = \"workers * threads <= 8\"`, or a list of such texts";
            Flaw::new("where", "is not a constraint", hint)
        }),
    }
}

fn level_of<'a>(combination: &'a Combination, factor: &str) -> Option<&'a Level> {
    let mut own = combination.iter();
    own.find(|(path, short, _)| factor == *path || factor == *short)
        .map(|(.., (level, _))| level)
}

/// Whether a level is what a row says: this one, one of a list, or one in a range (`"10..50"`).
fn is(level: &Level, wanted: &Value) -> bool {
    if let (Value::Array(list), false) = (wanted, word(wanted).as_deref() == Some(&level.level)) {
        return list.iter().any(|wanted| is(level, wanted));
    }
    if let (Some((low, high)), Some(number)) = (wanted.as_str().and_then(ends), level.number) {
        return (low..=high).contains(&number);
    }
    word(wanted).as_deref() == Some(&level.level)
}

fn ends(text: &str) -> Option<(f64, f64)> {
    let (low, high) = text.split_once("..")?;
    Some((low.parse().ok()?, high.parse().ok()?))
}

fn known(all: &[Combination], key: &str, factor: &str, wanted: &Value) -> Result<(), Flaw> {
    let Some(first) = all.first() else {
        return Ok(());
    };
    if level_of(first, factor).is_none() {
        let names = record::listed(first.iter().map(|(_, short, _)| short));
        let problem = format!("nothing there varies by `{factor}`");
        return Err(Flaw::new(key, problem, format!("it varies by {names}")));
    }
    let levels = || all.iter().filter_map(|of| level_of(of, factor));
    if levels().any(|level| is(level, wanted)) {
        return Ok(());
    }
    let mut names: Vec<&str> = Vec::new();
    for level in levels() {
        if !names.contains(&level.level.as_str()) {
            names.push(&level.level);
        }
    }
    let problem = format!("`{factor}` is never {wanted}");
    let hint = format!("its levels are {}", names.join(", "));
    Err(Flaw::new(key, problem, hint))
}

/// Whether a constraint holds. Factors are called as in the names of variants, with `_` where a name of an
/// expression can have no `-` or `.`.
fn holds(constraint: &str, combination: &Combination, cores: u32) -> Result<bool, Flaw> {
    let values: BTreeMap<String, Knob> = combination
        .iter()
        .map(|(_, short, (_, value))| (short.replace(['-', '.'], "_"), knob(value.as_ref())))
        .collect();
    stack::constraint(constraint, &values, cores).map_err(|problem| {
        let names = record::listed(values.keys());
        let hint =
            format!("it may speak of {names} and `cores`: `where = \"workers * threads <= 8\"`");
        let shown: String = constraint.chars().take(SHOWN).collect();
        Flaw::new("where", format!("`{shown}`: {problem}"), hint)
    })
}

/// A level as an expression sees it: a number, a switch, or its word.
fn knob(value: Option<&Value>) -> Knob {
    match value {
        Some(Value::Integer(number)) => Knob::Number(*number),
        Some(Value::Boolean(on)) => Knob::Switch(*on),
        Some(value) => Knob::Text(word(value).unwrap_or_default()),
        None => Knob::Text("none".to_owned()),
    }
}
