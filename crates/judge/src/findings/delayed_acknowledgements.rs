//! Whether responses wait for acknowledgements that the other end delays.

use super::FindingKind;
use super::facts::Facts;
use super::rule::{About, Confidence, Cost, Finding, FindingRule};
use super::waits::WaitsFor;
use crate::words::{duration, number, percent};

/// Time for which Linux delays an acknowledgement, in seconds: at least 40 ms (`TCP_DELACK_MIN`), and until a timer is due that
/// goes by ticks of 4 ms on most machines.
const DELAY: f64 = 0.044;

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::DelayedAcknowledgements,
    title: "responses wait for delayed acknowledgements",
    rule: "bodies came 38 to 60 ms after their heads (median); or behind a front end, and where these times are not known, in 20 % of \
           the looks and more servers' open connections had bytes that were not acknowledged; an acknowledgement was delayed for \
           every fifth response and more (where that is more than the load can cause, two for each response and program, bodies \
           alone tell), responses are at most 16 kB, and one takes 30 ms and more on average; where no core is idle, only if such \
           bodies are half of a response's time and more",
    source: "RFC 896 (Nagle's algorithm) and RFC 9293, section 3.8.6.3 (delayed acknowledgements)",
    about: About::Limit,
    look,
};

/// A response in two small writes: the second waits until the first is acknowledged, which the other end delays for 40 ms
/// in the hope to send something along.
fn look(facts: &Facts) -> Option<Finding> {
    let Some(WaitsFor::Acknowledgements {
        held,
        delayed,
        of_others,
        body,
    }) = facts.waits_for()
    else {
        return None;
    };
    let mean = facts.load.service.mean()?;
    let seen = match body {
        Some(after) => format!("its body came {} after its head (median)", duration(after)),
        None => format!(
            "on {} of the servers' connections bytes waited to be acknowledged",
            percent(held)
        ),
    };
    let counted = if of_others {
        "acknowledgements were delayed, others' among them, as this machine counted more than the load can cause".to_owned()
    } else {
        format!(
            "{} acknowledgements were delayed for each response",
            number(delayed)
        )
    };
    let because = format!(
        "a response took {}, {seen}, and {counted}: something answers in two small writes",
        duration(mean)
    );
    let next = "send head and body in one write, or switch Nagle's algorithm off where the server has a switch for it \
                (TCP_NODELAY), or take an event loop that does";
    let without = (mean - body.unwrap_or(DELAY)).max(mean / 100.0);
    let found = RULE.found(Confidence::Likely, because, next);
    let gain = (mean / without).min(facts.room());
    Some(found.at_most(gain).costs(Cost::Knob))
}
