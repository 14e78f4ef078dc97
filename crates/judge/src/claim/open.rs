//! What is open of a plan's claims, and of the reasons of those that do not hold, and may be decided by its blocks.

use record::condition::Expectation;
use record::{Claim, Condition};

use super::condition;
use super::decide::Decided;
use crate::opinion::Holds;
use crate::ranking::Ranking;
use crate::seen_run::SeenRun;

/// What may be open of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// Whether it holds.
    Claim,
    /// Where it does not hold: whether the reason that is given for it is right.
    Reason,
}

/// What later blocks are for.
#[derive(Debug, Default)]
pub(crate) struct Open {
    /// The conditions that do not yet hold.
    pub(crate) conditions: Vec<Expectation>,
    /// Whether more of the A/A pair is needed for one of them.
    pub(crate) by_floor: bool,
}

/// What is open of the plan's claims, or of their reasons: of each that nothing decides and that the plan's blocks may
/// decide, the conditions that do not yet hold.
pub(crate) fn open(seen_run: &SeenRun, rankings: &[Ranking], question: Question) -> Open {
    let mut open = Open::default();
    let each = undecided(seen_run, rankings, question).into_iter();
    for of in each.flatten() {
        open.by_floor |= of.by_floor;
        open.conditions.extend(of.condition.about);
    }
    open
}

/// For each that is open, how many blocks more it most likely takes: `u32::MAX` where no number would do, `None` where
/// nothing tells.
pub(crate) fn wanted(
    seen_run: &SeenRun,
    rankings: &[Ranking],
    question: Question,
) -> Vec<Option<u32>> {
    let most = |open: Vec<Decided>| {
        let more: Option<Vec<u32>> = open.iter().map(|of| of.more).collect();
        more?.into_iter().max()
    };
    let open = undecided(seen_run, rankings, question).into_iter();
    open.map(most).collect()
}

/// The open conditions of each claim, or reason, that the plan's blocks may decide.
fn undecided(seen_run: &SeenRun, rankings: &[Ranking], question: Question) -> Vec<Vec<Decided>> {
    let claims = seen_run.run.plan.claims.iter();
    let open = claims.map(|claim| -> Vec<Decided> {
        let conditions = asked(seen_run, rankings, claim, question).iter();
        let decided: Vec<Decided> = conditions
            .map(|of| condition(seen_run, rankings, of))
            .collect();
        let is_open = |of: &Decided| of.condition.holds == Holds::CannotTell;
        // one that cannot be decided leaves all of them open, unless another one fails
        let hopeless = decided.iter().any(|of| is_open(of) && of.hopeless);
        if hopeless || decided.iter().any(fails) {
            return Vec::new();
        }
        decided.into_iter().filter(is_open).collect()
    });
    open.filter(|open| !open.is_empty()).collect()
}

/// The conditions that answer a question about a claim; none where it does not arise.
fn asked<'a>(
    seen_run: &SeenRun,
    rankings: &[Ranking],
    claim: &'a Claim,
    question: Question,
) -> &'a [Condition] {
    match question {
        Question::Claim => &claim.expect,
        Question::Reason => {
            let is_missed = |of: &Condition| fails(&condition(seen_run, rankings, of));
            let since = &claim.since_expect;
            if !since.is_empty() && claim.expect.iter().any(is_missed) {
                since
            } else {
                &[]
            }
        }
    }
}

fn fails(of: &Decided) -> bool {
    of.condition.holds == Holds::DoesNotHold
}
