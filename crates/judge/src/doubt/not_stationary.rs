use super::{DoubtKind, Evidence, Held, Rule};
use crate::words::number;

pub(super) const RULE: Rule = Rule {
    title: "the load never became stationary",
    rule: "the warm-up ends with rate and median stationary: two samples agree with the two before them \
           within 5 % and 10 %",
    disqualifies: "never",
    ..Rule::of(DoubtKind::NotStationary, look)
};

/// Told only: rate and median may never settle on a noisy machine, and the window is what it is. But
/// one that still drifts says how long it was.
fn look(evidence: &Evidence) -> Held {
    let warm_up = evidence.load.warm_up;
    let Some(stationary) = warm_up.stationary else {
        return RULE.silent("no warm-up was to last until then");
    };
    let seconds = number(warm_up.seconds);
    if stationary {
        return RULE.passed(format!("after {seconds} s"));
    }
    let because = format!("rate and median never became stationary in a warm-up of {seconds} s");
    let advice = "the figures may drift with the window: load for longer, with a longer warm-up \
                  (`--warm-up 30s`), or on a quieter machine";
    RULE.doubted(false, because, advice)
}
