//! Where the time goes: why each variant is as fast as it is, and what to try next.

mod explained;
mod line;

use judge::{About, DoubtKind, FindingKind, Found, Talked, VariantOpinion};
use minijinja::Environment;
use serde::Serialize;

use crate::harmless::one_line;
use crate::html::{Drawn, drawn};
use crate::marks::plain;
use crate::terminal::paragraph::{FLUSH, INSIDE, Page};
use crate::terminal::style::{DIM, PLAIN, STRONG};
use crate::terminal::table::{Cell, Column, Table};
use crate::{JudgedRun, units, words};
pub(crate) use explained::tell;
pub use explained::{Explained, explained};
pub(crate) use line::may_bring;
use line::{Line, gain};

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

/// What is told where there is no room for all: what is worth a try first, and where that is about the measurement, what holds the
/// stack back beside.
fn first_of<'a>(mut all: impl Iterator<Item = &'a Found>) -> Vec<&'a Found> {
    let about = |found: &Found| found.finding.kind.rule().about;
    let first = all.next();
    let measurement = first.is_some_and(|first| about(first) == About::Measurement);
    let limit = all.find(|found| measurement && about(found) == About::Limit);
    first.into_iter().chain(limit).collect()
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

/// The first finding about each variant, as [`first_of`] has it: its name, what is found, and what there is to gain.
fn firsts<'a>(of: &JudgedRun<'a>) -> Vec<(&'a str, &'static str, Option<String>)> {
    let rows = of.judged.variants.iter().flat_map(|of| {
        let habit = habits(of.talked.as_ref()).next();
        let habit = habit.map(|habit| (habit.title, None));
        let found = first_of(of.findings.iter().filter(|_| habit.is_none()));
        let found = found.into_iter();
        let found = found.map(|found| (found.finding.kind.rule().title, gain(found)));
        let rows: Vec<_> = habit.into_iter().chain(found).collect();
        let names = std::iter::once(of.name.as_str()).chain(std::iter::repeat(""));
        names
            .zip(rows)
            .map(|(name, (title, gain))| (name, title, gain))
    });
    rows.collect()
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
        format!("| {} | {title} | {gain} |", plain(name))
    }));
    lines.extend([String::new(), hint(of)]);
    lines
}

/// The first finding about a load of a URL, as [`first_of`] has it.
pub(crate) fn first(page: &mut Page, of: &JudgedRun, load: &VariantOpinion) {
    let told = first_of(untold(load));
    if told.is_empty() {
        return;
    }
    page.space();
    page.say(STRONG, FLUSH, HEAD);
    for line in told.iter().flat_map(|found| Line::new(found).told()) {
        page.say(PLAIN, INSIDE, &line);
    }
    if let Some(more) = more(of, told.len()) {
        page.say(DIM, INSIDE, &more);
    }
}

/// The same as a list for a page; no line where nothing is found.
pub(crate) fn first_markdown(of: &JudgedRun, load: &VariantOpinion) -> String {
    let told = first_of(untold(load));
    if told.is_empty() {
        return String::new();
    }
    let lines = told.iter().flat_map(|found| Line::new(found).told());
    let lines: Vec<String> = lines
        .map(|told| format!("* {}\n", one_line(&told)))
        .collect();
    let lines = lines.concat();
    let more = more(of, told.len()).map_or_else(String::new, |more| format!("\n{more}\n"));
    format!("\n{HEAD}:\n\n{lines}{more}")
}

/// Where the rest is, if more is found than so much of what is told, and the run is kept.
fn more(of: &JudgedRun, told: usize) -> Option<String> {
    let found = of.judged.variants.iter().map(|of| of.findings.len());
    let kept = of.run.id > 0;
    (kept && found.sum::<usize>() > told).then(|| format!("`weir explain {}` says more", of.run.id))
}
