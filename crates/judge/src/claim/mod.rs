//! Claims decided: each condition by its interval, a claim by all its conditions.

mod blocks;
mod limit;
mod measure;
mod ranks;

use record::{Claim, Condition};

use crate::doubt;
use crate::opinion::{ClaimVerdict, ConditionVerdict, Holds};
use crate::own_share;
use crate::ranking::Ranking;
use crate::seen_run::SeenRun;
use crate::words::{counted, number};
use limit::{at_best, one_sided};
use measure::{LeftSide, measure};
use record::condition::{Bound, Expect, Expectation};

/// A condition with what led to it.
struct Decided {
    condition: ConditionVerdict,
    /// Why it cannot be told, or what must be known to believe it.
    reason: Option<String>,
    /// Whether the blocks that the plan has left will most likely not decide it.
    hopeless: bool,
    /// Blocks in all that would decide it, where that is known.
    needed: Option<u32>,
}

/// The plan's claims in order.
pub(crate) fn verdicts(seen_run: &SeenRun, rankings: &[Ranking]) -> Vec<ClaimVerdict> {
    let claims = seen_run.run.plan.claims.iter();
    claims
        .map(|claim| verdict(seen_run, rankings, claim))
        .collect()
}

/// What is open of the plan's claims and may be decided by its blocks: of each claim that nothing decides, the
/// conditions that do not yet hold.
pub(crate) fn open(seen_run: &SeenRun, rankings: &[Ranking]) -> Vec<Expectation> {
    let open = undecided(seen_run, rankings).into_iter().flatten();
    open.filter_map(|of| of.condition.about).collect()
}

/// Of each claim that is open and may be decided by the plan's blocks, how many of them it most likely takes in all.
pub(crate) fn wanted(seen_run: &SeenRun, rankings: &[Ranking]) -> Vec<u32> {
    let blocks = seen_run.run.plan.blocks;
    let needed = |of: &Decided| of.needed.unwrap_or(blocks).min(blocks);
    let open = undecided(seen_run, rankings).into_iter();
    open.filter_map(|conditions| conditions.iter().map(needed).max())
        .collect()
}

/// The open conditions of each claim that the plan's blocks may decide.
fn undecided(seen_run: &SeenRun, rankings: &[Ranking]) -> Vec<Vec<Decided>> {
    let claims = seen_run.run.plan.claims.iter();
    let open = claims.filter_map(|claim| {
        let conditions = claim.expect.iter();
        let decided: Vec<Decided> = conditions
            .map(|of| condition(seen_run, rankings, of))
            .collect();
        let is_open = |of: &Decided| of.condition.holds == Holds::CannotTell;
        let fails = |of: &Decided| of.condition.holds == Holds::DoesNotHold;
        // one that cannot be decided leaves the claim open, unless another one fails
        let hopeless = decided.iter().any(|of| is_open(of) && of.hopeless);
        let over = hopeless || decided.iter().any(fails);
        (!over).then(|| decided.into_iter().filter(is_open).collect())
    });
    open.collect()
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
    ClaimVerdict {
        id: claim.id.clone(),
        text: claim.text.clone(),
        reported: claim.reported.clone(),
        required: claim.required,
        conditions: decided.into_iter().map(|of| of.condition).collect(),
        since: since.collect(),
        holds,
        reason,
    }
}

/// What other programs did to the run: a claim may be open for it.
fn disturbed(seen_run: &SeenRun) -> Option<String> {
    let trials = seen_run.trials.iter();
    doubt::disturbed(trials.map(|seen| (seen.trial, &*seen.opinion.doubts)))
}

fn condition(seen_run: &SeenRun, rankings: &[Ranking], of: &Condition) -> Decided {
    let mut decided = match &of.means {
        Ok(Expectation::Ranking(expect)) => ranks::decide(rankings, expect),
        Ok(Expectation::Figures(expect)) => decide(seen_run, expect),
        Err(error) => decided(&of.text, Holds::CannotTell, None, Some(error.to_string())),
    };
    decided.condition.about = of.means.as_ref().ok().cloned();
    decided
}

fn decide(seen_run: &SeenRun, expect: &Expect) -> Decided {
    let text = &expect.text;
    // A stack that outran the generator is at least as good as its figures. Where it did in some blocks only, those that
    // count are the slower ones, and say less.
    if let Some(limit) = at_best(seen_run, expect) {
        let Some(open) = limit.interval else {
            let blocks = counted(limit.side.blocks as u64, "block");
            let because = format!("{}, and {blocks} give no interval of that", limit.because);
            return decided(text, Holds::CannotTell, Some(&limit.side), Some(because));
        };
        return by_one_end(seen_run, expect, &limit.side, open, limit.because);
    }
    let measured = measure(seen_run, expect);
    if let Ok(measure) = &measured
        && let Some(interval) = measure.estimate.interval
    {
        return by_figures(seen_run, expect, measure, interval);
    }
    match measured {
        Ok(measure) => {
            let reason = measure.no_interval.clone();
            decided(text, Holds::CannotTell, Some(&measure), reason)
        }
        Err(_) if measure::is_beyond(seen_run, expect) => {
            let holds = by_interval(&expect.bounds, (f64::INFINITY, f64::INFINITY));
            let because = "what is below the line was zero in each block, and what is above it was not: the ratio is beyond \
                           any number";
            decided(text, holds, None, Some(because.to_owned()))
        }
        Err(reason) => Decided {
            // what comes to no value in half of the blocks comes to none in the others
            hopeless: seen_run.is_hopeless(seen_run.blocks(), f64::INFINITY),
            ..decided(text, Holds::CannotTell, None, Some(reason))
        },
    }
}

