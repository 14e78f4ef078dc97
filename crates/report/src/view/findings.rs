//! Where the time goes: why each variant is as fast as it is, and what to try next.

mod line;

use judge::{DoubtKind, FindingKind, Found, Judged, Parts, Talked, VariantOpinion};
use minijinja::Environment;
use serde::Serialize;

use crate::harmless::one_line;
use crate::html::{Drawn, drawn};
use crate::terminal::paragraph::{DEEPER, FLUSH, INSIDE, Page};
use crate::terminal::style::{DIM, PLAIN, STRONG};
use crate::terminal::table::{Cell, Column, Table};
use crate::{JudgedRun, units, words};
pub(crate) use line::may_bring;
use line::{Line, gain};

/// The findings about a variant, as `weir explain` tells them.
#[derive(JsonSchema, Serialize)]
pub struct Explained<'a> {
    /// The variant's name.
    pub variant: &'a str,
    /// What is worth a try first comes first.
    pub findings: &'a [Found],
    /// Where the time of a response is spent; absent where neither a front end nor what a server had not begun to read tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<&'a Parts>,
    /// How it talked, where it is a client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub talked: Option<&'a Talked>,
    /// Why no trial of it was looked at, where none was.
    #[serde(skip)]
    unjudged: Option<&'static str>,
}

/// Of trials with faults.
const STRUCK: &str = "its trials have faults, and such are not judged here, as a stack that is struck is as fast as its faults let it \
                      be: `weir show` says what these cost, and a run without `faults` what holds it back";
/// Of a variant without a trial that counts.
const UNCOUNTED: &str = "no trial of it counts, and such are not judged here: `weir show` says why";

impl<'a> Explained<'a> {
    fn new(of: &'a VariantOpinion) -> Self {
        Self {
            variant: &of.name,
            findings: &of.findings,
            parts: of.parts.as_ref(),
            talked: of.talked.as_ref(),
            unjudged: None,
        }
    }

    /// The same with why no trial of it was looked at, where none was.
    fn within(judged: &Judged, of: &'a VariantOpinion) -> Self {
        let mut struck = judged.faulted.iter().filter(|by| by.trials > 0);
        let unjudged = if struck.any(|by| by.variant == of.name) {
            Some(STRUCK)
        } else {
            (of.counted == 0).then_some(UNCOUNTED)
        };
        Self {
            unjudged,
            ..Self::new(of)
        }
    }

    /// What is found of it: first of what it does by itself as a client, which holds wherever it runs.
    fn lines(&self) -> impl Iterator<Item = Line> {
        habits(self.talked).chain(self.findings.iter().map(Line::new))
    }
}

/// What stands out of how a client talks.
fn habits(talked: Option<&Talked>) -> impl Iterator<Item = Line> {
    let talked = talked.into_iter();
    talked.flat_map(|of| {
        let habits = of.habits.iter();
        habits.map(move |habit| Line::habit(habit, &of.talk))
    })
}

/// What is found of a variant and no doubt of it tells: who took part of the machine is said once.
fn untold(of: &VariantOpinion) -> impl Iterator<Item = &Found> {
    let mut doubts = of.doubts.iter().map(|(doubt, _)| doubt.kind);
    let told = doubts.any(|kind| kind.is_of_others() || kind == DoubtKind::StolenCpu);
    let same = move |found: &Found| told && found.finding.kind == FindingKind::OtherPrograms;
    of.findings.iter().filter(move |found| !same(found))
}

/// A variant with its findings.
#[derive(Serialize)]
struct Variant<'a> {
    name: &'a str,
    /// Where the time of a response is spent.
    parts: Option<String>,
    lines: Vec<Line>,
}

impl<'a> Variant<'a> {
    fn new(of: &'a VariantOpinion) -> Self {
        Self {
            name: &of.name,
            parts: of.parts.as_ref().map(words::parts),
            lines: habits(of.talked.as_ref())
                .chain(untold(of).map(Line::new))
                .collect(),
        }
    }
}

/// Every variant of a run of which something is found or that was not looked at, or the one of this name.
pub fn explained<'a>(of: &JudgedRun<'a>, variant: Option<&str>) -> Vec<Explained<'a>> {
    let variants = of.judged.variants.iter();
    let wanted = variants.filter(|of| variant.is_none_or(|name| of.name == name));
    let explained = wanted.map(|variant| Explained::within(of.judged, variant));
    explained
        .filter(|of| {
            let told = of.parts.is_some() || of.unjudged.is_some();
            variant.is_some() || told || of.lines().next().is_some()
        })
        .collect()
}

