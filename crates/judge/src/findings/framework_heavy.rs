//! Whether the framework takes more of the CPU time than what the app does with it.

use record::CodeClass;

use super::FindingKind;
use super::facts::Facts;
use super::rule::{About, Confidence, Finding, FindingRule};
use crate::words::{number, percent};

/// Share of the samples on CPU.
const MOST: f64 = 0.5;
/// Samples on CPU below which a share says little: its 95 % interval is then wider than a tenth to either side.
const FEWEST: u64 = 100;

pub(super) const RULE: FindingRule = FindingRule {
    kind: FindingKind::FrameworkHeavy,
    title: "the framework takes most of the CPU time",
    rule: "the load was profiled, and of 100 samples on CPU and more half and more worked for a framework: its code, or what it \
           called",
    source: "samples of all threads, classed by where the files of their functions lie",
    about: About::Beside,
    look,
};

fn look(facts: &Facts) -> Option<Finding> {
    let profile = facts.load.profile.as_ref()?;
    let share = profile.share_of(CodeClass::Framework)?;
    let samples = profile.on_cpu();
    if share < MOST || samples < FEWEST {
        return None;
    }
    let app = profile.share_of(CodeClass::App).unwrap_or(0.0);
    let because = format!(
        "of {} samples on CPU {} worked for the framework, and {} for the app",
        number(samples as f64),
        percent(share),
        percent(app)
    );
    let next = "write the routes that cost most straight to the server's interface, or leave out what the framework does for \
                each request and they do not need (middleware, sessions, validation); the profile says what that is";
    let found = RULE.found(Confidence::Counted, because, next);
    // where requests wait for something else, CPU time that is saved is idle
    if facts.every_core_is_busy() || !facts.with_a_whole_core().is_empty() {
        return Some(found.at_most(1.0 / (1.0 - share).max(0.01)));
    }
    Some(found)
}
