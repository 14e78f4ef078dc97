use serde::Serialize;

use crate::opinion::{Doubt, DoubtKind};

/// What every load is held to, fixed before any result is seen.
pub(super) struct Rule {
    pub(super) kind: DoubtKind,
    /// The rule in words, with its limits and where they come from.
    pub(super) words: &'static str,
}

/// A rule, and how one load stood to it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Held {
    /// The doubt that the rule would raise.
    pub kind: DoubtKind,
    /// The rule in words, with its limits and where they come from.
    pub rule: &'static str,
    /// The load's own figures, or why the rule says nothing about it.
    pub seen: String,
    /// What came of it.
    pub outcome: Outcome,
    /// The doubt, if there is one.
    #[serde(skip)]
    pub doubt: Option<Doubt>,
}

/// How a load stood to a rule, the gravest last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The rule says nothing about such a load.
    DoesNotApply,
    /// It holds.
    Passed,
    /// It does not hold, which is told.
    Doubted,
    /// It does not hold, and the figures are not to be trusted.
    Disqualified,
}

impl Rule {
    pub(super) fn passed(&self, seen: String) -> Held {
        self.held(seen, Outcome::Passed, None)
    }

    pub(super) fn silent(&self, why: &str) -> Held {
        self.held(why.to_owned(), Outcome::DoesNotApply, None)
    }

    /// A doubt that keeps the trial out of figures and verdicts if it `disqualifies`.
    pub(super) fn doubted(&self, disqualifies: bool, because: String, advice: &str) -> Held {
        let outcome = if disqualifies {
            Outcome::Disqualified
        } else {
            Outcome::Doubted
        };
        let doubt = Doubt {
            kind: self.kind,
            disqualifies,
            because: because.clone(),
            advice: advice.to_owned(),
        };
        self.held(because, outcome, Some(doubt))
    }

    fn held(&self, seen: String, outcome: Outcome, doubt: Option<Doubt>) -> Held {
        Held {
            kind: self.kind,
            rule: self.words,
            seen,
            outcome,
            doubt,
        }
    }
}
