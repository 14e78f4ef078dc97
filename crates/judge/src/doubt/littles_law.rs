use record::{LoadFacts, Shape, SlotTime};

use super::{DoubtKind, Evidence, Held, Lasts, Rule};
use crate::words::{counted, number};

/// Share by which Little's law may be missed.
const LITTLE: f64 = 0.05;

/// Share of what was to be under way from which a tolerance says nothing any more.
const TELLING: f64 = 0.5;

pub(super) const RULE: Rule = Rule {
    title: "fewer requests were in progress than planned (Little's law)",
    rule: "Little's law: the mean number of requests in progress is the expected number within 5 %: the \
           sum of the response times inside the window, over the window (with think time: Lazowska and \
           others, 1984, 3.5)",
    disqualifies: "always",
    lasts: Lasts::Passes,
    errors_decide: true,
    ..Rule::of(DoubtKind::LittlesLaw, look)
};

/// In a closed loop every connection always has one request under way, so Little's law says
/// connections = (sum of the response times) / window, which is throughput x mean response time
/// counted over everything whose time was kept (responses of the drain, timeouts, and requests without a
/// response included). If it is missed, times and rate do not belong together and neither can be
/// believed. With a think time the law is that of an interactive system (Lazowska and others,
/// "Quantitative System Performance", 1984, section 3.5): each round of a connection takes its response
/// time and the think time. In an open loop nothing holds the number in progress, and the law says nothing.
///
/// The edges of a window are as long as its longest responses, so that a tolerance for them would be as
/// wide as what one hanging request leaves behind. They are facts instead ([`record::SlotTime`]): how far
/// kept times reach beyond the window, how long slots thought, paused, or had no request to take. What
/// remains is the resolution of the distribution, so that 5 % is wide, whatever the server does.
fn look(evidence: &Evidence) -> Held {
    let load = evidence.load;
    let Shape::Closed { think, .. } = load.shape else {
        return RULE.silent("in an open loop nothing holds the number in progress");
    };
    let kept_busy = load.kept_busy.unwrap_or(u64::from(load.connections));
    if kept_busy == 0 {
        return RULE.silent("nothing holds the number in progress");
    }
    let Some(mean) = load.response.mean() else {
        return RULE.silent("there was no response");
    };
    if load.seconds <= 0.0 {
        return RULE.silent("the window has no length");
    }
    let kept = mean * load.response.count() as f64;
    let (inside, wanted, tolerance) = match load.slot_time {
        Some(time) => exact(load, kept, kept_busy, time),
        None => estimated(load, kept, kept_busy, think),
    };
    if wanted <= 0.0 || tolerance > TELLING * wanted {
        return RULE.silent("the edges of the window were not recorded");
    }
    let unanswered = match load.unanswered() {
        0 => String::new(),
        some => {
            let requests = counted(some, "request");
            format!("; {requests} that got no response counted for as long as it lasted")
        }
    };
    let [average, expected, within] = [inside, wanted, tolerance].map(number);
    let seen = format!(
        "{average} requests were in progress on average, {expected} were expected (within {within}){unanswered}"
    );
    if (inside - wanted).abs() <= tolerance {
        return RULE.passed(seen);
    }
    let advice = "times and rate contradict each other: load for longer, and look at the number \
                  of connects, the errors and the intervals in `weir show RUN --json`";
    RULE.doubted(true, seen, advice)
}

/// What was under way, what was to be, and how far they may lie apart.
fn exact(load: &LoadFacts, kept: f64, slots: u64, time: SlotTime) -> (f64, f64, f64) {
    let average = |slot_seconds: f64| slot_seconds / load.seconds;
    let inside = average(kept - time.beyond + time.carried + time.failed);
    let wanted = slots as f64 - average(time.thought + time.idle);
    (inside, wanted, LITTLE * wanted)
}

/// The same of a load whose slots were not watched. Its edges are known to be no longer than the longest
/// response: at its end a window by count has connections that found no further request, and one by
/// duration has requests that reach beyond it. A request whose time was not kept had its connection busy
/// for no longer than the window.
fn estimated(load: &LoadFacts, kept: f64, slots: u64, think: f64) -> (f64, f64, f64) {
    let times = load.response.count();
    let longest = load.response.max().unwrap_or(0.0) + think;
    let rounds = kept + think * times as f64;
    let inside = rounds / load.seconds;
    let wanted = slots.min(load.scheduled) as f64;
    let untimed = load.scheduled.saturating_sub(times) as f64;
    let tolerance = wanted * (LITTLE + longest / load.seconds) + untimed;
    (inside, wanted, tolerance)
}
