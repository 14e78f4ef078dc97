//! One condition about figures: what is measured of it, and the interval that decides it.

use record::condition::{Bound, Expect};

use super::blocks;
use super::floor::Floor;
use super::limit::{at_best, one_sided};
use super::measure::{LeftSide, is_beyond, measure};
use crate::opinion::{ConditionVerdict, Holds};
use crate::own_share;
use crate::seen_run::SeenRun;
use crate::words::{counted, number};

/// A condition with what led to it.
pub(super) struct Decided {
    pub(super) condition: ConditionVerdict,
    /// Why it cannot be told, or what must be known to believe it.
    pub(super) reason: Option<String>,
    /// Whether the blocks that the plan has left will most likely not decide it.
    pub(super) hopeless: bool,
    /// Blocks more that would most likely decide it, `u32::MAX` where no number of them would; `None` where nothing tells.
    pub(super) more: Option<u32>,
    /// Whether it is open, and its edge so near that more of the A/A pair is needed.
    pub(super) by_floor: bool,
}

pub(super) fn decide(seen_run: &SeenRun, expect: &Expect) -> Decided {
    let text = &expect.text;
    let floor = Floor::of(seen_run, expect);
    // A stack that outran the generator is at least as good as its figures. Where it did in some blocks only, those that
    // count are the slower ones, and say less.
    if let Some(limit) = at_best(seen_run, expect, &floor) {
        let Some(open) = limit.interval else {
            let blocks = counted(limit.side.blocks as u64, "block");
            let because = format!("{}, and {blocks} give no interval of that", limit.because);
            return decided(text, Holds::CannotTell, Some(&limit.side), Some(because));
        };
        return by_one_end(seen_run, expect, &floor, &limit.side, open, limit.because);
    }
    let measured = measure(seen_run, expect);
    if let Ok(measure) = &measured
        && let Some(interval) = floor.widened(measure.estimate)
    {
        return by_figures(seen_run, expect, &floor, measure, interval);
    }
    match measured {
        Ok(measure) => {
            let reason = measure.no_interval.clone();
            decided(text, Holds::CannotTell, Some(&measure), reason)
        }
        Err(_) if is_beyond(seen_run, expect) => {
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

/// By the interval of what was measured, widened to the noise floor.
fn by_figures(
    seen_run: &SeenRun,
    expect: &Expect,
    floor: &Floor,
    measure: &LeftSide,
    interval: (f64, f64),
) -> Decided {
    let text = &expect.text;
    if let Some(known) = one_sided(seen_run, expect) {
        let open = known.opened(interval);
        return by_one_end(seen_run, expect, floor, measure, open, known.because);
    }
    let value = measure.estimate.value;
    let holds = by_interval(&expect.bounds, interval);
    let own_share = own_share::of_condition(seen_run, expect).map(|freed| {
        let (low, high) = interval;
        let same = |by: f64| by_interval(&expect.bounds, (low * by, high * by)) == holds;
        freed.told(value, same)
    });
    let is_open = holds == Holds::CannotTell;
    let by_floor = is_open && floor.reaches_an_edge(value, &expect.bounds);
    let shrink = blocks::shrink(value, interval, &expect.bounds);
    let needed = blocks::needed(shrink * seen_run.narrower(measure.blocks), measure.blocks);
    // how far apart equal trials surely are does not shrink with the number of blocks
    let needed = needed.filter(|_| !by_floor);
    let reason = is_open.then(|| why_open(seen_run, expect, floor, measure, needed));
    let mut decided = decided(text, holds, Some(measure), reason);
    decided.condition.own_share = own_share;
    decided.hopeless = is_open && seen_run.is_hopeless(measure.blocks, shrink);
    decided.more = Some(needed.map_or(u32::MAX, |needed| needed - measure.blocks as u32));
    decided.by_floor = by_floor;
    decided
}

/// By an interval that is open at one end, or at both.
fn by_one_end(
    seen_run: &SeenRun,
    expect: &Expect,
    floor: &Floor,
    side: &LeftSide,
    open: (f64, f64),
    because: String,
) -> Decided {
    let holds = by_interval(&expect.bounds, open);
    let closed = floor.widened(side.estimate).unwrap_or(open);
    let by_closed = by_interval(&expect.bounds, closed);
    // what the measured interval decides and the open one does not stays so
    let is_lost = holds == Holds::CannotTell && by_closed != Holds::CannotTell;
    Decided {
        hopeless: is_lost && seen_run.is_hopeless(side.blocks, f64::INFINITY),
        ..decided(&expect.text, holds, Some(side), Some(because))
    }
}

/// A condition of which no more is known than this.
pub(super) fn decided(
    text: &str,
    holds: Holds,
    of: Option<&LeftSide>,
    reason: Option<String>,
) -> Decided {
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
        more: None,
        by_floor: false,
    }
}

/// Why an interval does not decide, and what would.
fn why_open(
    seen_run: &SeenRun,
    expect: &Expect,
    floor: &Floor,
    measure: &LeftSide,
    needed: Option<u32>,
) -> String {
    let value = measure.estimate.value;
    if floor.reaches_an_edge(value, &expect.bounds) {
        return floor.told(seen_run);
    }
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

pub(super) fn reaches_over((low, high): (f64, f64)) -> String {
    let (low, high) = (number(low), number(high));
    format!("the interval {low} to {high} reaches over the edge")
}

/// Holds if the whole interval satisfies every bound, does not hold if it misses one altogether.
pub(super) fn by_interval(bounds: &[Bound], (low, high): (f64, f64)) -> Holds {
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
