//! What is open of a plan's claims, and of the reasons of those that do not hold, and may be decided by its blocks.

use record::condition::Expectation;
use record::{Claim, Condition};

use super::condition;
use super::decide::Decided;
use crate::look::StillOpen;
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
    /// Those of which is known how many blocks they take, and those that are given up.
    pub(crate) told: Vec<StillOpen>,
}

/// What is open of the plan's claims, or of their reasons: of each that nothing decides and that the plan's blocks may
/// decide, the conditions that do not yet hold.
pub(crate) fn open(seen_run: &SeenRun, rankings: &[Ranking], question: Question) -> Open {
    let mut open = Open::default();
    for claim in undecided(seen_run, rankings, question) {
        let given_up = is_given_up(&claim);
        let causes = claim.iter().filter(|of| of.hopeless == given_up);
        let told = causes.filter_map(|of| still_open(seen_run, of));
        open.told.extend(told);
        if given_up {
            continue;
        }
        for of in claim {
            open.by_floor |= of.by_floor;
            open.conditions.extend(of.condition.about);
        }
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
    let open = open.filter(|claim| !is_given_up(claim));
    open.map(most).collect()
}

/// Whether the plan's blocks will most likely not decide a claim of which these conditions are open: one that cannot be decided
/// leaves all of it open.
fn is_given_up(open: &[Decided]) -> bool {
    open.iter().any(|of| of.hopeless)
}

/// What is told of an open condition; nothing where nobody knows how many blocks it takes, as it hangs on the A/A pair or
/// has no interval.
fn still_open(seen_run: &SeenRun, of: &Decided) -> Option<StillOpen> {
    let known = of.more.filter(|_| !of.by_floor);
    let more = known.or(of.hopeless.then_some(u32::MAX))?;
    Some(StillOpen {
        what: of.condition.text.clone(),
        because: of.reason.clone()?,
        blocks: more.saturating_add(seen_run.blocks() as u32),
        given_up: of.hopeless,
    })
}

/// The open conditions of each claim, or reason, that none of its other conditions refutes.
fn undecided(seen_run: &SeenRun, rankings: &[Ranking], question: Question) -> Vec<Vec<Decided>> {
    let claims = seen_run.run.plan.claims.iter();
    let open = claims.map(|claim| -> Vec<Decided> {
        let conditions = asked(seen_run, rankings, claim, question).iter();
        let decided: Vec<Decided> = conditions
            .map(|of| condition(seen_run, rankings, of))
            .collect();
        if decided.iter().any(fails) {
            return Vec::new();
        }
        let is_open = |of: &Decided| of.condition.holds == Holds::CannotTell;
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
