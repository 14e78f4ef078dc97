//! Thresholds decided: whether a load crossed them.

mod language;
mod measured;

use record::condition::Bound;
use record::metric::Dimension;
use record::{Cause, LoadFacts};
use serde::Serialize;

use crate::doubt::Doubt;
use crate::words::{number, percent};
use language::Measure;
pub use language::{Threshold, goals, thresholds};
use measured::Measured;

/// A threshold that was looked at.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct ThresholdResult {
    /// As it was written.
    pub text: String,
    /// What came out.
    pub crossed: Crossed,
    /// Whether that can be trusted: no doubt disqualifies the load, or those that do are about the
    /// very errors that the threshold is about.
    pub counts: bool,
    /// The measured value in seconds, requests per second, as a share from 0 to 1, or as a count.
    pub value: Option<f64>,
    /// What was measured and how far it lies from the threshold, or what is known of it.
    pub because: String,
}

impl ThresholdResult {
    /// Whether it was crossed, or not known to be kept, by figures that can be trusted.
    pub fn fails(&self) -> bool {
        self.counts && self.crossed != Crossed::No
    }
}

/// Whether a threshold was crossed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
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

impl Threshold {
    /// Whether it is about what went wrong, so that a load in which much did is what it asks for.
    pub fn is_about_errors(&self) -> bool {
        matches!(self.measure, Measure::Errors | Measure::Timeouts)
    }

    /// Responses of which one says with 95 % confidence how long its quantile is at most, if it is about one: of fewer, `n` of them,
    /// chance alone has none beyond it too often (`q^n < 0.025`).
    pub fn fewest(&self) -> Option<f64> {
        match self.measure {
            Measure::Quantile(_, quantile) => Some(0.025_f64.ln() / quantile.ln()),
            _ => None,
        }
    }

    /// The time that it is about, in seconds, if it is about one.
    pub fn seconds(&self) -> Option<f64> {
        (self.unit == Dimension::Time).then(|| self.edge())
    }

    fn edge(&self) -> f64 {
        let (Bound::Above(edge)
        | Bound::AtLeast(edge)
        | Bound::Below(edge)
        | Bound::AtMost(edge)
        | Bound::Within(edge, _)) = self.bound;
        edge
    }

    /// Looks at a load and at the doubts about it.
    ///
    /// A figure decides by itself, not by its interval: a threshold is a promise about what was measured. A quantile with
    /// fewer than 100 responses beyond it is decided by the ends between which it lies with 95 % confidence, where both
    /// are on the same side, although it is given from 10 on. So is a figure that is only known to be at least what was
    /// waited for.
    pub fn decide(&self, load: &LoadFacts, doubts: &[Doubt]) -> ThresholdResult {
        let result = |crossed, value, because| ThresholdResult {
            text: self.text.clone(),
            crossed,
            counts: self.counts(load, doubts),
            value,
            because,
        };
        let measured = match self.measure.of(load, self.unit) {
            Err(why) => return result(Crossed::CannotTell, None, why),
            Ok(measured) => measured,
        };
        let (low, high) = measured.ends;
        let crossed = match (self.bound.holds(low), self.bound.holds(high)) {
            (true, true) => Crossed::Yes,
            (false, false) => Crossed::No,
            _ => Crossed::CannotTell,
        };
        let value = measured.value();
        result(crossed, value, self.because(&measured, crossed))
    }

    /// `measured 61.0 ms, 11.0 ms above`, or what is known in place of a figure.
    fn because(&self, measured: &Measured, crossed: Crossed) -> String {
        let words = |value: f64| in_words(self.unit, value);
        let lies = match measured.ends {
            (low, high) if words(low) == words(high) => words(low),
            (low, f64::INFINITY) => format!("at least {}", words(low)),
            (low, high) if low <= 0.0 => format!("at most {}", words(high)),
            (low, high) => format!("between {} and {}", words(low), words(high)),
        };
        if let Some(few) = &measured.too_few {
            return few.told(&lies, crossed);
        }
        let mut because = format!("measured {lies}");
        if let Some(value) = measured.value().filter(|_| crossed == Crossed::Yes) {
            let edge = self.edge();
            let side = if value < edge { "below" } else { "above" };
            because.extend([", ", &words((value - edge).abs()), " ", side]);
        }
        if let Some(why) = &measured.at_least {
            because.extend([", as ", why]);
        }
        because
    }

    /// The account and the generator stand behind every count; the server's own failures are what a
    /// threshold about errors is about.
    fn counts(&self, load: &LoadFacts, doubts: &[Doubt]) -> bool {
        let mut grave = doubts.iter().filter(|doubt| doubt.disqualifies);
        grave.all(|doubt| {
            self.is_about_errors() && !self.is_ours(load) && doubt.kind.rule().errors_decide
        })
    }

    /// Most of what it counts is this machine's doing, and not the server's.
    fn is_ours(&self, load: &LoadFacts) -> bool {
        let ours = load.failed.get(&Cause::Exhausted).copied().unwrap_or(0);
        self.measure == Measure::Errors && ours * 2 > load.failures() + load.timed_out
    }
}

fn in_words(unit: Dimension, value: f64) -> String {
    match unit {
        Dimension::Rate => format!("{} req/s", number(value)),
        Dimension::Share => percent(value),
        Dimension::Count | Dimension::Size => format!("{value}"),
        Dimension::Time | Dimension::CpuTime if value < 1e-3 => {
            format!("{} µs", number(value * 1e6))
        }
        Dimension::Time | Dimension::CpuTime if value < 1.0 => {
            format!("{} ms", number(value * 1e3))
        }
        Dimension::Time | Dimension::CpuTime => format!("{} s", number(value)),
    }
}
