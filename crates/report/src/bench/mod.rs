//! The result of one load in every form but the terminal's. `docs/bench-output.md` documents them.

mod delimited;
mod document;
mod loads;
mod markdown;
mod page;

use judge::{Apart, Doubt, Held, Standing, ThresholdResult};
use record::{Amount, Distribution, LoadFacts, Timestamp};
use serde::Serialize;

use crate::words::{self, Computed};

pub use delimited::csv;
pub use document::{Calibrated, Document, SCHEMA, Survey, Sweep, calibration, document, ndjson};
pub use loads::{Loads, loads_page};
pub use markdown::markdown;
pub use page::page;

/// One load and what is thought of it.
#[derive(Clone, Copy, Debug)]
pub struct Bench<'a> {
    /// What was loaded, as it was typed.
    pub url: &'a str,
    /// The facts.
    pub load: &'a LoadFacts,
    /// Reasons not to trust them.
    pub doubts: &'a [Doubt],
    /// Thresholds that were asked for.
    pub thresholds: &'a [ThresholdResult],
    /// Where it stood under this machine's calibrated ceiling.
    pub standing: Option<&'a Standing>,
    /// The window in pieces of about a second; may be empty.
    pub slices: &'a [Slice],
    /// The user ended it early.
    pub interrupted: bool,
    /// When the window was to end.
    pub planned: Amount,
    /// How its figures came about, where somebody asked.
    pub explained: Option<&'a Explained>,
    /// An earlier load beside it, where somebody asked.
    pub against: Option<&'a Against>,
}

/// What can be said of a load and an earlier one, which did not take turns.
#[derive(Clone, Debug, Serialize)]
pub struct Against {
    /// The earlier one's run.
    pub run: i64,
    /// When it began.
    pub started: Timestamp,
    /// This load's figures over that one's; never a verdict.
    pub figures: Vec<Apart>,
    /// What else differs between the two: reasons to read the ratios with care.
    pub differences: Vec<String>,
}

impl Bench<'_> {
    /// That it was ended early, and after how much of what was planned.
    pub(crate) fn cut(&self) -> Option<String> {
        self.interrupted
            .then(|| words::interrupted(self.load, self.planned))
    }
}

/// How the figures of a load came about, and what they were held to.
#[derive(Clone, Debug, Serialize)]
pub struct Explained {
    /// Every printed figure with its formula.
    pub figures: Vec<Computed>,
    /// Every rule, and how the load stood to it.
    pub held_to: Vec<Held>,
}

impl Explained {
    /// Of one load.
    pub fn of(load: &LoadFacts, standing: Option<&Standing>) -> Self {
        Self {
            figures: words::computed(load, standing),
            held_to: judge::held(load),
        }
    }
}

/// A piece of the window. Together the pieces hold every response time of the load.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Slice {
    /// Begin, seconds since the window opened.
    pub from: f64,
    /// End, seconds since the window opened.
    pub until: f64,
    /// Answered rightly in it.
    pub completed: u64,
    /// Response times, those of the drain in the last piece.
    pub response: Distribution,
}

/// `trusted`, or why not: the first line of every form.
pub fn verdict(doubts: &[Doubt]) -> String {
    let worst: Vec<_> = doubts
        .iter()
        .filter(|doubt| doubt.disqualifies)
        .map(|doubt| doubt.because.as_str())
        .collect();
    match (worst.is_empty(), doubts.len()) {
        (false, _) => format!("do not trust these figures: {}", worst.join("; ")),
        (true, 0) => "trusted: no doubt".to_owned(),
        (true, 1) => "trusted, with one doubt".to_owned(),
        (true, doubts) => format!("trusted, with {doubts} doubts"),
    }
}
