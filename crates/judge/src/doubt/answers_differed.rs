use record::Cause;
use record::metric::Of;

use super::{DoubtKind, Evidence, Held, Lasts, Rule};
use crate::words::counted;

pub(super) const RULE: Rule = Rule {
    title: "responses differed from the expected ones",
    rule: "no response differs from the expected one",
    disqualifies: "a single wrong body",
    lasts: Lasts::Recurs,
    spares: Some(Of::Errors),
    errors_decide: true,
    ..Rule::of(DoubtKind::AnswersDiffered, look)
};

/// One wrong body disqualifies: the stack was verified before the load, so under load it serves
/// something else. Wrong statuses alone are told by `errors.rs`, which knows how many are too many.
fn look(evidence: &Evidence) -> Held {
    let load = evidence.load;
    let count = |cause| load.failed.get(&cause).copied().unwrap_or(0);
    let (bodies, statuses) = (count(Cause::Body), count(Cause::Status));
    if bodies + statuses == 0 {
        let (responses, compared) = (load.completed, load.bodies.compared);
        return RULE.passed(match compared {
            0 => format!("{responses} responses have the expected status; no body was compared"),
            _ => format!("{responses} correct responses; the bodies of {compared} were compared"),
        });
    }
    let mut parts = Vec::new();
    if bodies > 0 {
        let compared = load.bodies.compared;
        let example = load.examples.get(&Cause::Body);
        let example = example.map_or_else(String::new, |of| format!(" ({of})"));
        parts.push(format!(
            "{bodies} of {compared} compared bodies differed{example}"
        ));
    }
    if statuses > 0 {
        let kinds = other_statuses(evidence, statuses);
        let responses = counted(statuses, "response");
        parts.push(format!("{responses} had an unexpected status{kinds}"));
    }
    if bodies == 0 {
        return RULE.told_elsewhere(false, parts.join(", "));
    }
    let advice = if evidence.started {
        "if a part may differ, declare it: `weir try --dynamic REGEX`, `dynamic` in `app.toml`; if not, the stack's log may say \
         why it did"
    } else {
        "if such a response is right, ask for a text that each has (`--contains`); if not, the server's log may say why: where \
         fewer connections bring none of them, it was overloaded"
    };
    RULE.doubted(true, parts.join(", "), advice)
}

/// ` (502: 3, 503: 1)`: every status but the route's own, or but those from 200 to 299, where these make up all that were
/// unexpected. Else one status was expected of some requests and not of others, so that all are told, and said to be.
pub(super) fn other_statuses(evidence: &Evidence, unexpected: u64) -> String {
    let statuses = &evidence.load.statuses;
    let but = |expected: &dyn Fn(u16) -> bool| {
        let others = statuses.iter().filter(|(status, _)| !expected(**status));
        let others: Vec<(u16, u64)> = others.map(|(status, count)| (*status, *count)).collect();
        let sum = others.iter().map(|(_, count)| count).sum::<u64>();
        (sum == unexpected).then(|| told(&others))
    };
    let own = |status: u16| Some(status) == evidence.status;
    let alone = but(&own).or_else(|| but(&|status| own(status) || (200..300).contains(&status)));
    if let Some(alone) = alone {
        return format!(" ({alone})");
    }
    let all: Vec<(u16, u64)> = statuses.iter().map(|(of, count)| (*of, *count)).collect();
    match &all[..] {
        [] => String::new(),
        all => format!(
            "; of all responses, the expected ones among them: {}",
            told(all)
        ),
    }
}

fn told(statuses: &[(u16, u64)]) -> String {
    let each = |(status, count): &(u16, u64)| format!("{status}: {count}");
    statuses.iter().map(each).collect::<Vec<_>>().join(", ")
}
