//! What became of the app from one version to another: whether it is slower, in what, and what to run where that cannot
//! be told.

use judge::{Revised, Verdict};
use minijinja::Environment;
use serde::Serialize;

use super::decision::ratios;
use crate::html::{Drawn, drawn};
use crate::terminal::paragraph::{FLUSH, INSIDE, Page};
use crate::terminal::style::{PLAIN, STRONG};
use crate::{JudgedRun, words};

/// What is told of each verdict, the one that is looked for first.
const VERDICTS: [(&str, Verdict); 4] = [
    ("worse", Verdict::Worse),
    ("better", Verdict::Better),
    ("same", Verdict::Same),
    ("unsure", Verdict::CannotTell),
];

/// What a terminal and a page say of a version.
#[derive(Serialize)]
struct Said {
    title: String,
    lines: Vec<(&'static str, String)>,
}

fn said(of: &JudgedRun) -> Vec<Said> {
    let versions = of.judged.revised.iter();
    let said = versions.map(|version| Said {
        title: words::became(version),
        lines: lines(version, of),
    });
    said.collect()
}

fn lines(version: &Revised, of: &JudgedRun) -> Vec<(&'static str, String)> {
    let told = VERDICTS.into_iter().map(|(what, verdict)| {
        let found = version.comparisons.iter();
        let found = found.filter(move |found| found.verdict == verdict);
        (what, ratios(found))
    });
    let next = words::to_tell(version, of.run, of.judged).into_iter();
    told.filter(|(_, text)| !text.is_empty())
        .chain(next.map(|text| ("next", text)))
        .collect()
}

pub(super) fn page(environment: &Environment, of: &JudgedRun) -> Drawn {
    drawn(environment, include_str!("../html/revised.html"), said(of))
}

pub(super) fn draw(page: &mut Page, of: &JudgedRun) {
    for said in said(of) {
        page.space();
        page.say(STRONG, FLUSH, &said.title);
        for (what, text) in &said.lines {
            page.say(PLAIN, INSIDE, &format!("{what:<9} {text}"));
        }
    }
}
