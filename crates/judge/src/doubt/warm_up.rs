use record::metric::Of;

use super::{DoubtKind, Evidence, Held, Rule, errors};
use crate::words::counted;

pub(super) const RULE: Rule = Rule {
    title: "the warm-up failed",
    rule: "at most 1 % of the requests of the warm-up fail",
    disqualifies: "no correct response in it",
    spares: Some(Of::Errors),
    errors_decide: true,
    ..Rule::of(DoubtKind::WarmUp, look)
};

/// A warm-up without one correct response leaves the window cold: it disqualifies. One that failed in
/// part (more than 1 %) is shown.
fn look(evidence: &Evidence) -> Held {
    let warm_up = evidence.load.warm_up;
    let all = warm_up.requests + warm_up.failed;
    if all == 0 && warm_up.seconds <= 0.0 {
        return RULE.silent("there was no warm-up");
    }
    let seen = format!(
        "{} of {} failed",
        warm_up.failed,
        counted(all, "warm-up request")
    );
    let cold = warm_up.requests == 0;
    if !cold && warm_up.failed as f64 <= errors::DISQUALIFY * all as f64 {
        return RULE.passed(seen);
    }
    // those of the window went wrong like these, unless a fault made them
    let load = evidence.load;
    let wrong = load.failures() + load.timed_out;
    if !cold && !load.was_struck() && load.share(wrong) > Some(errors::DISQUALIFY) {
        return RULE.told_elsewhere(false, seen);
    }
    let advice = if evidence.started {
        "look at the stack's log: it passed the readiness check, and failed under load"
    } else {
        "the server's log may say why: what is measured after it is measured as if the server was warm"
    };
    RULE.doubted(cold, seen, advice)
}
