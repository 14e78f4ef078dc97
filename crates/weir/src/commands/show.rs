//! `weir show`: a run as its facts are judged today.

use std::path::{Path, PathBuf};

use ::report::load::{csv, ndjson};
use ::report::{JudgedRun, terminal};
use judge::{ClaimVerdict, Holds, Judged};
use store::Store;

use crate::args::{Format, RunName};
use crate::commands::known::Known;
use crate::commands::report;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::invocation::{Invocation, named};
use crate::output::{print, print_json, print_lines_of_json};

pub(crate) fn run(name: RunName, format: Option<Format>, invocation: &Invocation) -> Result<Exit> {
    let store = invocation.store_to_read()?;
    let known = Known::read(named(&store, name)?.id, &store)?;
    let of = known.judged();
    let format = format.unwrap_or_else(|| usual(invocation));
    let width = invocation.width();
    print_as(format, &of, || {
        text(&of, &[], width) + &terminal::counters(&of, width)
    })?;
    Ok(verdict(of.judged))
}

/// Writes the files of a run into a folder, then prints the run. One whose files cannot be written is printed all the
/// same, before that is told. What is not tried was told before the run began, and is not told once more on a terminal.
pub(crate) fn present(
    run: i64,
    store: &Store,
    invocation: &Invocation,
    reports: &Path,
) -> Result<Exit> {
    let known = Known::read(run, store)?;
    let of = known.judged();
    let (files, unwritten) = match report::write(&of, reports, Exit::Store) {
        Ok(files) => (files, None),
        Err(error) => (Vec::new(), Some(error)),
    };
    print_as(usual(invocation), &of, || {
        let mut run = of.run.clone();
        if !invocation.quiet() {
            run.plan.not_tried.clear();
        }
        let of = JudgedRun { run: &run, ..of };
        text(&of, &borrowed(&files), invocation.width())
    })?;
    unwritten.map_or_else(|| Ok(verdict(of.judged)), Err)
}

/// The format where none is named.
fn usual(invocation: &Invocation) -> Format {
    if invocation.json() {
        Format::Json
    } else {
        Format::Text
    }
}

fn text(of: &JudgedRun, files: &[(&'static str, &Path)], width: usize) -> String {
    terminal::of_url(of, true, width).unwrap_or_else(|| terminal::run(of, files, width))
}

fn print_as(format: Format, of: &JudgedRun, text: impl FnOnce() -> String) -> Result<()> {
    match format {
        Format::Text => print(&text()),
        Format::Json => print_json(&::report::json::export(of)),
        Format::Ndjson => {
            let lines = ndjson(of);
            let lines = lines.map_err(|error| Error::new(Exit::Internal, error.to_string()))?;
            print_lines_of_json(&lines)
        }
        Format::Csv => print(&csv(&of.all_loads())),
        Format::Markdown => print(&of.markdown()),
    }
}

fn borrowed<'a>(files: &'a [(&'static str, PathBuf)]) -> Vec<(&'static str, &'a Path)> {
    files
        .iter()
        .map(|(what, path)| (*what, path.as_path()))
        .collect()
}

/// A run in which nothing counts is not a success, nor is one that does not surely meet what it must.
fn verdict(judged: &Judged) -> Exit {
    let unmet = |claim: &ClaimVerdict| claim.required && claim.holds != Holds::Holds;
    if judged.variants.iter().all(|variant| variant.counted == 0) {
        Exit::Invalid
    } else if judged.claims.iter().any(unmet) {
        Exit::Threshold
    } else {
        Exit::Done
    }
}
