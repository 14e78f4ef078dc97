use serde::Serialize;

use crate::figures::Figures;
use crate::read::{Odd, Read, Reading};
use crate::table::Endpoint;
use crate::time::{Basis, Unit};

/// What each endpoint costs, and what that is known from.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Costs {
    /// All requests together, those of endpoints that are not shown included.
    pub total: Together,
    /// The logs that were read; none where timers were listened to, or a load of weir's own was asked.
    pub logs: Vec<Log>,
    /// Every endpoint, the first one first.
    pub endpoints: Vec<Endpoint>,
}

/// What all requests cost together.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Together {
    /// What they cost.
    pub now: Figures,
    /// The same in the earlier log; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Figures>,
}

/// A log that was read.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Log {
    /// Its file, or `-`.
    pub name: String,
    /// Whether it is the earlier one of two.
    pub is_earlier: bool,
    /// The format of its lines.
    pub format: String,
    /// Its lines.
    pub lines: u64,
    /// Those of them that were not understood.
    pub skipped: u64,
    /// Requests, those that sampled timers stand for included.
    pub requests: u64,
    /// Those of them whose time is known.
    pub timed: u64,
    /// Those whose time cannot be one: negative, no number, or of more than a day. They are not among the timed.
    pub impossible: u64,
    /// In which units its times were read.
    pub units: Vec<Units>,
    /// Why it ends in the middle, where it does: then there is more that was not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<String>,
    /// The first impossible time.
    #[serde(skip)]
    pub odd: Option<Odd>,
}

/// In which unit times were read.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Units {
    /// The key under which the times stand, or what they look like; empty where the format, or the time itself, says the unit.
    pub key: String,
    /// The unit.
    pub unit: Unit,
    /// Whether it was assumed, because neither the log nor the user says it.
    pub is_assumed: bool,
    /// Whether the user's word decided.
    pub is_given: bool,
    /// Requests with such a time.
    pub requests: u64,
}

impl Log {
    /// What was read of the log of this name.
    pub fn new(name: String, is_earlier: bool, read: Read) -> Self {
        Self {
            name,
            is_earlier,
            format: read.format.name().to_owned(),
            lines: read.lines,
            skipped: read.unread.map_or(0, |unread| unread.lines),
            requests: read.requests,
            timed: read.timed,
            impossible: read.odd.as_ref().map_or(0, |odd| odd.requests),
            units: read.units.into_iter().map(Units::of).collect(),
            cut: read.cut,
            odd: read.odd,
        }
    }
}

impl Units {
    fn of(reading: Reading) -> Self {
        Self {
            key: reading.key.to_owned(),
            unit: reading.unit,
            is_assumed: reading.basis == Basis::Guessed && !reading.is_given,
            is_given: reading.is_given,
            requests: reading.requests,
        }
    }
}
