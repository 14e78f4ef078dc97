use record::{Cause, LoadFacts};

use super::paused;
use super::rule::Rule;
use super::{Evidence, Held};
use crate::opinion::DoubtKind;
use crate::words::{counted, number, percent};

/// Share of failed and timed-out requests above which the rest says little about the stack:
/// failures are often the quickest answers.
const ERRORS_DISQUALIFY: f64 = 0.01;

const ACCOUNTING: Rule = Rule {
    kind: DoubtKind::Accounting,
    words: "scheduled = completed + failed + timed out + dropped + in flight, to the last request",
};

/// Exactly, and what became of those in flight too, where that was written down.
pub(super) fn accounting(evidence: &Evidence) -> Held {
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
        return ACCOUNTING.passed(seen);
    }
    let advice = "this is a bug in weir: please report it with `weir show RUN --json`";
    ACCOUNTING.doubted(true, seen, advice)
}

const DIFFERED: Rule = Rule {
    kind: DoubtKind::AnswersDiffered,
    words: "no answer differs from the expected one; a single wrong body disqualifies",
};

/// One wrong body disqualifies: the stack was verified before the load, so under load it serves
/// something else. A wrong status is shown; how many are too many is [`errors`]' question.
pub(super) fn differed(evidence: &Evidence) -> Held {
    let load = evidence.load;
    let count = |cause| load.failed.get(&cause).copied().unwrap_or(0);
    let (bodies, statuses) = (count(Cause::Body), count(Cause::Status));
    if bodies + statuses == 0 {
        let (answers, compared) = (load.completed, load.bodies.compared);
        return DIFFERED.passed(format!(
            "{answers} right answers; the bodies of {compared} were compared"
        ));
    }
    let mut parts = Vec::new();
    if bodies > 0 {
        let compared = load.bodies.compared;
        parts.push(format!("{bodies} of {compared} compared bodies differed"));
    }
    if statuses > 0 {
        let kinds = other_statuses(evidence);
        parts.push(format!(
            "{} an unexpected status{kinds}",
            counted_had(statuses)
        ));
    }
    let advice = "look at the stack's log, and at the answer itself while `weir up` keeps it \
                  running; a part that may differ is declared as `dynamic` in `app.toml`";
    DIFFERED.doubted(bodies > 0, parts.join(", "), advice)
}

fn counted_had(answers: u64) -> String {
    format!("{} had", counted(answers, "answer"))
}

/// ` (502: 3, 503: 1)`: every status but the route's own.
fn other_statuses(evidence: &Evidence) -> String {
    let others: Vec<String> = evidence
        .load
        .statuses
        .iter()
        .filter(|(status, _)| Some(**status) != evidence.status)
        .map(|(status, count)| format!("{status}: {count}"))
        .collect();
    if others.is_empty() {
        String::new()
    } else {
        format!(" ({})", others.join(", "))
    }
}

const ERRORS: Rule = Rule {
    kind: DoubtKind::Errors,
    words: "no request fails or times out; above 1 % they disqualify, as failures are often the \
            quickest answers",
};

/// Any error is shown; above 1 % they disqualify.
pub(super) fn errors(evidence: &Evidence) -> Held {
    let load = evidence.load;
    let Some(share) = load.error_share().filter(|share| *share > 0.0) else {
        return ERRORS.passed(format!("none of {}", counted(load.scheduled, "request")));
    };
    let because = format!(
        "{} of {} requests ({}): {}",
        load.failures() + load.timed_out,
        load.scheduled,
        percent(share),
        by_cause(load)
    );
    let ours = load.failed.get(&Cause::Exhausted).copied().unwrap_or(0);
    let advice = if paused::seen(load).is_some() && load.timed_out > load.failures() {
        UNREAD
    } else if ours * 2 > load.failures() + load.timed_out {
        "this machine ran out, not the server: use fewer connections, `keep-alive = true`, or a \
         higher `ulimit -n`"
    } else {
        "look at the stack's log; fewer connections, a longer accept queue or a longer `timeout` \
         tell whether it was overloaded"
    };
    ERRORS.doubted(share > ERRORS_DISQUALIFY, because, advice)
}

