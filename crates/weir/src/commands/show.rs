//! `weir show`: a run as its facts are judged today.

use std::path::{Path, PathBuf};

use ::report::terminal;
use judge::{ClaimVerdict, Holds, Judged};
use store::Store;

use crate::args::RunName;
use crate::commands::known::Known;
use crate::commands::report;
use crate::error::Result;
use crate::exit::Exit;
use crate::invocation::{Invocation, named};
use crate::output::{print, print_json};

pub(crate) fn run(name: RunName, invocation: &Invocation) -> Result<Exit> {
    let store = invocation.store_to_read()?;
    let run = named(&store, name)?;
    present(run.id, &store, invocation, None)
}

/// Prints a run; with `reports`, writes its files into that folder first. A run whose files cannot be written is printed
/// all the same, before that is told.
pub(crate) fn present(
    run: i64,
    store: &Store,
    invocation: &Invocation,
    reports: Option<&Path>,
) -> Result<Exit> {
    let known = Known::read(run, store)?;
    let findings = known.judged();
    let written = reports.map(|folder| report::write(&findings, folder, Exit::Store));
    let (files, unwritten) = match written.transpose() {
        Ok(files) => (files.unwrap_or_default(), None),
        Err(error) => (Vec::new(), Some(error)),
    };
    if invocation.json() {
        print_json(&::report::json::export(&findings))?;
    } else {
        let width = invocation.width();
        let text = terminal::of_url(&findings, true, width)
            .unwrap_or_else(|| terminal::run(&findings, &borrowed(&files), width));
        print(&text)?;
        if reports.is_none() {
            print(&terminal::counters(&findings, width))?;
        }
    }
    unwritten.map_or_else(|| Ok(verdict(findings.judged)), Err)
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
