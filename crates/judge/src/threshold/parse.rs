use super::{Measure, Threshold, Unit};
use crate::QUANTILES;
use crate::expect::cursor::Cursor;
use crate::expect::{Bound, ExpectError};
use crate::words::closest;

const EXAMPLE: &str = "a threshold reads `p99 > 50ms` or `errors > 0.1%`";

/// Reads one or more thresholds.
///
/// # Errors
/// The text is none; the error says where, and what was expected there.
pub fn thresholds(text: &str) -> Result<Vec<Threshold>, ExpectError> {
    let mut cursor = Cursor { text, at: 0 };
    let mut read = vec![cursor.threshold()?];
    while cursor.symbol(",") || cursor.word("and") {
        read.push(cursor.threshold()?);
    }
    cursor.here();
    if cursor.rest().is_empty() {
        return Ok(read);
    }
    let hint = "several are joined by a comma: `p99 > 50ms, errors > 0.1%`";
    Err(cursor.expected("`,` or the end", hint))
}

impl Cursor<'_> {
    fn threshold(&mut self) -> Result<Threshold, ExpectError> {
        let begin = self.here();
        let measure = self.measure()?;
        let symbols = [
            ("<=", Bound::AtMost as fn(f64) -> Bound),
            (">=", Bound::AtLeast),
            ("<", Bound::Below),
            (">", Bound::Above),
        ];
        self.here();
        let Some((_, bound)) = symbols.iter().find(|(symbol, _)| self.symbol(symbol)) else {
            return Err(self.expected("`<`, `<=`, `>` or `>=`", EXAMPLE));
        };
        self.here();
        let value = self.number()?;
        let (unit, scale) = self.unit(begin, measure)?;
        Ok(Threshold {
            text: self.text[begin..self.at].trim().to_owned(),
            measure,
            bound: bound(value * scale),
            unit,
        })
    }

    fn measure(&mut self) -> Result<Measure, ExpectError> {
        let at = self.here();
        let word = self.take(|c| c.is_ascii_alphanumeric() || c == '.' || c == '-');
        Measure::named(word).ok_or_else(|| {
            self.at = at;
            let names = || QUANTILES.iter().map(|(name, _)| *name).chain(OTHERS);
            let hint = match closest(word, names()) {
                _ if word == "shed" => "it is called `dropped` now".to_owned(),
                Some(name) => format!("did you mean `{name}`?"),
                None => format!("there are {}", names().collect::<Vec<_>>().join(", ")),
            };
            self.expected("a measure", &hint)
        })
    }

    /// The unit after the number of a threshold that begins at `begin`.
    fn unit(&mut self, begin: usize, measure: Measure) -> Result<(Unit, f64), ExpectError> {
        let after = self.at;
        let at = self.here();
        let word = self.take(|c| c.is_alphabetic() || c == '/' || c == '%');
        let found = match (measure.unit(), word) {
            (Unit::Seconds, "us" | "µs" | "μs") => (Unit::Seconds, 1e-6),
            (Unit::Seconds, "ms") => (Unit::Seconds, 1e-3),
            (Unit::Seconds, "s") => (Unit::Seconds, 1.0),
            (Unit::Rate, "req/s" | "/s" | "rps") => (Unit::Rate, 1.0),
            (Unit::Share | Unit::Count, "%") => (Unit::Share, 0.01),
            // `errors > 0 and …`: the next word is no unit
            (Unit::Rate | Unit::Count, "" | "and") => {
                self.at = if word.is_empty() { self.at } else { at };
                (measure.unit(), 1.0)
            }
            (unit, _) => {
                self.at = at;
                let bare = self.text[begin..after].trim_end();
                let hint = match unit {
                    Unit::Seconds if word.is_empty() || word == "and" => {
                        format!("did you mean `{bare}ms`?")
                    }
                    Unit::Share if word.is_empty() || word == "and" => {
                        format!("did you mean `{bare}%`?")
                    }
                    _ => EXAMPLE.to_owned(),
                };
                return Err(self.expected(unit.wanted(), &hint));
            }
        };
        Ok(found)
    }
}

const OTHERS: [&str; 7] = [
    "mean",
    "max",
    "errors",
    "timeouts",
    "dropped",
    "throughput",
    "achieved",
];

impl Measure {
    fn named(word: &str) -> Option<Self> {
        let quantile = QUANTILES.into_iter().find(|(name, _)| *name == word);
        if let Some((name, q)) = quantile {
            return Some(Self::Quantile(name, q));
        }
        Some(match word {
            "mean" => Self::Mean,
            "max" => Self::Max,
            "errors" => Self::Errors,
            "timeouts" => Self::Timeouts,
            "dropped" => Self::Dropped,
            "throughput" | "rate" => Self::Throughput,
            "achieved" => Self::Achieved,
            _ => return None,
        })
    }

    /// The unit in which it is written; what can be counted can also be given as a share.
    fn unit(self) -> Unit {
        match self {
            Self::Quantile(..) | Self::Mean | Self::Max => Unit::Seconds,
            Self::Errors | Self::Timeouts | Self::Dropped => Unit::Count,
            Self::Throughput => Unit::Rate,
            Self::Achieved => Unit::Share,
        }
    }
}

impl Unit {
    fn wanted(self) -> &'static str {
        match self {
            Self::Seconds => "`us`, `ms` or `s` after the number",
            Self::Rate => "`req/s` or nothing after the number",
            Self::Share => "`%` after the number",
            Self::Count => "`%` or nothing after the number",
        }
    }
}
