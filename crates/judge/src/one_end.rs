//! Figures of which one end is known only.
//!
//! A request that had no response took at least as long as it was waited for, and a stack that never came back after a
//! fault at least the rest of its window: such a time crosses a limit and keeps none. Where the generator was the
//! bottleneck, the stack is at least as good as what was measured.

use record::metric::Dimension;
use record::{Distribution, LoadFacts, Metric, TimeLimit};

use crate::compare::NEGLIGIBLE;
use crate::opinion::Verdict;
use crate::seen_run::{Seen, SeenRun};

/// Requests of which only a lower limit of their time is known.
pub(crate) fn cut_short(load: &LoadFacts) -> u64 {
    load.timed_out + load.unanswered()
}

/// What the time of this rank is at most, if each request that timed out took for ever. The limit of
/// a whole request is counted from when it was due, as its time is: those that exceeded it are the
/// longest. The limit of a part may end one that would have been quicker than others, and so may the end
/// of a drain or of a connection.
pub(crate) fn at_most(load: &LoadFacts, rank: u64) -> f64 {
    let of_parts = load.time_limits.iter();
    let of_parts = of_parts.filter(|(limit, _)| **limit != TimeLimit::Whole);
    let of_parts: u64 = of_parts.map(|(_, count)| count).sum();
    let rank = rank + of_parts + load.unanswered();
    let longest = load.timed_out.saturating_sub(of_parts);
    let times: &Distribution = &load.response;
    if rank > times.count().saturating_sub(longest) {
        return f64::INFINITY;
    }
    times.at_rank(rank).map_or(f64::INFINITY, |(_, most)| most)
}

/// Why a time of this load is only known to be at least as long; `None` where it is as it was measured.
fn at_least(load: &LoadFacts, metric: Metric) -> Option<&'static str> {
    const UNANSWERED: &str = "requests had no response";
    match metric {
        Metric::Recovery => {
            let never = load.recovery().is_some_and(|of| !of.back);
            never.then_some("responses never came as before again")
        }
        Metric::Mean | Metric::Max => (cut_short(load) > 0).then_some(UNANSWERED),
        _ => {
            let q = metric.quantile().filter(|_| cut_short(load) > 0)?;
            let least = load.response.quantile(q)?;
            (at_most(load, load.response.rank(q)) > least * (1.0 + NEGLIGIBLE))
                .then_some(UNANSWERED)
        }
    }
}

/// Why a variant's time is only known to be at least as long, and in how many of its trials.
pub(crate) fn longer(
    seen_run: &SeenRun,
    variant: &str,
    metric: Metric,
) -> Option<(&'static str, u64)> {
    let tell = seen_run.of(variant).filter(|seen| seen.tells_least(metric));
    let why = tell.filter_map(|seen| at_least(&seen.trial.measured()?.load, metric));
    let all: Vec<&str> = why.collect();
    Some((*all.first()?, all.len() as u64))
}

/// Whether the generator was the bottleneck in a trial of a variant, which is then better than it was measured.
pub(crate) fn outran(seen_run: &SeenRun, variant: &str) -> bool {
    seen_run.of(variant).any(Seen::is_lower_limit)
}

/// Whether the generator's saturation says on which side of a figure the truth lies.
pub(crate) fn is_of_the_pace(metric: Metric) -> bool {
    matches!(metric.dimension(), Dimension::Rate | Dimension::Time)
}

/// What may be said of one variant over another where one end of a figure is known only: nothing that the other end
/// would contradict. A mean counts what was waited for until somebody gave up, and is taken as that here.
pub(crate) fn held_to(
    of: (&SeenRun, &str),
    over: (&SeenRun, &str),
    metric: Metric,
    verdict: Verdict,
) -> Verdict {
    let may_be_better =
        |(seen_run, name): (&SeenRun, &str)| is_of_the_pace(metric) && outran(seen_run, name);
    let may_be_worse = |(seen_run, name): (&SeenRun, &str)| {
        metric != Metric::Mean && longer(seen_run, name, metric).is_some()
    };
    let contradicted = match verdict {
        Verdict::Better => may_be_worse(of) || may_be_better(over),
        Verdict::Worse => may_be_better(of) || may_be_worse(over),
        Verdict::Same => [of, over]
            .iter()
            .any(|side| may_be_better(*side) || may_be_worse(*side)),
        Verdict::CannotTell => false,
    };
    if contradicted {
        Verdict::CannotTell
    } else {
        verdict
    }
}
