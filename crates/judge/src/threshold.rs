//! What a load must not exceed, as `weir bench --fail-if` reads it.
//!
//! ```text
//! thresholds = threshold { ( "," | "and" ) threshold }
//! threshold  = measure ( "<" | "<=" | ">" | ">=" ) number [ unit ]
//! measure    = "p50" | "p90" | "p99" | "p99.9" | "p99.99" | "mean" | "max"     of response times
//!            | "errors" | "timeouts" | "shed"                                  share or count
//!            | "throughput" | "achieved"                        rate, and its share of the offered
//! unit       = "us" | "ms" | "s" for times | "%" for shares | "req/s" for throughput
//! ```

use record::LoadFacts;
use serde::Serialize;

use crate::expect::cursor::Cursor;
use crate::expect::{Bound, ExpectError};
use crate::words::{closest, number, percent};
use crate::{QUANTILES, enough, samples_for};

const EXAMPLE: &str = "a threshold reads `p99 > 50ms` or `errors > 0.1%`";

/// A condition that a load must not meet.
#[derive(Clone, Debug, PartialEq)]
pub struct Threshold {
    /// As it was written.
    pub text: String,
    measure: Measure,
    bound: Bound,
    unit: Unit,
}

/// A threshold that was looked at.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Gate {
    /// As it was written.
    pub text: String,
    /// What came out.
    pub crossed: Crossed,
    /// The measured value in seconds, requests per second, as a share from 0 to 1, or as a count.
    pub value: Option<f64>,
    /// What was measured and how far it lies from the threshold, or why that is unknown.
    pub because: String,
}

/// Whether a threshold was crossed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Crossed {
    /// It was kept.
    No,
    /// It was crossed.
    Yes,
    /// The load does not carry the figure. This counts as failed: what could not be checked was
    /// not passed.
    CannotTell,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Measure {
    Quantile(&'static str, f64),
    Mean,
    Max,
    Errors,
    Timeouts,
    Shed,
    Throughput,
    Achieved,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Unit {
    Seconds,
    Rate,
    Share,
    Count,
}

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
        let (unit, scale) = self.unit(measure)?;
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
                Some(name) => format!("did you mean `{name}`?"),
                None => format!("there are {}", names().collect::<Vec<_>>().join(", ")),
            };
            self.expected("a measure", &hint)
        })
    }

    fn unit(&mut self, measure: Measure) -> Result<(Unit, f64), ExpectError> {
        let at = self.here();
        let word = self.take(|c| c.is_alphabetic() || c == '/' || c == '%');
        let found = match (measure.unit(), word) {
            (Unit::Seconds, "us" | "µs" | "μs") => (Unit::Seconds, 1e-6),
            (Unit::Seconds, "ms") => (Unit::Seconds, 1e-3),
            (Unit::Seconds, "s") => (Unit::Seconds, 1.0),
            (Unit::Rate, "" | "req/s" | "/s" | "rps") => (Unit::Rate, 1.0),
            (Unit::Share | Unit::Count, "%") => (Unit::Share, 0.01),
            // `errors > 0 and …`: the next word is no unit
            (Unit::Count, "" | "and") => {
                self.at = if word.is_empty() { self.at } else { at };
                (Unit::Count, 1.0)
            }
            (unit, _) => {
                self.at = at;
                return Err(self.expected(unit.wanted(), EXAMPLE));
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
    "shed",
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
            "shed" => Self::Shed,
            "throughput" | "rate" => Self::Throughput,
            "achieved" => Self::Achieved,
            _ => return None,
        })
    }

    /// The unit in which it is written; what can be counted can also be given as a share.
    fn unit(self) -> Unit {
        match self {
            Self::Quantile(..) | Self::Mean | Self::Max => Unit::Seconds,
            Self::Errors | Self::Timeouts | Self::Shed => Unit::Count,
            Self::Throughput => Unit::Rate,
            Self::Achieved => Unit::Share,
        }
    }

    fn of(self, load: &LoadFacts, unit: Unit) -> Result<f64, String> {
        let times = &load.response;
        let unanswered = || "no request was answered".to_owned();
        let part = |count: u64| match unit {
            Unit::Share if load.scheduled == 0 => Err("no request fell due".to_owned()),
            Unit::Share => Ok(count as f64 / load.scheduled as f64),
            _ => Ok(count as f64),
        };
        match self {
            Self::Quantile(name, q) if !enough(q, times.count()) => Err(format!(
                "{name} needs {} answers, there are {}",
                samples_for(q),
                times.count()
            )),
            Self::Quantile(_, q) => times.quantile(q).ok_or_else(unanswered),
            Self::Mean => times.mean().ok_or_else(unanswered),
            Self::Max => times.max().ok_or_else(unanswered),
            Self::Errors => part(load.failures() + load.timed_out),
            Self::Timeouts => part(load.timed_out),
            Self::Shed => part(load.shed),
            Self::Throughput => Ok(load.throughput()),
            Self::Achieved => match load.offered {
                Some(offered) if offered > 0.0 => Ok(load.throughput() / offered),
                _ => Err("a closed loop offers no rate".to_owned()),
            },
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

    fn words(self, value: f64) -> String {
        match self {
            Self::Seconds if value < 1e-3 => format!("{} µs", number(value * 1e6)),
            Self::Seconds if value < 1.0 => format!("{} ms", number(value * 1e3)),
            Self::Seconds => format!("{} s", number(value)),
            Self::Rate => format!("{} req/s", number(value)),
            Self::Share => percent(value),
            Self::Count => format!("{value}"),
        }
    }
}

impl Threshold {
    /// Looks at it. The figure itself decides, not its interval: a gate is a promise about what
    /// was measured.
    pub fn decide(&self, load: &LoadFacts) -> Gate {
        let measured = self.measure.of(load, self.unit);
        let (crossed, because) = match &measured {
            Err(why) => (Crossed::CannotTell, why.clone()),
            Ok(value) if self.bound.holds(*value) => (Crossed::Yes, self.beyond(*value)),
            Ok(value) => (Crossed::No, format!("measured {}", self.unit.words(*value))),
        };
        Gate {
            text: self.text.clone(),
            crossed,
            value: measured.ok(),
            because,
        }
    }

    /// `measured 61.0 ms, 11.0 ms above`.
    fn beyond(&self, value: f64) -> String {
        let (edge, side) = match self.bound {
            Bound::Above(edge) | Bound::AtLeast(edge) => (edge, "above"),
            Bound::Below(edge) | Bound::AtMost(edge) | Bound::Within(edge, _) => (edge, "below"),
        };
        let by = self.unit.words((value - edge).abs());
        format!("measured {}, {by} {side}", self.unit.words(value))
    }
}
