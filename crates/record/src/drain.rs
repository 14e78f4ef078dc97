use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Cause;

/// What became of the requests that were in flight when the window closed and were not answered
/// rightly in the drain: `in_flight = drained + sum(wrong) + unanswered`.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct DrainFacts {
    /// Seconds from the end of the window until the last of them was answered or given up.
    pub seconds: f64,
    /// Answered wrongly, by cause. Their times are in no distribution, as those of `failed` are not.
    pub wrong: BTreeMap<Cause, u64>,
    /// Never answered: beyond their time limit, on a connection that was lost, or still under way
    /// when nobody waited any longer. They are in the distributions as "at least this long".
    pub unanswered: u64,
    /// Those of `unanswered` whose connection was lost, by cause.
    pub lost: BTreeMap<Cause, u64>,
    /// Those of `unanswered` that were cut off: the drain was over, or the load was interrupted.
    pub cut_off: u64,
    /// Whether the load was interrupted, so that nobody waited for those that were cut off.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
    /// Whether it lasted as long as the plan says, whatever responses took.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fixed: bool,
}

impl DrainFacts {
    /// All that were answered wrongly.
    pub fn wrong_answers(&self) -> u64 {
        self.wrong.values().sum()
    }
}

/// How the slots of a closed loop spent the window beside the response times that were kept, in
/// slot-seconds. A slot carries one request after another, so that for every window
/// `sum(response) - beyond + carried + failed + thought + idle = slots x window`, whatever the server
/// does.
#[derive(Clone, Copy, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct SlotTime {
    /// How far kept response times reach beyond the ends of the window.
    pub beyond: f64,
    /// Requests that were under way when a slice of the window opened, from then on: their times are not kept.
    #[serde(default)]
    pub carried: f64,
    /// Requests that failed, whose times are not kept, and the pauses after them.
    pub failed: f64,
    /// Think time.
    pub thought: f64,
    /// No request: before the slot's thread was awake, and after the last request of a window by
    /// count was begun.
    pub idle: f64,
}

impl SlotTime {
    /// The time of two windows together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            beyond: self.beyond + other.beyond,
            carried: self.carried + other.carried,
            failed: self.failed + other.failed,
            thought: self.thought + other.thought,
            idle: self.idle + other.idle,
        }
    }
}
