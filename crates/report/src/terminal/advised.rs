//! What came of an advice that was followed.

use judge::{Comparison, FindingKind};
use record::{Metric, Setting};
use serde::Serialize;

use super::paragraph::{FLUSH, INSIDE, Page};
use super::style::{DIM, PLAIN, STRONG};
use crate::view::findings::may_bring;
use crate::words;

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
    /// How many times the throughput it was said to bring: at most, or what was `known`; absent where neither was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gain: Option<f64>,
    /// The throughput of another variant of the run that is explained over this one's, where that has what is advised and else
    /// is the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<Comparison>,
    /// Throughput with it over throughput without, or where as much is asked with it as without (at a rate, by users who think)
    /// the mean response time; absent where trials of one of them do not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured: Option<Comparison>,
}

/// What `weir explain --try` prints.
pub fn advised(of: &Advised, width: usize) -> String {
    let mut page = Page::new(width);
    page.say(STRONG, FLUSH, &format!("`{}`: {}", of.variant, of.next));
    let before = match (&of.known, of.gain) {
        (Some(known), _) => format!(
            "known      {} by `{}`, which was measured beside it",
            words::ratio(known),
            known.of
        ),
        (None, Some(gain)) => format!("predicted  {}", may_bring(of.finding, gain)),
        (None, None) => "predicted  no number".to_owned(),
    };
    let measured = match &of.measured {
        Some(measured) => format!(
            "{} ({}, {})",
            words::ratio(measured),
            words::verdict(measured.verdict),
            words::pairs(measured, "block")
        ),
        None => "nothing: trials of one of the two do not count".to_owned(),
    };
    let divided = of.front.as_ref();
    let divided = divided.map_or_else(String::new, |front| format!(", behind `{front}`"));
    for line in [
        format!("changed    {}{divided}", of.change),
        before,
        format!("measured   {measured}"),
    ] {
        page.say(PLAIN, INSIDE, &line);
    }
    let known = of.measured.as_ref();
    let metric = known.map_or(Metric::Throughput, |of| of.metric);
    let what = metric.row().noun;
    let more = format!(
        "{what} with it over {what} without; `weir show {}` has the rest",
        of.run
    );
    page.say(DIM, INSIDE, &more);
    let ratios = of.known.iter().chain(&of.measured);
    if let Some(signs) = words::signs("ratio", ratios.map(|of| of.elsewhere)) {
        page.say(DIM, INSIDE, &signs);
    }
    page.into_text()
}
