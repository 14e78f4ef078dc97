//! What becomes of each variant under stress: a line for each.

use minijinja::Environment;
use record::{Load, Stress};
use serde::Serialize;

use crate::html::{Drawn, drawn};
use crate::terminal::paragraph::{FLUSH, INSIDE, Page};
use crate::terminal::style::{BAD, DIM, STRONG};
use crate::terminal::table::{Cell, Column, Table};
use crate::{JudgedRun, units, words};

/// A table: a column for each kind of stress, a row for each variant.
#[derive(Serialize)]
struct Said<'a> {
    seconds: String,
    kinds: Vec<String>,
    rows: Vec<(&'a str, Vec<Option<Line>>)>,
    failures: Vec<String>,
}

/// A variant under one kind of stress.
#[derive(Serialize)]
struct Line {
    text: String,
    felled: bool,
}

fn said<'a>(of: &JudgedRun<'a>) -> Option<Said<'a>> {
    let (judged, plan) = (of.judged, &of.run.plan);
    let was_taken = |stress: &&Stress| judged.stress.iter().any(|of| of.stress == **stress);
    let kinds: Vec<Stress> = plan.stress.iter().filter(was_taken).copied().collect();
    if kinds.is_empty() {
        return None;
    }
    let line = |variant: &str, stress: Stress| {
        let mut all = judged.stress.iter();
        let of = all.find(|of| of.variant == variant && of.stress == stress)?;
        Some(Line {
            text: words::stressed(of),
            felled: of.felled,
        })
    };
    let rows = judged.variants.iter().filter_map(|variant| {
        let lines = kinds.iter().map(|stress| line(&variant.name, *stress));
        let lines: Vec<Option<Line>> = lines.collect();
        let any = lines.iter().any(Option::is_some);
        any.then_some((&*variant.name, lines))
    });
    let failures = judged.stress.iter().filter_map(|of| {
        let why = of.failure.as_ref()?;
        let what = of.stress.words(&plan.load);
        Some(format!("`{}` with {what}: {why}", of.variant))
    });
    Some(Said {
        seconds: seconds(&kinds, &plan.load),
        rows: rows.collect(),
        failures: failures.collect(),
        kinds: kinds.iter().map(|of| of.words(&plan.load)).collect(),
    })
}

/// `2.00 s`, and `6.00 s where a worker is killed` of what takes longer.
fn seconds(kinds: &[Stress], load: &Load) -> String {
    let mut said = vec![units::duration(Stress::SECONDS)];
    let longer = kinds.iter().filter(|of| of.seconds() > Stress::SECONDS);
    said.extend(
        longer.map(|of| format!("{} with {}", units::duration(of.seconds()), of.words(load))),
    );
    said.join(", and of ")
}

pub(super) fn page(environment: &Environment, of: &JudgedRun) -> Drawn {
    drawn(environment, include_str!("../html/stress.html"), said(of))
}

pub(super) fn draw(page: &mut Page, of: &JudgedRun) {
    let Some(said) = said(of) else {
        return;
    };
    let columns = said.kinds.iter().map(|kind| Column::left(kind));
    let mut table = Table::new(
        [Column::left("variant")]
            .into_iter()
            .chain(columns)
            .collect(),
    );
    for (name, lines) in &said.rows {
        let cell = |line: &Option<Line>| match line {
            Some(line) if line.felled => Cell::styled(&line.text, BAD),
            Some(line) => Cell::new(&line.text),
            None => Cell::nothing(),
        };
        let cells = [Cell::new(*name)].into_iter();
        table.row(cells.chain(lines.iter().map(cell)).collect());
    }
    let head = "Throughput under stress, over the usual one";
    page.space();
    page.say(STRONG, FLUSH, head);
    page.lines(&table.fit(page.width()).0);
    let note = format!("one trial each, of {}", said.seconds);
    page.say(DIM, INSIDE, &note);
    for failure in &said.failures {
        page.say(BAD, INSIDE, failure);
    }
}
