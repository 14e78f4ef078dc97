//! Whether the reason that is given for a claim that does not hold was confirmed.

use judge::{ConditionVerdict, Holds};

use super::{ClaimRow, ClaimStanding};

/// What becomes of the reasons of claims that do not hold, in the order in which they are counted.
const REASONS: [&str; 4] = ["confirmed", "refuted", "open", "not known"];

impl ClaimRow {
    /// What became of [`Self::changed`]: `confirmed`, `refuted` or `open` as what tests it came out,
    /// `not known` where nothing does; none of a claim that does not fail.
    pub(crate) fn reason(&self) -> Option<&'static str> {
        let ClaimStanding::Judged { verdict, .. } = &self.standing else {
            return None;
        };
        if verdict.holds != Holds::DoesNotHold {
            return None;
        }
        let is = |holds: Holds| move |of: &ConditionVerdict| of.holds == holds;
        let since = &verdict.since;
        Some(if since.is_empty() {
            "not known"
        } else if since.iter().any(is(Holds::DoesNotHold)) {
            "refuted"
        } else if since.iter().all(is(Holds::Holds)) {
            "confirmed"
        } else {
            "open"
        })
    }
}

/// What became of the reasons of those that do not hold: `confirmed: 9 · not known: 3`; empty
/// without any.
pub(crate) fn reasons(rows: &[ClaimRow]) -> String {
    let count = |word| rows.iter().filter(|row| row.reason() == Some(word)).count();
    let counts = REASONS.into_iter().map(|word| (word, count(word)));
    let there = counts.filter(|(_, count)| *count > 0);
    let told = there.map(|(word, count)| format!("{word}: {count}"));
    told.collect::<Vec<_>>().join(" · ")
}
