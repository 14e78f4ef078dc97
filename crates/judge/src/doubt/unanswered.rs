use record::metric::Of;
use record::{Cause, LoadFacts};

use super::{DoubtKind, Evidence, Held, Lasts, Rule, errors, paused};
use crate::words::{counted, number};

pub(super) const RULE: Rule = Rule {
    title: "requests had no correct response by the end",
    rule: "every request in flight at the end of the window gets a correct response in the drain",
    disqualifies: "above 1 % of all requests, or a wrong body",
    lasts: Lasts::Recurs,
    spares: Some(Of::Errors),
    errors_decide: true,
    ..Rule::of(DoubtKind::Unanswered, look)
};

/// A window ends while requests are under way, and the one that hangs is among them: left out, the
/// slowest request would be the one that is not seen.
fn look(evidence: &Evidence) -> Held {
    let load = evidence.load;
    let Some(drain) = &load.drain else {
        return RULE.silent("what became of requests in flight was not recorded");
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
        return RULE.passed(format!("{} {in_flight}{interrupted}", load.drained));
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
        "{} {in_flight} got no correct response in {} s: {}",
        unanswered + wrong,
        number(drain.seconds),
        parts.join(", ")
    );
    let share = (unanswered + wrong) as f64 / load.scheduled.max(1) as f64;
    let body = drain.wrong.contains_key(&Cause::Body);
    let told = |cause: &Cause| *cause == Cause::Body && load.failed.contains_key(cause);
    if unanswered == 0 && drain.wrong.keys().all(told) {
        return RULE.told_elsewhere(true, because); // by `answers_differed.rs`
    }
    let advice = match paused::seen(load) {
        Some(_) => paused::UNREAD,
        None if unanswered == 0 => "look at the stack's log: its responses were wrong",
        None if cut_off > 0 && waited_for_users(load) => {
            "requests waited for users, and these slept, in the drain as well: use more connections (`-c`), each of which is \
             a user, or a lower rate; `--drain 30s` (`drain` in a plan) waits for longer; what hangs in the server is among \
             the slowest requests"
        }
        None => {
            "look at the slowest requests and at the stack's log: they hang, or take longer than weir \
             waits; `--drain 30s` (`drain` in a plan) waits longer"
        }
    };
    RULE.doubted(share > errors::DISQUALIFY || body, because, advice)
}

/// Whether more requests were left at the end of the window than there are connections, while users slept.
fn waited_for_users(load: &LoadFacts) -> bool {
    load.asleep > 0.0 && load.in_flight > load.slots()
}
