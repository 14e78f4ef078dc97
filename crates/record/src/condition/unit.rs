//! Units that numbers of a condition are written in.

use crate::Metric;
use crate::closest::listed;
use crate::metric::Dimension;

use super::ExpectError;
use super::cursor::Cursor;

const TIMES: [(&str, f64); 5] = [
    ("ns", 1e-9),
    ("us", 1e-6),
    ("µs", 1e-6),
    ("ms", 1e-3),
    ("s", 1.0),
];
const SIZES: [(&str, f64); 7] = [
    ("B", 1.0),
    ("kB", 1e3),
    ("MB", 1e6),
    ("GB", 1e9),
    ("KiB", 1024.0),
    ("MiB", 1_048_576.0),
    ("GiB", 1_073_741_824.0),
];
const SHARES: [(&str, f64); 1] = [("%", 0.01)];
const RATES: [(&str, f64); 1] = [("req/s", 1.0)];

/// The dimensions that have units.
const ANY: [Dimension; 4] = {
    use Dimension::{Rate, Share, Size, Time};
    [Time, Size, Share, Rate]
};

/// Other ways to write a unit.
const ALIASES: [(&str, &str); 3] = [("μs", "us"), ("/s", "req/s"), ("rps", "req/s")];

/// What a unit is in a dimension's own, if it is one of it.
pub fn scale(dimension: Dimension, word: &str) -> Option<f64> {
    let alias = ALIASES.iter().find(|(alias, _)| *alias == word);
    let word = alias.map_or(word, |(_, name)| name);
    let unit = units(Some(dimension))
        .iter()
        .find(|(name, _)| *name == word);
    unit.map(|(_, scale)| *scale)
}

/// Whether a character may belong to a unit.
pub fn belongs(c: char) -> bool {
    c.is_alphabetic() || c == '/' || c == '%'
}

/// The units of a dimension, with what they are in its own; a ratio and a count have none.
fn units(dimension: Option<Dimension>) -> &'static [(&'static str, f64)] {
    match dimension {
        Some(Dimension::Time | Dimension::CpuTime) => &TIMES,
        Some(Dimension::Size) => &SIZES,
        Some(Dimension::Share) => &SHARES,
        Some(Dimension::Rate) => &RATES,
        Some(Dimension::Count) | None => &[],
    }
}

/// What may have been meant by a number of this metric without its unit, where it needs one.
fn likely(metric: Option<Metric>, digits: &str, number: f64) -> Option<String> {
    let known = units(metric.map(Metric::dimension));
    let meant = match known.first()?.0 {
        "ns" => format!("`{digits}ms`"),
        "B" => format!("`{digits}MB`"),
        "%" if number <= 1.0 => format!("`{}%`, or `{digits}%`", number * 100.0),
        "%" => format!("`{digits}%`"),
        _ => return None,
    };
    let names = listed(known.iter().map(|(name, _)| name));
    let metric = metric?.name();
    Some(format!(
        "did you mean {meant}? units of `{metric}` are {names}"
    ))
}

impl Cursor<'_> {
    /// A number of a metric, or of a ratio or rank, with its unit. Zero is the same in every unit, and a
    /// rate has one unit only; another number without its unit is in the metric's own, and noted.
    pub(super) fn quantity(&mut self, metric: Option<Metric>) -> Result<f64, ExpectError> {
        let begin = self.here();
        let number = self.number()?;
        let after = self.at;
        let at = self.here();
        let word = self.take(belongs);
        if !ANY.iter().any(|of| scale(*of, word).is_some()) {
            self.at = after;
            let digits = &self.text[begin..after];
            let meant = likely(metric, digits, number).filter(|_| number != 0.0);
            let missing =
                meant.map(|hint| self.expected(&format!("a unit after `{digits}`"), &hint));
            self.unitless = self.unitless.take().or(missing);
            return Ok(number);
        }
        let dimension = metric.map(Metric::dimension);
        let unit = dimension.and_then(|of| scale(of, word));
        unit.map(|scale| number * scale).ok_or_else(|| {
            self.at = at;
            let known = units(dimension);
            let names = listed(known.iter().map(|(name, _)| name));
            let hint = match metric {
                None => "a ratio has no unit".to_owned(),
                Some(metric) if known.is_empty() => format!("`{}` has no unit", metric.name()),
                Some(metric) => format!("units of `{}` are {names}", metric.name()),
            };
            self.expected("`and` or the end", &hint)
        })
    }
}
