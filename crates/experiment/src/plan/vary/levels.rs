use record::Level;
use toml::{Table, Value};

/// The level that leaves a program out.
const NONE: &str = "none";

/// Most levels of a range.
const MOST: i64 = 1_000;

/// What a factor is set to, one after the other; nothing stands for a key that is left out.
#[derive(Debug)]
pub(super) struct Levels {
    pub(super) all: Vec<(Level, Option<Value>)>,
    /// Most points that a run adds where a curve along them turns.
    pub(super) refine: u32,
}

impl Levels {
    /// Reads a list, or a range: `{ from = 1, to = 500, step = 10 }`, `{ from = 1, to = 500, points = 6 }`,
    /// either with `refine = 4`.
    ///
    /// # Errors
    /// What is wrong, and what to write instead.
    pub(super) fn read(value: &Value) -> Result<Self, (String, String)> {
        let levels = match value {
            Value::Array(list) => list.iter().map(listed).collect::<Result<Vec<_>, _>>()?,
            Value::Table(range) => ranged(range)?.into_iter().map(numbered).collect(),
            _ => {
                return Err((
                    "is neither a list nor a range".to_owned(),
                    "write `[1, 10, 100]`, or `{ from = 1, to = 500, step = 10 }`".to_owned(),
                ));
            }
        };
        if levels.is_empty() {
            let hint = "give at least one level";
            return Err(("has no level".to_owned(), hint.to_owned()));
        }
        for (at, (level, _)) in levels.iter().enumerate() {
            if levels[..at]
                .iter()
                .any(|(other, _)| other.level == level.level)
            {
                return Err((
                    format!("has two levels called `{}`", level.level),
                    "tell tables apart by a `level`: `{ level = \"tight\", entry = \"haproxy\", server-maxconn = 1 }`"
                        .to_owned(),
                ));
            }
        }
        let refine = match value {
            Value::Table(range) => refine(range, levels.len())?,
            _ => 0,
        };
        Ok(Self {
            all: levels,
            refine,
        })
    }
}

fn named(level: &str, number: Option<f64>) -> Level {
    Level {
        factor: String::new(),
        // names of variants are typed in a shell and stand in backticks
        level: level.replace(|c: char| c.is_whitespace() || "`,@".contains(c), "-"),
        number,
    }
}

fn numbered(number: i64) -> (Level, Option<Value>) {
    let value = Value::Integer(number);
    (named(&number.to_string(), Some(number as f64)), Some(value))
}

fn listed(value: &Value) -> Result<(Level, Option<Value>), (String, String)> {
    let mut value = value.clone();
    let own = value.as_table_mut().and_then(|table| table.remove("level"));
    let Some(name) = own.as_ref().and_then(word).or_else(|| word(&value)) else {
        return Err((
            "has a level without a name".to_owned(),
            "give it one: `{ level = \"tight\", … }`".to_owned(),
        ));
    };
    // a table may be called by a number, and then has a place in an order
    let number = match own.as_ref().unwrap_or(&value) {
        Value::Integer(number) => Some(*number as f64),
        Value::Float(number) => Some(*number),
        _ => None,
    };
    let none = value.as_str() == Some(NONE);
    Ok((named(&name, number), (!none).then_some(value)))
}

/// A value in a word: itself, a program's entry, the entries of a chain.
pub(super) fn word(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Float(number) => Some(number.to_string()),
        Value::Boolean(on) => Some(if *on { "on" } else { "off" }.to_owned()),
        Value::Table(table) => word(table.get("entry")?),
        Value::Array(chain) => {
            let words: Option<Vec<_>> = chain.iter().map(word).collect();
            words.map(|words| words.join("+"))
        }
        Value::Datetime(_) => None,
    }
}

/// Most points that are added to a curve: more would be the plan's business.
const MOST_ADDED: i64 = 100;

fn refine(range: &Table, levels: usize) -> Result<u32, (String, String)> {
    let points = range.get("refine").and_then(Value::as_integer);
    match points.unwrap_or(0) {
        0 => Ok(0),
        points if !(0..=MOST_ADDED).contains(&points) => Err((
            "is refined by too many points, or by fewer than none".to_owned(),
            format!("write `refine = 4`, at most {MOST_ADDED}"),
        )),
        _ if levels < 3 => Err((
            "has too few levels to see where a curve turns".to_owned(),
            "let `refine` begin with at least 3 points".to_owned(),
        )),
        points => Ok(points as u32),
    }
}

fn ranged(range: &Table) -> Result<Vec<i64>, (String, String)> {
    let number = |key: &str| range.get(key).and_then(Value::as_integer);
    let known = ["from", "to", "step", "points", "refine"];
    let wrong = |problem: &str| {
        let hint = "write `{ from = 1, to = 500, step = 10 }` for equal steps, or `{ from = 1, to = 500, points = 6 }` for equal ratios";
        Err((problem.to_owned(), hint.to_owned()))
    };
    if range
        .iter()
        .any(|(key, value)| !known.contains(&key.as_str()) || !value.is_integer())
    {
        return wrong("is not a range of whole numbers");
    }
    let (Some(from), Some(to)) = (number("from"), number("to")) else {
        return wrong("lacks `from` or `to`");
    };
    if from > to {
        return wrong("ends before it begins");
    }
    let steps = |step: i64| to.saturating_sub(from) / step;
    let many = number("points")
        .unwrap_or(0)
        .max(number("step").filter(|step| *step > 0).map_or(0, steps));
    if many > MOST {
        return wrong("has more than a thousand levels");
    }
    let mut all: Vec<i64> = match (number("step"), number("points")) {
        (Some(step), None) if step > 0 => (from..=to).step_by(step as usize).collect(),
        (None, Some(points)) if points > 1 && from > 0 => {
            let ratio = (to as f64 / from as f64).powf(1.0 / (points - 1) as f64);
            let at = |point: i64| (from as f64 * ratio.powi(point as i32)).round() as i64;
            (0..points).map(at).collect()
        }
        _ => return wrong("needs a positive `step`, or `points` from 2 on and a positive `from`"),
    };
    // the end that was asked for is measured, whatever the steps come to
    if all.last() != Some(&to) {
        all.push(to);
    }
    all.dedup();
    Ok(all)
}
