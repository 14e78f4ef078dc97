//! Claims decided: each condition by its interval, a claim by all its conditions.

mod blocks;
mod decide;
mod fewer;
mod floor;
mod limit;
mod measure;
mod open;
mod ranks;

use record::condition::Expectation;
use record::{Claim, Condition};

use crate::doubt;
use crate::opinion::{ClaimVerdict, ConditionVerdict, Holds};
use crate::ranking::Ranking;
use crate::seen_run::SeenRun;
pub(crate) use blocks::needed;
use decide::{Decided, decide, decided};
pub(crate) use open::{Open, Question, open, wanted};

/// The plan's claims in order.
pub(crate) fn verdicts(seen_run: &SeenRun, rankings: &[Ranking]) -> Vec<ClaimVerdict> {
    let claims = seen_run.run.plan.claims.iter();
    claims
        .map(|claim| verdict(seen_run, rankings, claim))
        .collect()
}

/// A claim fails with any of its conditions and holds with all of them.
fn verdict(seen_run: &SeenRun, rankings: &[Ranking], claim: &Claim) -> ClaimVerdict {
    let conditions = claim.expect.iter();
    let decided: Vec<Decided> = conditions
        .map(|of| condition(seen_run, rankings, of))
        .collect();
    let since = claim.since_expect.iter();
    let since = since.map(|of| condition(seen_run, rankings, of).condition);
    let is = |holds: Holds| move |of: &Decided| of.condition.holds == holds;
    let holds = if decided.iter().any(is(Holds::DoesNotHold)) {
        Holds::DoesNotHold
    } else if !decided.is_empty() && decided.iter().all(is(Holds::Holds)) {
        Holds::Holds
    } else {
        Holds::CannotTell
    };
    let reason = if decided.is_empty() {
        Some("it has no condition".to_owned())
    } else {
        let mut deciding = decided.iter().filter(|of| is(holds)(of));
        let reason = deciding.find_map(|of| of.reason.clone());
        match disturbed(seen_run).filter(|_| holds == Holds::CannotTell) {
            Some(by) => reason.map(|reason| format!("{reason}; {by}")),
            None => reason,
        }
    };
    let conditions: Vec<_> = decided.into_iter().map(|of| of.condition).collect();
    let as_measured = may_turn(holds, &conditions);
    ClaimVerdict {
        id: claim.id.clone(),
        text: claim.text.clone(),
        reported: claim.reported.clone(),
        required: claim.required,
        machines: fewer::fewer(seen_run, claim, &conditions),
        conditions,
        since: since.collect(),
        holds,
        as_measured,
        reason,
    }
}

/// Whether a verdict might be another one with the load generator elsewhere, as conditions that decide it might come out otherwise.
fn may_turn(holds: Holds, conditions: &[ConditionVerdict]) -> bool {
    let mut deciding = conditions.iter().filter(|of| of.holds == holds);
    match holds {
        Holds::Holds => deciding.any(ConditionVerdict::is_as_measured),
        // one that is surely missed is enough
        Holds::DoesNotHold => deciding.all(ConditionVerdict::is_as_measured),
        Holds::CannotTell => false,
    }
}

/// What other programs did to the run: a claim may be open for it.
fn disturbed(seen_run: &SeenRun) -> Option<String> {
    doubt::disturbed(seen_run.trials.iter().map(|seen| seen.trial))
}

fn condition(seen_run: &SeenRun, rankings: &[Ranking], of: &Condition) -> Decided {
    let mut decided = match &of.means {
        Ok(Expectation::Ranking(expect)) => ranks::decide(seen_run, rankings, expect),
        Ok(Expectation::Figures(expect)) => decide(seen_run, expect),
        Err(error) => decided(&of.text, Holds::CannotTell, None, Some(error.to_string())),
    };
    decided.condition.about = of.means.as_ref().ok().cloned();
    decided
}
