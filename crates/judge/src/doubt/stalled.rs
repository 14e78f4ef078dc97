//! Whether the server stood still, on all connections at once, which a closed loop hides.

use record::{LoadFacts, Shape};

use super::{DoubtKind, Evidence, Held, Rule};
use crate::words::{counted, number};

/// Seconds at a stretch from which it is told.
const TOLD: f64 = 0.2;
/// How many times the median response time it must be as well: connections that are answered together are silent for
/// as long as an answer takes.
const MEDIANS: f64 = 5.0;
/// Fewest requests under way: of a few, each may be a slow one by itself.
const FEWEST: u64 = 4;
/// Responses that came in as long a time on average, where requests come at random: that none of so many falls due by chance
/// happens once in e^20 times.
const MISSED: f64 = 20.0;

pub(super) const RULE: Rule = Rule {
    title: "the server stood still",
    rule: "responses never stop on all connections at once, each of which has a request, for 0.2 s or more, and 5 times the \
           median response time (closed loop of 4 requests at once and more); what begins under a fault of the load is that \
           fault's",
    disqualifies: "never",
    ..Rule::of(DoubtKind::Stalled, look)
};

/// Each connection has one slow response of it, however many requests would have come meanwhile: the quantiles of a
/// closed loop hide it (coordinated omission).
fn look(evidence: &Evidence) -> Held {
    let load = evidence.load;
    let Some(stalls) = stalls(load).filter(|_| is_held(load)) else {
        return RULE
            .silent("nothing holds the number of requests under way, or it was not measured");
    };
    let longest = stalls.iter().copied().fold(0.0, f64::max);
    if stalls.is_empty() {
        let silent = load.silent.as_ref().map_or(0.0, |silent| silent.longest);
        let faults = if load.was_struck() {
            ", what its faults stopped included"
        } else {
            ""
        };
        return RULE.passed(match silent {
            longest if longest > 0.0 => format!("for {} s at most{faults}", number(longest)),
            _ => "never for 0.1 s".to_owned(),
        });
    }
    let times = counted(stalls.len() as u64, "time");
    let because = format!(
        "no response came on any of {} connections for {} s ({times})",
        load.connections,
        number(longest)
    );
    let advice = "a closed loop sends nothing meanwhile, so that its quantiles hide it: load at a rate (`-R`), and look \
                  for what stops everything at once (a garbage collection, a lock, a checkpoint, a restart)";
    RULE.doubted(false, because, advice)
}

/// Seconds of each stretch in which the server stood still, but for what weir's own faults stopped; `None` where silence does not
/// tell, or was not measured.
pub(crate) fn stalls(load: &LoadFacts) -> Option<Vec<f64>> {
    let silent = load.silent.as_ref()?;
    let limit = shortest(load)?;
    let own = load.paused.as_ref();
    let faults = load.under_faults();
    // less than the limit before a fault is no stall by itself
    let by_itself = |from: f64| {
        let mut faults = faults.iter();
        !faults.any(|[at, until]| from > at - limit && from <= *until)
    };
    let stretches = silent.stretches.iter().filter(|of| by_itself(of.from));
    let others = stretches.map(|of| {
        let paused = own.map_or(0.0, |own| own.between(of.from, of.until));
        of.until - of.from - paused
    });
    Some(others.filter(|length| *length >= limit).collect())
}

/// Seconds of silence from which on the server stood still. A load that holds no number of requests under way must have asked
/// meanwhile: at a steady rate by the number of responses that usually come, and after the sleep of users, who may all sleep at
/// once. `None` of a rate that changes, and of a few requests under way.
fn shortest(load: &LoadFacts) -> Option<f64> {
    let median = load.response.quantile(0.5).unwrap_or(0.0);
    let told = TOLD.max(MEDIANS * median);
    let sleeps = match &load.shape {
        Shape::Closed { think, .. } if *think <= 0.0 => {
            return is_held(load).then_some(told);
        }
        Shape::Closed { .. } => load.sleep_each(),
        Shape::Open(arrivals) if arrivals.is_steady() => 0.0,
        Shape::Open(_) | Shape::Recorded { .. } => return None,
    };
    let usual = load.throughput();
    (usual > 0.0).then(|| told.max(MISSED / usual) + sleeps)
}

fn is_held(load: &LoadFacts) -> bool {
    let at_once = matches!(load.shape, Shape::Closed { think, .. } if think <= 0.0);
    at_once && load.kept_busy.is_some_and(|busy| busy >= FEWEST)
}
