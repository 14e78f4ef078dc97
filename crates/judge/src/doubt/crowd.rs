use record::Habit;

use super::{DoubtKind, Evidence, Held, Rule};
use crate::words::counted;

pub(super) const RULE: Rule = Rule {
    title: "the crowd beside the load was not complete",
    rule: "the requested background connections are all open when the window begins, and of those that have to be opened \
           anew fewer fail than were requested",
    disqualifies: "never",
    ..Rule::of(DoubtKind::Crowd, look)
};

/// Told only: a server that a crowd keeps busy may never let all of it in, and that is a finding. But
/// what was measured is then not what was asked for.
fn look(evidence: &Evidence) -> Held {
    let Some(crowd) = &evidence.load.crowd else {
        return RULE.silent("there were no background connections");
    };
    let kept = crowd
        .habits
        .iter()
        .filter(|(habit, _)| **habit != Habit::Reset);
    let (wanted, failed) = kept.fold((0, 0), |sums, (_, figures)| {
        (sums.0 + figures.wanted, sums.1 + figures.failures())
    });
    if crowd.complete && failed <= wanted {
        return RULE.passed(format!("{} beside the load", counted(wanted, "connection")));
    }
    let wanted = counted(wanted, "connection");
    let because = if crowd.complete {
        format!("{wanted} beside the load had to be opened again and again ({failed} failed)")
    } else {
        format!(
            "not all of {wanted} beside the load were there when the window opened ({failed} failed)"
        )
    };
    let advice = "the server may let no more in: look at its limits on connections and at the lines \
                  `beside`, or ask for fewer";
    RULE.doubted(false, because, advice)
}
