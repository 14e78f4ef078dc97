//! Whether weir itself stood still, which looks like a slow server and is not.

use record::{LoadFacts, PauseFacts};

use super::{DoubtKind, Evidence, Held, Lasts, Rule};
use crate::words::{number, percent};

/// Seconds at a stretch from which it is told: several times what a scheduler with a few dozen to serve
/// makes of one turn, so that a busy machine is no reason.
const TOLD: f64 = 0.2;

/// Share of the window from which it disqualifies: the throughput of a closed loop is wrong by as much.
const SHARE: f64 = 0.05;

pub(super) const RULE: Rule = Rule {
    title: "weir itself was paused",
    rule: "weir itself never stands still for 0.2 s or more (stopped, suspended, no core free for it)",
    disqualifies: "from 5 % of the window in all",
    lasts: Lasts::Passes,
    ..Rule::of(DoubtKind::Paused, look)
};

/// Requests fell due and responses lay unread while weir stood still, so that both the rate and the times
/// are wrong, and the server looks slow.
fn look(evidence: &Evidence) -> Held {
    let load = evidence.load;
    let Some(facts) = &load.paused else {
        return RULE.silent("it was not measured");
    };
    let Some(seen) = seen(load) else {
        return RULE.passed(match facts.longest {
            longest if longest > 0.0 => format!("for {} s at most", number(longest)),
            _ => "never for 0.1 s".to_owned(),
        });
    };
    let share = seen.total / load.seconds.max(f64::MIN_POSITIVE);
    let mut because = format!(
        "weir itself was paused for {} s ({} of the window), {} s at a stretch",
        number(seen.total),
        percent(share),
        number(seen.longest)
    );
    if seen.suspended > 0.0 {
        because.extend([
            "; the machine was suspended for ",
            &number(seen.suspended),
            " s of it",
        ]);
    }
    let advice = "measure again, and leave weir running: no Ctrl-Z, no SIGSTOP, no suspended machine, and \
                  a core that is free for it";
    RULE.doubted(share >= SHARE, because, advice)
}

/// What to advise about requests whose responses were not read in time.
pub(super) const UNREAD: &str = "weir itself was paused, and what was in progress then timed out with its response unread: see \
     there";

/// A pause long enough to be told.
pub(super) fn seen(load: &LoadFacts) -> Option<&PauseFacts> {
    load.paused.as_ref().filter(|seen| seen.longest >= TOLD)
}
