//! What a load must not exceed, as `weir bench --fail-if` reads it, and what it is to keep, as `--goal` does.

use record::condition::{self, Bound, Cursor, ExpectError};
use record::metric::Dimension;

use crate::QUANTILES;
use crate::words::meant;

const EXAMPLE: &str = "a threshold reads `p99 > 50ms` or `errors > 0.1%`";

/// A condition that a load must not meet.
#[derive(Clone, Debug, PartialEq)]
pub struct Threshold {
    /// As it was written.
    pub text: String,
    pub(super) measure: Measure,
    pub(super) bound: Bound,
    /// In what its numbers are: shares of a measure that is counted, if it was written so.
    pub(super) unit: Dimension,
}

/// What a threshold is about: figures of one load, some of which no run has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Measure {
    Quantile(&'static str, f64),
    Mean,
    Max,
    Errors,
    Timeouts,
    Dropped,
    Throughput,
    Achieved,
}

const OTHERS: [(&str, Measure); 7] = [
    ("mean", Measure::Mean),
    ("max", Measure::Max),
    ("errors", Measure::Errors),
    ("timeouts", Measure::Timeouts),
    ("dropped", Measure::Dropped),
    ("throughput", Measure::Throughput),
    ("achieved", Measure::Achieved),
];

/// Reads one or more thresholds.
///
/// # Errors
/// The text is none; the error says where, and what was expected there.
pub fn thresholds(text: &str) -> Result<Vec<Threshold>, ExpectError> {
    let mut cursor = Cursor::new(text);
    let mut read = vec![threshold(&mut cursor)?];
    while cursor.symbol(",") || cursor.word("and") {
        read.push(threshold(&mut cursor)?);
    }
    cursor.here();
    if cursor.rest().is_empty() {
        return Ok(read);
    }
    let hint = "several are joined by a comma: `p99 > 50ms, errors > 0.1%`";
    Err(cursor.expected("`,` or the end", hint))
}

/// Reads the conditions of a goal: what holds up to some rate, and no longer beyond it.
///
/// # Errors
/// As of [`thresholds`]; and a condition asks for what gets worse with the rate, as `p99 > 20ms` does, whose sign is most
/// likely the wrong one.
pub fn goals(text: &str) -> Result<Vec<Threshold>, ExpectError> {
    let read = thresholds(text)?;
    let Some(turned) = read.iter().find(|of| of.is_turned()) else {
        return Ok(read);
    };
    let written = &turned.text;
    let meant = if written.contains('>') {
        written.replace('>', "<")
    } else {
        written.replace('<', ">")
    };
    let at = text.find(written.as_str()).unwrap_or_default();
    let problem =
        format!("`{written}` gets truer the higher the rate, so that no highest rate keeps it");
    let hint = format!("did you mean `{meant}`?");
    Err(ExpectError::new(text, at, written.len(), problem, hint))
}

fn threshold(cursor: &mut Cursor) -> Result<Threshold, ExpectError> {
    let begin = cursor.here();
    let measure = measure(cursor)?;
    let Some(bound) = cursor.comparison() else {
        return Err(cursor.expected("`<`, `<=`, `>` or `>=`", EXAMPLE));
    };
    let value = cursor.number()?;
    let (unit, scale) = unit_of(cursor, begin, measure)?;
    Ok(Threshold {
        text: cursor.text[begin..cursor.at].trim().to_owned(),
        measure,
        bound: bound(value * scale),
        unit,
    })
}

fn measure(cursor: &mut Cursor) -> Result<Measure, ExpectError> {
    let at = cursor.here();
    let word = cursor.take(|c| c.is_ascii_alphanumeric() || c == '.' || c == '-');
    Measure::named(word).ok_or_else(|| {
        cursor.at = at;
        let others = OTHERS.iter().map(|(name, _)| *name);
        let quantiles = QUANTILES.map(|(name, _)| name);
        let names = || quantiles.into_iter().chain(others.clone());
        let all = || format!("there are {}", names().collect::<Vec<_>>().join(", "));
        let undotted = |name: &&str| name.replace('.', "") == word;
        let hint = match quantiles.into_iter().find(undotted) {
            Some(name) => format!("did you mean `{name}`?"),
            None if word == "shed" => "it is called `dropped` now".to_owned(),
            None if condition::is_quantile(word) => {
                format!("the quantiles are {}", quantiles.join(", "))
            }
            None => meant(word, names(), all),
        };
        cursor.expected("a measure", &hint)
    })
}

/// The unit after the number of a threshold that begins at `begin`, and what it is in the measure's own.
fn unit_of(
    cursor: &mut Cursor,
    begin: usize,
    measure: Measure,
) -> Result<(Dimension, f64), ExpectError> {
    let own = measure.dimension();
    let after = cursor.at;
    let at = cursor.here();
    let word = cursor.take(condition::belongs);
    // what can be counted can also be given as a share
    let part = (own == Dimension::Count).then_some(Dimension::Share);
    let mut scales = std::iter::once(own).chain(part);
    if let Some(found) = scales.find_map(|of| Some((of, condition::scale(of, word)?))) {
        return Ok(found);
    }
    cursor.at = at;
    // `errors > 0 and …`: the next word is no unit
    let bare = word.is_empty() || word == "and";
    if bare && matches!(own, Dimension::Rate | Dimension::Count) {
        return Ok((own, 1.0));
    }
    let written = cursor.text[begin..after].trim_end();
    let hint = match own {
        Dimension::Time if bare => format!("did you mean `{written}ms`?"),
        Dimension::Share if bare => format!("did you mean `{written}%`?"),
        _ => EXAMPLE.to_owned(),
    };
    Err(cursor.expected(wanted(own), &hint))
}

impl Threshold {
    /// Whether it asks for a figure on the side on which that is worse.
    fn is_turned(&self) -> bool {
        let more = matches!(self.bound, Bound::Above(_) | Bound::AtLeast(_));
        let more_is_better = matches!(self.measure, Measure::Throughput | Measure::Achieved);
        more != more_is_better
    }
}

impl Measure {
    fn named(word: &str) -> Option<Self> {
        let quantile = QUANTILES.into_iter().find(|(name, _)| *name == word);
        if let Some((name, q)) = quantile {
            return Some(Self::Quantile(name, q));
        }
        let word = if word == "rate" { "throughput" } else { word };
        let other = OTHERS.into_iter().find(|(name, _)| *name == word);
        other.map(|(_, measure)| measure)
    }

    /// What it is measured in; what is counted can be written as a share, too.
    fn dimension(self) -> Dimension {
        match self {
            Self::Quantile(..) | Self::Mean | Self::Max => Dimension::Time,
            Self::Errors | Self::Timeouts | Self::Dropped => Dimension::Count,
            Self::Throughput => Dimension::Rate,
            Self::Achieved => Dimension::Share,
        }
    }
}

fn wanted(unit: Dimension) -> &'static str {
    match unit {
        Dimension::Rate => "`req/s` or nothing after the number",
        Dimension::Share => "`%` after the number",
        Dimension::Count => "`%` or nothing after the number",
        Dimension::Time | Dimension::CpuTime | Dimension::Size => {
            "`us`, `ms` or `s` after the number"
        }
    }
}
