//! What becomes of each variant under stress: a line for each.

use std::collections::BTreeSet;

use judge::Stressed;
use minijinja::Environment;
use record::{Load, Outcome, RunStatus, Stress, Variant};
use serde::Serialize;

use crate::html::{Drawn, drawn};
use crate::terminal::paragraph::{FLUSH, INSIDE, Page};
use crate::terminal::style::{BAD, DIM, PLAIN, STRONG};
use crate::terminal::table::{Cell, Column, Table};
use crate::{JudgedRun, units, words};

/// A table: a column for each kind of stress, a row for each variant.
#[derive(Serialize)]
struct Said<'a> {
    seconds: String,
    kinds: Vec<String>,
    rows: Vec<(&'a str, Vec<Option<Line>>)>,
    failures: Vec<String>,
    /// What there was no time for, and what to type to have it.
    left_out: Vec<String>,
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
    let left_out = left_out(of);
    if kinds.is_empty() && left_out.is_empty() {
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
        left_out,
        kinds: kinds.iter().map(|of| of.words(&plan.load)).collect(),
    })
}

/// The kinds of stress that a run which came to its end had no time for, each with the variants where it is not for all of
/// them, and how to have them. A variant that failed is left out for that.
fn left_out(of: &JudgedRun) -> Vec<String> {
    let (run, plan) = (of.run, &of.run.plan);
    if plan.stress.is_empty() || run.status != RunStatus::Finished {
        return Vec::new();
    }
    let failed = judge::standing(of.trials);
    let failed = failed.filter(|trial| matches!(trial.outcome, Outcome::Failed(_)));
    let failed: BTreeSet<&str> = failed.map(|trial| trial.variant.as_str()).collect();
    let blocks = (plan.blocks..).zip(&plan.stress);
    let kinds = blocks.filter_map(|(block, stress)| {
        let fits = |variant: &&Variant| plan.load_in(block, variant).is_some();
        let is_left = |variant: &&Variant| {
            let this = |of: &Stressed| of.stress == *stress && of.variant == variant.name;
            !of.judged.stress.iter().any(this) && !failed.contains(variant.name.as_str())
        };
        let able: Vec<&Variant> = plan.variants.iter().filter(fits).collect();
        let left: Vec<&Variant> = able.iter().copied().filter(is_left).collect();
        let what = stress.words(&plan.load);
        let names = left.iter().map(|variant| &variant.name);
        match left.len() {
            0 => None,
            all if all == able.len() => Some(what),
            _ => Some(format!("{what} ({})", record::listed(names))),
        }
    });
    let kinds: Vec<String> = kinds.collect();
    if kinds.is_empty() {
        return kinds;
    }
    vec![
        format!("no time was left for {}", kinds.join("; ")),
        format!("`weir run --resume {}` adds what is missing", run.id),
    ]
}

/// `2.00 s, and of 6.00 s (a worker killed; profiled)`: those that take longer all take as long.
fn seconds(kinds: &[Stress], load: &Load) -> String {
    let (longer, usual): (Vec<&Stress>, Vec<&Stress>) =
        kinds.iter().partition(|of| of.seconds() > Stress::SECONDS);
    let mut said = Vec::new();
    if !usual.is_empty() {
        said.push(units::duration(Stress::SECONDS));
    }
    if let Some(first) = longer.first() {
        let kinds: Vec<String> = longer.iter().map(|of| of.words(load)).collect();
        let seconds = units::duration(first.seconds());
        said.push(format!("{seconds} ({})", kinds.join("; ")));
    }
    said.join(", and of ")
}

pub(super) fn page(environment: &Environment, of: &JudgedRun) -> Drawn {
    drawn(environment, include_str!("../html/stress.html"), said(of))
}

pub(super) fn draw(page: &mut Page, of: &JudgedRun) {
    let Some(said) = said(of) else {
        return;
    };
    let head = "Throughput under stress, over the usual one";
    page.space();
    page.say(STRONG, FLUSH, head);
    if !said.rows.is_empty() {
        let wide = by_variant(&said);
        let table = if wide.natural_width() <= page.width() {
            wide
        } else {
            by_kind(&said)
        };
        page.lines(&table.fit(page.width()).0);
        let note = format!("one trial each, of {}: no interval is known", said.seconds);
        page.say(DIM, INSIDE, &note);
    }
    for failure in &said.failures {
        page.say(BAD, INSIDE, failure);
    }
    for line in &said.left_out {
        page.say(PLAIN, INSIDE, line);
    }
}

/// A row for each variant, a column for each kind of stress.
fn by_variant(said: &Said) -> Table {
    let columns = said.kinds.iter().map(|kind| Column::left(kind));
    let columns = [Column::left("variant")].into_iter().chain(columns);
    let mut table = Table::new(columns.collect());
    for (name, lines) in &said.rows {
        let cells = lines
            .iter()
            .map(|line| line.as_ref().map_or_else(Cell::nothing, cell));
        table.row([Cell::new(*name)].into_iter().chain(cells).collect());
    }
    table
}

/// A row for each variant and kind, where there is no room for the kinds side by side.
fn by_kind(said: &Said) -> Table {
    let mut table = Table::new(vec![
        Column::left("variant"),
        Column::left("under"),
        Column::wrapping(""),
    ]);
    for (name, lines) in &said.rows {
        let told = said.kinds.iter().zip(lines);
        let told = told.filter_map(|(kind, line)| Some((kind, line.as_ref()?)));
        for (place, (kind, line)) in told.enumerate() {
            let name = if place == 0 { *name } else { "" };
            table.row(vec![Cell::new(name), Cell::new(kind), cell(line)]);
        }
    }
    table
}

fn cell(line: &Line) -> Cell {
    if line.felled {
        Cell::styled(&line.text, BAD)
    } else {
        Cell::new(&line.text)
    }
}
