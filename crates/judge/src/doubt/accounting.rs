use super::{DoubtKind, Evidence, Held, Lasts, Rule};

pub(super) const RULE: Rule = Rule {
    title: "requests are unaccounted for: a bug in weir",
    rule: "scheduled = completed + failed + timed out + dropped + in flight, to the last request",
    disqualifies: "always",
    lasts: Lasts::Recurs,
    ..Rule::of(DoubtKind::Accounting, look)
};

/// Exactly, and what became of those in flight too, where that was written down.
fn look(evidence: &Evidence) -> Held {
    let load = evidence.load;
    let after = match &load.drain {
        Some(drain) => load.drained + drain.wrong_answers() + drain.unanswered == load.in_flight,
        None => load.drained <= load.in_flight,
    };
    let holds = load.accounted() == load.scheduled && after;
    let seen = format!(
        "{} scheduled{} {} completed + {} failed + {} timed out + {} dropped + {} in flight ({} drained{})",
        load.scheduled,
        if holds { " =" } else { ", but" },
        load.completed,
        load.failures(),
        load.timed_out,
        load.dropped,
        load.in_flight,
        load.drained,
        match load.unanswered() {
            0 => String::new(),
            some => format!(", {some} unanswered"),
        }
    );
    if holds {
        return RULE.passed(seen);
    }
    let advice = "this is a bug in weir: please report it with `weir show RUN --json`";
    RULE.doubted(true, seen, advice)
}
