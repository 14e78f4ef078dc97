//! One finding in words.

use judge::{Confidence, Cost, FindingKind, Found, Usual};
use record::Talk;
use serde::Serialize;

use crate::units;
use crate::words::{self, counted};

/// A finding in words.
#[derive(Serialize)]
pub(super) struct Line {
    pub(super) title: &'static str,
    /// The facts.
    pub(super) because: String,
    /// How sure it is, and in how many trials, where that is not all.
    pub(super) sure: String,
    pub(super) next: String,
    /// `up to 1.88 × the throughput`, or where another variant of the run tells it `1.84 × the throughput`.
    pub(super) gain: Option<String>,
    /// What the advice costs, and where the rule comes from.
    pub(super) rule: Option<String>,
}

impl Line {
    pub(super) fn new(found: &Found) -> Self {
        let finding = &found.finding;
        let sure = match finding.confidence {
            Confidence::Counted => "counted",
            Confidence::Likely => "likely",
        };
        Self {
            title: finding.kind.rule().title,
            because: finding.because.clone(),
            sure: in_trials(sure, found.in_trials, found.of_trials),
            next: finding.next.clone(),
            gain: gain(found).map(|gain| format!("{gain} the throughput")),
            rule: Some(format!(
                "costs at least {}; rule: {}",
                costs(finding.cost),
                finding.source
            )),
        }
    }

    /// What is found with its facts, and what to try.
    pub(super) fn told(&self) -> [String; 2] {
        let gain = self.gain.as_ref();
        let gain = gain.map_or_else(String::new, |gain| format!(" ({gain})"));
        [
            format!("{} ({}): {}", self.title, self.sure, self.because),
            format!("→ {}{gain}", self.next),
        ]
    }

    /// What stands out of how a client talks: the origin counted it.
    pub(super) fn habit(of: &Usual, talk: &Talk) -> Self {
        let told = words::client::habit(&of.habit, talk);
        Self {
            title: told.title,
            because: told.because(&of.habit),
            sure: in_trials("counted", of.in_trials, of.of_trials),
            next: told.next,
            gain: None,
            rule: None,
        }
    }
}

/// `a knob`.
fn costs(cost: Cost) -> &'static str {
    match cost {
        Cost::Measurement => "another measurement",
        Cost::Knob => "a knob",
        Cost::Variant => "another variant",
        Cost::Machine => "more of the machine",
        Cost::App => "a change of the app",
    }
}

/// How sure a line is, and in how many trials it was found, where that is not all.
fn in_trials(sure: &str, found: u32, all: u32) -> String {
    if found == all {
        return sure.to_owned();
    }
    let of = counted(u64::from(all), "trial");
    format!("{sure}, in {found} of {of}")
}

/// `up to 1.88 ×`, or `1.84 ×` where it was measured.
pub(super) fn gain(found: &Found) -> Option<String> {
    let finding = &found.finding;
    let gain = finding.gain?;
    Some(if finding.measured.is_some() {
        units::ratio(gain)
    } else {
        may_bring(finding.kind, gain)
    })
}

/// `up to 1.88 ×`. What more clients bring is no limit: among more a request may cost less.
pub(crate) fn may_bring(kind: FindingKind, gain: f64) -> String {
    let most = match kind {
        FindingKind::FewClients => "about",
        _ => "up to",
    };
    format!("{most} {}", units::ratio(gain))
}
