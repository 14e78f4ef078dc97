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

/// What it costs at least to do something of what a finding advises. What may bring most for that is told first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cost {
    /// Another load, or a machine that does nothing else: what serves stays as it is.
    Measurement,
    /// A knob of a program that is there, or more instances of it.
    Knob,
    /// Another program, or another connection between programs: another variant of the catalogue.
    Variant,
    /// More cores or memory, or faster storage.
    Machine,
    /// A change of the app.
    App,
}

impl Cost {
    /// By what a gain is divided, counted in steps of 3 %, to say what it is worth: twice as many steps for twice the weight are
    /// worth as much. These are a judgement of how long it takes to do such a thing, and no measurement.
    pub(super) const fn weight(self) -> f64 {
        match self {
            Self::Measurement | Self::Knob => 1.0,
            Self::Variant => 2.0,
            Self::Machine => 3.0,
            Self::App => 4.0,
        }
    }
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
    /// Where its rule comes from.
    pub source: &'static str,
    /// What to try, one line.
    pub next: String,
    /// What that costs at least.
    pub cost: Cost,
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
    /// What was found, with nothing known of what it would bring. What is about the measurement costs no more than another one,
    /// and else a change of the app until it is said otherwise.
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
            source: self.source,
            next: next.into(),
            cost: match self.about {
                About::Measurement => Cost::Measurement,
                About::Limit | About::Beside => Cost::App,
            },
            gain: None,
            change: None,
            measured: None,
        }
    }
}

impl Finding {
    /// With what it costs.
    pub(super) fn costs(self, cost: Cost) -> Self {
        Self { cost, ..self }
    }

    /// With the change that does it, if a number in a plan does: of the load, or a knob.
    pub(super) fn by(self, change: Option<record::Setting>) -> Self {
        let cost = match &change {
            None => self.cost,
            Some(change) if change.key.starts_with("load.") => Cost::Measurement,
            Some(_) => Cost::Knob,
        };
        Self {
            cost,
            change,
            ..self
        }
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