/// By the interval of what was measured.
fn by_figures(
    seen_run: &SeenRun,
    expect: &Expect,
    measure: &LeftSide,
    interval: (f64, f64),
) -> Decided {
    let text = &expect.text;
    if let Some(known) = one_sided(seen_run, expect) {
        let open = known.opened(interval);
        return by_one_end(seen_run, expect, measure, open, known.because);
    }
    let holds = by_interval(&expect.bounds, interval);
    let own_share = own_share::of_condition(seen_run, expect).map(|freed| {
        let (low, high) = interval;
        let same = |by: f64| by_interval(&expect.bounds, (low * by, high * by)) == holds;
        freed.told(measure.estimate.value, same)
    });
    let is_open = holds == Holds::CannotTell;
    let shrink = blocks::shrink(measure.estimate.value, interval, &expect.bounds);
    let needed = blocks::needed(shrink * seen_run.narrower(measure.blocks), measure.blocks);
    let reason = is_open.then(|| why_open(seen_run, expect, measure, needed));
    let mut decided = decided(text, holds, Some(measure), reason);
    decided.condition.own_share = own_share;
    decided.hopeless = is_open && seen_run.is_hopeless(measure.blocks, shrink);
    decided.needed = needed;
    decided
}

/// By an interval that is open at one end, or at both.
fn by_one_end(
    seen_run: &SeenRun,
    expect: &Expect,
    side: &LeftSide,
    open: (f64, f64),
    because: String,
) -> Decided {
    let holds = by_interval(&expect.bounds, open);
    let closed = side.estimate.interval.unwrap_or(open);
    let by_closed = by_interval(&expect.bounds, closed);
    // what the measured interval decides and the open one does not stays so
    let is_lost = holds == Holds::CannotTell && by_closed != Holds::CannotTell;
    Decided {
        hopeless: is_lost && seen_run.is_hopeless(side.blocks, f64::INFINITY),
        ..decided(&expect.text, holds, Some(side), Some(because))
    }
}

fn decided(text: &str, holds: Holds, of: Option<&LeftSide>, reason: Option<String>) -> Decided {
    Decided {
        condition: ConditionVerdict {
            text: text.to_owned(),
            about: None,
            value: of.map(|measure| measure.estimate.value),
            interval: of.and_then(|measure| measure.estimate.interval),
            holds,
            own_share: None,
        },
        reason,
        hopeless: false,
        needed: None,
    }
}

/// Why an interval does not decide, and what would.
fn why_open(
    seen_run: &SeenRun,
    expect: &Expect,
    measure: &LeftSide,
    needed: Option<u32>,
) -> String {
    let value = measure.estimate.value;
    let interval = measure.estimate.interval.unwrap_or((value, value));
    let what = match needed {
        Some(needed) => format!(
            "about {needed} blocks are needed, and there are {}{}",
            measure.blocks,
            blocks::time(seen_run, expect, needed - measure.blocks as u32)
        ),
        None => format!(
            "{} lies so near to it that {} blocks would not tell",
            number(value),
            blocks::MOST
        ),
    };
    format!("{}: {what}", reaches_over(interval))
}

fn reaches_over((low, high): (f64, f64)) -> String {
    let (low, high) = (number(low), number(high));
    format!("the interval {low} to {high} reaches over the edge")
}

/// Holds if the whole interval satisfies every bound, does not hold if it misses one altogether.
fn by_interval(bounds: &[Bound], (low, high): (f64, f64)) -> Holds {
    // every bound allows one connected stretch: with both ends inside, all between is
    let satisfied = |bound: &Bound| bound.holds(low) && bound.holds(high);
    let missed = |bound: &Bound| match *bound {
        Bound::Below(_) | Bound::AtMost(_) => !bound.holds(low),
        Bound::Above(_) | Bound::AtLeast(_) => !bound.holds(high),
        Bound::Within(from, to) => high < from || low > to,
    };
    if bounds.iter().any(missed) {
        Holds::DoesNotHold
    } else if bounds.iter().all(satisfied) {
        Holds::Holds
    } else {
        Holds::CannotTell
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_decides_only_when_it_lies_on_one_side() {
        use Bound::{Above, AtLeast, AtMost, Below, Within};
        let said = |bound, interval| by_interval(&[bound], interval);
        for (bound, holds, misses, over) in [
            (AtLeast(1.6), (1.6, 2.0), (1.2, 1.59), (1.5, 1.7)),
            (Above(1.6), (1.61, 2.0), (1.2, 1.6), (1.6, 1.7)),
            (AtMost(0.3), (0.1, 0.3), (0.31, 0.4), (0.2, 0.4)),
            (Below(0.3), (0.1, 0.29), (0.3, 0.4), (0.2, 0.3)),
            (Within(0.9, 1.1), (0.9, 1.1), (1.11, 1.2), (0.8, 1.0)),
            (Within(0.9, 1.1), (0.95, 1.0), (0.1, 0.89), (0.8, 1.2)),
        ] {
            assert_eq!(said(bound, holds), Holds::Holds, "{bound:?}");
            assert_eq!(said(bound, misses), Holds::DoesNotHold, "{bound:?}");
            assert_eq!(said(bound, over), Holds::CannotTell, "{bound:?}");
        }
        let both = [AtLeast(1.0), AtMost(2.0)];
        assert_eq!(by_interval(&both, (1.1, 1.9)), Holds::Holds);
        assert_eq!(by_interval(&both, (2.1, 2.2)), Holds::DoesNotHold);
        assert_eq!(by_interval(&both, (1.1, 2.2)), Holds::CannotTell);
    }
}