/// `10 × connection refused, 2 × timed out`, the most frequent first.
fn by_cause(load: &LoadFacts) -> String {
    let mut causes: Vec<(u64, &str)> = load
        .failed
        .iter()
        .map(|(cause, count)| (*count, cause.words()))
        .chain([(load.timed_out, "timed out")])
        .filter(|(count, _)| *count > 0)
        .collect();
    causes.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let parts: Vec<String> = causes
        .iter()
        .map(|(count, words)| format!("{count} × {words}"))
        .collect();
    parts.join(", ")
}

/// What to say of requests that ran out of time while nobody read their answers.
const UNREAD: &str = "weir itself was paused, and what was under way then timed out with its answer unread: see there";

const UNANSWERED: Rule = Rule {
    kind: DoubtKind::Unanswered,
    words: "every request in flight at the end of the window is answered rightly in the drain; above \
            1 % of all requests without an answer disqualify, as does a wrong body",
};

/// A window ends while requests are under way, and the one that hangs is among them: left out, the
/// slowest request would be the one that nobody sees.
pub(super) fn unanswered(evidence: &Evidence) -> Held {
    let load = evidence.load;
    let Some(drain) = &load.drain else {
        return UNANSWERED.silent("what became of requests in flight was not recorded");
    };
    let wrong = drain.wrong_answers();
    let in_flight = format!(
        "of {} in flight at the end of the window",
        counted(load.in_flight, "request")
    );
    let let_go = if drain.interrupted { drain.cut_off } else { 0 };
    let (unanswered, cut_off) = (drain.unanswered - let_go, drain.cut_off - let_go);
    if unanswered + wrong == 0 {
        let interrupted = match let_go {
            0 => String::new(),
            some => format!("; {some} were let go when the load was interrupted"),
        };
        return UNANSWERED.passed(format!("{} {in_flight}{interrupted}", load.drained));
    }
    let late = drain.unanswered - drain.cut_off - drain.lost.values().sum::<u64>();
    let causes = drain.lost.iter().chain(&drain.wrong);
    let mut parts: Vec<String> = [(cut_off, "cut off"), (late, "timed out")]
        .into_iter()
        .chain(causes.map(|(cause, count)| (*count, cause.words())))
        .filter(|(count, _)| *count > 0)
        .map(|(count, words)| format!("{words} {count}"))
        .collect();
    if unanswered > 0 {
        parts.push("in the times as at least that long".to_owned());
    }
    let because = format!(
        "{} {in_flight} got no right answer in {} s: {}",
        unanswered + wrong,
        number(drain.seconds),
        parts.join(", ")
    );
    let share = (unanswered + wrong) as f64 / load.scheduled.max(1) as f64;
    let body = drain.wrong.contains_key(&Cause::Body);
    let advice = match paused::seen(load) {
        Some(_) => UNREAD,
        None if unanswered == 0 => "look at the stack's log: it answered, and wrongly",
        None => {
            "look at the slowest requests and at the stack's log: they hang, or take longer than weir \
             waits; `--drain 30s` (`drain` in a plan) waits longer"
        }
    };
    UNANSWERED.doubted(share > ERRORS_DISQUALIFY || body, because, advice)
}

const WARM_UP: Rule = Rule {
    kind: DoubtKind::WarmUp,
    words: "at most 1 % of the warm-up's requests fail; one without a right answer disqualifies",
};

/// A warm-up without one right answer leaves the window cold: it disqualifies. One that failed in
/// part (more than 1 %) is shown.
pub(super) fn warm_up(evidence: &Evidence) -> Held {
    let warm_up = evidence.load.warm_up;
    let all = warm_up.requests + warm_up.failed;
    if all == 0 && warm_up.seconds <= 0.0 {
        return WARM_UP.silent("there was no warm-up");
    }
    let seen = format!(
        "{} of {} failed",
        warm_up.failed,
        counted(all, "warm-up request")
    );
    let cold = warm_up.requests == 0;
    if !cold && warm_up.failed as f64 <= ERRORS_DISQUALIFY * all as f64 {
        return WARM_UP.passed(seen);
    }
    let advice = "look at the stack's log: it answered the readiness check, and failed under load";
    WARM_UP.doubted(cold, seen, advice)
}
