use judge::{ClaimVerdict, Holds};
use serde::Serialize;

use crate::words;

/// A claim of the plan with its verdict.
#[derive(Clone, Debug, Serialize)]
pub struct Claim {
    /// Identifier (`A1`).
    pub id: String,
    /// The statement.
    pub text: String,
    /// The figure that the field report gave.
    pub reported: String,
    /// Its conditions.
    pub conditions: Vec<Condition>,
    /// All conditions together.
    pub holds: Holds,
    /// The same in words.
    pub verdict: &'static str,
    /// Why it cannot be told, or what must be known to believe it.
    pub reason: Option<String>,
}

/// A condition of a claim.
#[derive(Clone, Debug, Serialize)]
pub struct Condition {
    /// As the plan has it.
    pub text: String,
    /// What its left side came to, with the interval; a dash where there is none.
    pub value: String,
    /// Whether it holds.
    pub holds: Holds,
    /// The same in words.
    pub verdict: &'static str,
}

impl Claim {
    pub(super) fn new(claim: &ClaimVerdict) -> Self {
        Self {
            id: claim.id.clone(),
            text: claim.text.clone(),
            reported: claim.reported.clone(),
            conditions: claim.conditions.iter().map(Condition::new).collect(),
            holds: claim.holds,
            verdict: words::holds(claim.holds),
            reason: claim.reason.clone(),
        }
    }
}

impl Condition {
    /// A condition as it was decided.
    pub fn new(of: &judge::Condition) -> Self {
        Self {
            text: of.text.clone(),
            value: words::measured(of),
            holds: of.holds,
            verdict: words::holds(of.holds),
        }
    }
}