/// What to try of a variant first, with what it may bring.
pub(super) fn next(of: &VariantOpinion) -> Option<String> {
    let line = untold(of).next().map(Line::new)?;
    let gain = line
        .gain
        .map_or_else(String::new, |gain| format!(", {gain}"));
    Some(format!(
        "{} ({}{gain}): {}",
        line.next, line.title, line.because
    ))
}

fn found<'a>(of: &JudgedRun<'a>) -> Vec<Variant<'a>> {
    let variants = of.judged.variants.iter().map(Variant::new);
    variants
        .filter(|of| !of.lines.is_empty() || of.parts.is_some())
        .collect()
}

pub(super) fn page(environment: &Environment, of: &JudgedRun) -> Drawn {
    drawn(
        environment,
        include_str!("../html/findings.html"),
        found(of),
    )
}

/// Above what is found.
const HEAD: &str = "Where the time goes";

/// The first finding about each variant: its name, what is found, and what there is to gain.
fn firsts<'a>(of: &JudgedRun<'a>) -> Vec<(&'a str, &'static str, Option<String>)> {
    let firsts = of.judged.variants.iter().filter_map(|of| {
        let found = untold(of).next();
        let first = habits(of.talked.as_ref()).next();
        let first = first.or_else(|| found.map(Line::new))?;
        Some((of.name.as_str(), first.title, found.and_then(gain)))
    });
    firsts.collect()
}

/// Where the rest is.
fn hint(of: &JudgedRun) -> String {
    format!("`weir explain {}` says why, and what to try", of.run.id)
}

/// The first finding about each variant; the rest is what `weir explain` is for.
pub(super) fn draw(page: &mut Page, of: &JudgedRun) {
    let firsts = firsts(of);
    if firsts.is_empty() {
        return;
    }
    let columns = vec![
        Column::left(HEAD),
        Column::left(""),
        Column::right("to gain"),
    ];
    let mut table = Table::new(columns);
    for (name, title, gain) in firsts {
        table.row(vec![Cell::new(name), Cell::new(title), Cell::known(gain)]);
    }
    page.space();
    page.lines(&table.fit(page.width()).0);
    page.say(DIM, INSIDE, &hint(of));
}

/// The same as a table for a page; no line where nothing is found.
pub(super) fn markdown(of: &JudgedRun) -> Vec<String> {
    let firsts = firsts(of);
    if firsts.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![
        String::new(),
        format!("| {HEAD} | | to gain |"),
        "|---|---|---:|".to_owned(),
    ];
    lines.extend(firsts.into_iter().map(|(name, title, gain)| {
        let gain = gain.unwrap_or_else(|| units::NOTHING.to_owned());
        format!("| {} | {title} | {gain} |", name.replace('|', "\\|"))
    }));
    lines.extend([String::new(), hint(of)]);
    lines
}

/// The first finding about a load of a URL.
pub(crate) fn first(page: &mut Page, of: &VariantOpinion) {
    let Some(line) = untold(of).next().map(Line::new) else {
        return;
    };
    page.space();
    page.say(STRONG, FLUSH, HEAD);
    for told in line.told() {
        page.say(PLAIN, INSIDE, &told);
    }
}

/// The same as a list for a page; no line where nothing is found.
pub(crate) fn first_markdown(of: &VariantOpinion) -> String {
    let Some(line) = untold(of).next().map(Line::new) else {
        return String::new();
    };
    let told = line.told().map(|told| format!("* {}\n", one_line(&told)));
    format!("\n{HEAD}:\n\n{}", told.concat())
}

/// Every finding about these variants, with its facts and what to try.
pub(crate) fn tell(page: &mut Page, of: &[Explained]) {
    if of.is_empty() {
        page.say(
            PLAIN,
            FLUSH,
            "nothing that weir knows holds any variant back",
        );
    }
    for (number, variant) in of.iter().enumerate() {
        if number > 0 {
            page.space();
        }
        page.say(STRONG, FLUSH, &format!("`{}`", variant.variant));
        if let Some(parts) = variant.parts {
            page.say(PLAIN, INSIDE, &words::parts(parts));
        }
        let lines: Vec<_> = variant.lines().collect();
        if lines.is_empty() {
            let nothing = "nothing that weir knows holds it back, as where it keeps its rate";
            page.say(PLAIN, INSIDE, variant.unjudged.unwrap_or(nothing));
        }
        for line in lines {
            page.say(STRONG, INSIDE, &format!("{} ({})", line.title, line.sure));
            page.say(PLAIN, DEEPER, &line.because);
            let gain = line
                .gain
                .map_or_else(String::new, |gain| format!(" ({gain})"));
            page.say(PLAIN, DEEPER, &format!("→ {}{gain}", line.next));
            if let Some(rule) = line.rule {
                page.say(DIM, DEEPER, &rule);
            }
        }
    }
}
