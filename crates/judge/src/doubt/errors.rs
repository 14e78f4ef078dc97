use std::cmp::Reverse;

use record::metric::Of;
use record::{Cause, LoadFacts};

use super::answers_differed::other_statuses;
use super::{DoubtKind, Evidence, Held, Rule, paused, struck};
use crate::words::{count, counted, percent};

/// Share of failed and timed-out requests above which the rest says little about the stack:
/// failures are often the fastest responses.
pub(super) const DISQUALIFY: f64 = 0.01;
/// Most names of requests that are told.
const NAMED: usize = 3;

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
        "{}{} of {} requests ({}): {}{}",
        after.as_deref().unwrap_or_default(),
        count(wrong),
        count(load.scheduled),
        percent(share),
        by_cause(evidence),
        by_name(load)
    );
    if load.failed.get(&Cause::Body) == Some(&wrong) {
        return RULE.told_elsewhere(share > DISQUALIFY, because); // by `answers_differed.rs`
    }
    let advice = match after {
        Some(_) => STRUCK.to_owned(),
        None => advice(load, wrong),
    };
    RULE.doubted(share > DISQUALIFY, because, &advice)
}

/// What to do about so many requests that failed.
fn advice(load: &LoadFacts, wrong: u64) -> String {
    let count = |cause| load.failed.get(&cause).copied().unwrap_or(0);
    let advice = if paused::seen(load).is_some() && load.timed_out > load.failures() {
        paused::UNREAD
    } else if count(Cause::Exhausted) * 2 > wrong {
        "this machine ran out, not the server: use fewer connections, `keep-alive = true`, or a \
         higher `ulimit -n`"
    } else if count(Cause::Unasked) * 2 > wrong {
        "the server was not asked these: the load could not make the requests, and the example \
         says where and why"
    } else if count(Cause::Status) * 2 > wrong {
        return of_statuses(load);
    } else if answered_wrongly(load) * 2 > wrong {
        "the server answered them, and not as was expected: its log says why"
    } else {
        "look at the stack's log; fewer connections, a longer accept queue or a longer `timeout` \
         tell whether it was overloaded"
    };
    advice.to_owned()
}

/// What to do about statuses that were not expected. Those of a server under pressure are 429 and from 500 on.
fn of_statuses(load: &LoadFacts) -> String {
    let mut statuses = load.statuses.keys();
    let why = if statuses.any(|status| *status == 429 || *status >= 500) {
        ": where fewer connections bring none of them, it was overloaded"
    } else {
        ""
    };
    format!(
        "if that status is right, say so (`--status`, `status` of a route; in a replay `--replay-check none`); if not, the \
         server's log says why{why}"
    )
}

/// Requests whose response was whole, and not the expected one.
pub(super) fn answered_wrongly(load: &LoadFacts) -> u64 {
    let causes = [Cause::Status, Cause::Body, Cause::Check];
    causes
        .iter()
        .filter_map(|cause| load.failed.get(cause))
        .sum()
}

/// `: GET /a 10, GET /b 2`, with backticks: whose requests failed, where they have names, the most frequent first.
fn by_name(load: &LoadFacts) -> String {
    let mut named: Vec<_> = load.named.iter().filter(|of| of.failed > 0).collect();
    named.sort_by_key(|of| Reverse(of.failed));
    let told = named
        .iter()
        .map(|of| format!("`{}` {}", of.name.replace('`', "'"), of.failed));
    let told: Vec<String> = told.collect();
    if told.is_empty() {
        return String::new();
    }
    format!(": {}", record::first_of(&told, NAMED))
}

/// `10 × connection refused, 2 × unexpected status (404: 2)`, the most frequent first.
fn by_cause(evidence: &Evidence) -> String {
    let load = evidence.load;
    let failed = load.failed.iter().map(|(cause, count)| {
        let is_status = *cause == Cause::Status && *count > 0;
        let kinds = is_status.then(|| other_statuses(evidence, *count));
        let words = format!("{}{}", cause.words(), kinds.unwrap_or_default());
        (*count, words)
    });
    let all = failed.chain([(load.timed_out, "timed out".to_owned())]);
    let mut causes: Vec<(u64, String)> = all.filter(|(count, _)| *count > 0).collect();
    causes.sort_by_key(|(count, _)| Reverse(*count));
    let parts = causes
        .iter()
        .map(|(count, words)| format!("{count} × {words}"));
    parts.collect::<Vec<_>>().join(", ")
}
