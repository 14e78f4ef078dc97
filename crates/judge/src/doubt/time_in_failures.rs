use record::metric::Of;
use record::{LoadFacts, Shape};

use super::{DoubtKind, Evidence, Held, Lasts, Rule, errors};
use crate::words::{counted, percent};

/// Share of the connections' time from which throughput is lower by more than Little's law may be missed.
const SHOW: f64 = 0.05;

/// Share from which throughput says more about the time limit than about the responses.
const DISQUALIFY: f64 = 0.2;

pub(super) const RULE: Rule = Rule {
    title: "failed requests kept connections from the others",
    rule: "in a closed loop, requests that fail, time out or have no response by the end take at most 5 % of the \
           connections' time: throughput is lower by that share, and higher with a shorter `timeout`",
    disqualifies: "above 20 %",
    lasts: Lasts::Recurs,
    spares: Some(Of::Errors),
    errors_decide: true,
    ..Rule::of(DoubtKind::TimeInFailures, look)
};

/// A connection that waits for a time limit of 5 s sends none of the 500 requests that it would have sent at 10 ms
/// each. One such request in a thousand is far below the limit on errors, and takes a third of the connections' time.
fn look(evidence: &Evidence) -> Held {
    let load = evidence.load;
    let slots = load.kept_busy.unwrap_or(u64::from(load.connections));
    let time = slots as f64 * load.seconds;
    if !matches!(load.shape, Shape::Closed { .. }) || time <= 0.0 {
        return RULE.silent("in an open loop a request takes no other's turn");
    }
    let (failures, lost) = (load.failures() + load.timed_out, load.lost());
    let told = |of: u64| load.share(of) > Some(errors::DISQUALIFY);
    if told(failures) || told(lost - failures) {
        return RULE.silent("more than 1 % of the requests failed, which is told by itself");
    }
    let failed = load.slot_time.map_or(0.0, |time| time.failed);
    let share = ((failed + without_response(load)) / time).min(1.0);
    let because = format!(
        "{} that failed or had no response took {} of the connections' time",
        counted(lost, "request"),
        percent(share)
    );
    if lost == 0 || share <= SHOW {
        return RULE.passed(because);
    }
    let advice = "compare the response times, not the throughput, and look for the requests that hang; as long as \
                  they do, throughput depends on `timeout`";
    RULE.doubted(share > DISQUALIFY, because, advice)
}

/// How long of the window the requests that timed out or had no response by the end took together, seconds: they are the
/// longest whose times were kept.
fn without_response(load: &LoadFacts) -> f64 {
    let let_go = load.drain.as_ref().filter(|drain| drain.interrupted);
    let unanswered = load.unanswered() - let_go.map_or(0, |drain| drain.cut_off);
    let mut left = load.timed_out + unanswered;
    let cells: Vec<(f64, u64)> = load.response.cells().collect();
    let times = cells.into_iter().rev().map(|(seconds, count)| {
        let of_these = count.min(left);
        left -= of_these;
        seconds * of_these as f64
    });
    let all: f64 = times.sum();
    let drain = load.drain.as_ref().map_or(0.0, |drain| drain.seconds);
    (all - unanswered as f64 * drain).max(0.0)
}
