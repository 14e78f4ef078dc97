use record::metric::Of;
use record::{Cause, LoadFacts};

use super::{DoubtKind, Evidence, Held, Rule, paused, struck};
use crate::words::{counted, percent};

/// Share of failed and timed-out requests above which the rest says little about the stack:
/// failures are often the fastest responses.
pub(super) const DISQUALIFY: f64 = 0.01;

pub(super) const RULE: Rule = Rule {
    title: "requests failed",
    rule: "no request fails or times out",
    disqualifies: "above 1 % of them, as failures are often the fastest responses",
    spares: Some(Of::Errors),
    errors_decide: true,
    ..Rule::of(DoubtKind::Errors, look)
};

/// What is said where that is what the load is for.
const STRUCK: &str = "that is what the fault did: conditions on `errors` and `recovery` count it, those on speed do not";

/// Any error is shown; above 1 % they disqualify.
fn look(evidence: &Evidence) -> Held {
    let load = evidence.load;
    // what had no response by the end is told by `unanswered.rs`
    let wrong = load.failures() + load.timed_out;
    let Some(share) = load.share(wrong).filter(|share| *share > 0.0) else {
        return RULE.passed(format!("none of {}", counted(load.scheduled, "request")));
    };
    let after = struck(load).map(|struck| format!("{struck}, and "));
    let because = format!(
        "{}{} of {} requests ({}): {}",
        after.as_deref().unwrap_or_default(),
        wrong,
        load.scheduled,
        percent(share),
        by_cause(load)
    );
    let count = |cause| load.failed.get(&cause).copied().unwrap_or(0);
    if count(Cause::Body) == wrong {
        return RULE.told_elsewhere(share > DISQUALIFY, because); // by `answers_differed.rs`
    }
    let ours = count(Cause::Exhausted);
    let answered = answered_wrongly(load);
    let advice = if after.is_some() {
        STRUCK
    } else if paused::seen(load).is_some() && load.timed_out > load.failures() {
        paused::UNREAD
    } else if ours * 2 > wrong {
        "this machine ran out, not the server: use fewer connections, `keep-alive = true`, or a \
         higher `ulimit -n`"
    } else if count(Cause::Unasked) * 2 > wrong {
        "the server was not asked these: the load could not make the requests, and the example \
         says where and why"
    } else if answered * 2 > wrong {
        "the server answered them, and not as was expected: its log says why"
    } else {
        "look at the stack's log; fewer connections, a longer accept queue or a longer `timeout` \
         tell whether it was overloaded"
    };
    RULE.doubted(share > DISQUALIFY, because, advice)
}

/// Requests whose response was whole, and not the expected one.
pub(super) fn answered_wrongly(load: &LoadFacts) -> u64 {
    let causes = [Cause::Status, Cause::Body, Cause::Check];
    causes
        .iter()
        .filter_map(|cause| load.failed.get(cause))
        .sum()
}

/// `10 × connection refused, 2 × timed out`, the most frequent first.
fn by_cause(load: &LoadFacts) -> String {
    let failed = load
        .failed
        .iter()
        .map(|(cause, count)| (*count, cause.words()));
    let all = failed.chain([(load.timed_out, "timed out")]);
    let mut causes: Vec<(u64, &str)> = all.filter(|(count, _)| *count > 0).collect();
    causes.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let parts = causes
        .iter()
        .map(|(count, words)| format!("{count} × {words}"));
    parts.collect::<Vec<_>>().join(", ")
}
