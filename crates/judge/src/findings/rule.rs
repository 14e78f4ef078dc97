use serde::Serialize;

use super::FindingKind;
use super::facts::Facts;
use crate::opinion::Comparison;

/// How a finding is come to.
pub struct FindingRule {
    /// What it finds.
    pub kind: FindingKind,
    /// The finding in a few words.
    pub title: &'static str,
    /// When it is found, with the limits.
    pub rule: &'static str,
    /// Where the rule comes from.
    pub source: &'static str,
    /// What it is about.
    pub about: About,
    pub(super) look: fn(&Facts) -> Option<Finding>,
}

/// What a finding is about. The measurement comes first: what was not the stack's doing says nothing of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum About {
    /// Something beside the stack set the pace.
    Measurement,
    /// What holds the stack back.
    Limit,
    /// What it suffers from beside that.
    Beside,
}

/// How sure a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Confidence {
    /// The kernel or a program counted it.
    Counted,
    /// It follows from several counts, and something else could give the same ones.
    Likely,
}

/// Why a variant is as fast as it is, and what to try.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Finding {
    /// Which reason.
    pub kind: FindingKind,
    /// The facts, one line with numbers.
    pub because: String,
    /// How sure it is.
    pub confidence: Confidence,
    /// What to try, one line.
    pub next: String,
    /// How many times the throughput that may bring, at most (of too few clients: about, if a request costs as much among more),
    /// or where it was measured what it brought; absent where that is not known, or nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gain: Option<f64>,
    /// The change of the variant that does what is to be tried first, where that is a number in a plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<record::Setting>,
    /// The throughput of another variant of the run over this one's, where the two differ only in what is to be changed, and it
    /// is surely more, or surely not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured: Option<Comparison>,
}

/// A finding about a variant.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Found {
    /// As one trial in the middle of those that have it shows it.
    #[serde(flatten)]
    pub finding: Finding,
    /// Trials that have it.
    pub in_trials: u32,
    /// Trials that were looked at.
    pub of_trials: u32,
}

impl FindingRule {
    /// What was found, with nothing known of what it would bring.
    pub(super) fn found(
        &self,
        confidence: Confidence,
        because: String,
        next: impl Into<String>,
    ) -> Finding {
        Finding {
            kind: self.kind,
            because,
            confidence,
            next: next.into(),
            gain: None,
            change: None,
            measured: None,
        }
    }
}

impl Finding {
    /// With the change that does it.
    pub(super) fn by(self, change: Option<record::Setting>) -> Self {
        Self { change, ..self }
    }

    /// With what it may bring. Less than 3 % is not worth a word.
    pub(super) fn at_most(self, gain: f64) -> Self {
        let known = gain.is_finite() && gain > crate::compare::NEGLIGIBLE + 1.0;
        Self {
            gain: known.then_some(gain),
            ..self
        }
    }
}
