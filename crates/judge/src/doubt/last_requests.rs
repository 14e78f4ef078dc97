//! Whether few connections had something to do at the end of a load that counts requests.

use record::units::count;

use super::{DoubtKind, Evidence, Held, Rule};
use crate::words::{counted, number};

/// Share of the window that they may cost.
const BEARABLE: f64 = 0.2;
/// Seconds of them from which it is told: less is a scheduler's doing.
const TOLD: f64 = 0.1;

pub(super) const RULE: Rule = Rule {
    title: "the last requests took much of the window",
    rule: "the last requests of a closed loop that counts them take less than 0.1 s, or cost at most 20 % of the window: \
           what they take beyond the time of as many before them",
    disqualifies: "never",
    ..Rule::of(DoubtKind::LastRequests, look)
};

/// Told only: a window of so many requests ends with the last response, and its throughput is what all of them took. But
/// connections that are through have nothing left to send, so that one request which takes long (a connection that a full accept
/// queue kept waiting for a second) may halve it, where a window by time has other requests meanwhile.
fn look(evidence: &Evidence) -> Held {
    let load = evidence.load;
    let Some(tail) = load.tail else {
        return RULE.silent("no connection waited for others with nothing left to send");
    };
    let all = load.completed + load.failures();
    let lost = tail.lost(load.seconds, all) / load.seconds;
    let before = all.saturating_sub(tail.requests) as f64 / (load.seconds - tail.seconds);
    let because = format!(
        "the last {} of {} took {} s of {} s, and other connections had nothing left to send: {} requests/s before that, \
         {} in all",
        count(tail.requests),
        counted(all, "request"),
        number(tail.seconds),
        number(load.seconds),
        number(before),
        number(all as f64 / load.seconds),
    );
    if tail.seconds < TOLD || lost <= BEARABLE {
        return RULE.passed(because);
    }
    let advice = "load for a duration (`-d 10s`, `seconds` in a plan), in which there is always something to send; the slowest \
                  requests and the accept queue say why the last ones took so long";
    RULE.doubted(false, because, advice)
}
