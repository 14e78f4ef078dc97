//! Whether a CPU quota, as a container has, kept programs from running while others or nobody had the cores.

use super::{DoubtKind, Evidence, Held, Rule};
use crate::words::{number, percent};

/// Share of the window's time in which threads were kept from running that may go unmentioned.
const TOLD: f64 = 0.01;

pub(super) const RULE: Rule = Rule {
    title: "a CPU quota stopped it",
    rule: "the CPU quota of the container or service that weir is in keeps programs from running for at most 1 % of the \
           window",
    disqualifies: "never",
    ..Rule::of(DoubtKind::Starved, look)
};

/// A quota is used up within each period, of 0.1 s as a rule, and what is left of the period is a pause: times have steps
/// that no server makes.
fn look(evidence: &Evidence) -> Held {
    let Some(seconds) = evidence.load.throttled else {
        return RULE.silent("weir is under no CPU quota that it can see");
    };
    let share = seconds / evidence.load.seconds.max(f64::MIN_POSITIVE);
    let because = format!(
        "the CPU quota of weir's control group kept threads from running for {} s, {} of the window",
        number(seconds),
        percent(share)
    );
    if share <= TOLD {
        return RULE.passed(because);
    }
    let advice = "a quota pauses weir and the stack alike: give the container whole cores (`docker run --cpuset-cpus`) \
                  and no quota (`--cpus`), or load from outside of it";
    RULE.doubted(false, because, advice)
}
