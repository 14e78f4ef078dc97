use super::{DoubtKind, Evidence, Held, Rule};
use crate::words::percent;

pub(super) const RULE: Rule = Rule {
    title: "some responses are much shorter than others",
    rule: "where one request is sent again and again and nothing but its status is compared, the shortest response has at \
           least half the bytes of the longest",
    disqualifies: "never",
    of_server: true,
    ..Rule::of(DoubtKind::LengthsDiffered, look)
};

/// Told only: a page may have more to show at one time than at another. But a server that is overloaded, or a front end that
/// has lost it, may say so with a page of its own and a good status.
fn look(evidence: &Evidence) -> Held {
    let load = evidence.load;
    if load.bodies.compared > 0 {
        return RULE.silent("bodies were compared");
    }
    let Some(of) = load.bodies.lengths else {
        return RULE.silent("lengths were not recorded, or several requests were sent");
    };
    let (shortest, longest) = (of.shortest, of.longest);
    if shortest == longest {
        return RULE.passed(format!("each has {shortest} bytes"));
    }
    if shortest >= longest.div_ceil(2) {
        return RULE.passed(format!("{shortest} to {longest} bytes"));
    }
    let because = match of.short {
        0 => format!("{shortest} to {longest} bytes"),
        some => format!(
            "{some} of {} responses ({}): {shortest} bytes, where the longest has {longest}",
            load.completed,
            percent(some as f64 / load.completed.max(1) as f64)
        ),
    };
    let advice = "the short ones may be errors with a good status: `--contains TEXT` (`contains` of a route) counts those \
                  that lack a text as wrong";
    RULE.doubted(false, because, advice)
}
