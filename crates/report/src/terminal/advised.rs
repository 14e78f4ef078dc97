//! What came of an advice that was followed.

use judge::{Comparison, FindingKind};
use record::Setting;
use serde::Serialize;

use super::paragraph::{FLUSH, INSIDE, Page};
use super::style::{DIM, PLAIN, STRONG};
use crate::{units, words};

/// An advice, what it was said to bring, and what it brought.
#[derive(JsonSchema, Serialize)]
pub struct Advised {
    /// The run in which both were measured.
    pub run: i64,
    /// The variant that it is about.
    pub variant: String,
    /// Why that is as fast as it is.
    pub finding: FindingKind,
    /// What to try.
    pub next: String,
    /// The change that did it.
    pub change: Setting,
    /// The front end that was put before it, to divide requests among several instances.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub front: Option<String>,
    /// How many times the throughput it was said to bring at most; absent where that was not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gain: Option<f64>,
    /// Throughput with it over throughput without; absent where trials of one of them do not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured: Option<Comparison>,
}

/// What `weir explain --try` prints.
pub fn advised(of: &Advised, width: usize) -> String {
    let mut page = Page::new(width);
    page.say(STRONG, FLUSH, &format!("`{}`: {}", of.variant, of.next));
    let predicted = of.gain.map_or_else(
        || "nothing was predicted".to_owned(),
        |gain| format!("up to {}", units::ratio(gain)),
    );
    let measured = match &of.measured {
        Some(measured) => format!(
            "{} ({}, {})",
            units::ratio_within(measured.ratio, measured.interval),
            words::verdict(measured.verdict),
            words::pairs(measured)
        ),
        None => "nothing: trials of one of the two do not count".to_owned(),
    };
    let divided = of.front.as_ref();
    let divided = divided.map_or_else(String::new, |front| format!(", behind `{front}`"));
    for line in [
        format!("changed    {}{divided}", of.change),
        format!("predicted  {predicted}"),
        format!("measured   {measured}"),
    ] {
        page.say(PLAIN, INSIDE, &line);
    }
    let more = format!(
        "throughput with it over throughput without; `weir show {}` has the rest",
        of.run
    );
    page.say(DIM, INSIDE, &more);
    page.into_text()
}
