use super::{DoubtKind, Evidence, Held, Rule};
use crate::words::number;

/// Windows shorter than this are told, in seconds: a scheduler's time slice, or ten ticks of the
/// kernel's CPU accounting.
const SHORT: f64 = 0.1;

pub(super) const RULE: Rule = Rule {
    title: "the measured window was very short",
    grave_title: Some("nothing was answered in the measured window"),
    rule: "the window lasts at least 100 ms (a scheduler's time slice, ten ticks of the kernel's CPU \
           accounting), and a request ends in it",
    disqualifies: "no request ended in it",
    ..Rule::of(DoubtKind::ShortWindow, look)
};

/// Told only, as blocks show how far the figures scatter; but a window without a
/// response or a failure has no figures.
fn look(evidence: &Evidence) -> Held {
    let load = evidence.load;
    let empty = load.completed + load.failures() + load.timed_out == 0;
    let mut because = format!("the window lasted {} ms", number(load.seconds * 1e3));
    if load.seconds >= SHORT && !empty {
        return RULE.passed(because);
    }
    if empty {
        because += ", and no request had a response in it";
    }
    let advice = "load with more requests, or for a longer duration";
    RULE.doubted(empty, because, advice)
}
