//! `weir catalogue`: which app servers and front ends there are, what their knobs do, and whether an
//! entry does what it says.

mod check;
mod explain;

use std::path::{Path, PathBuf};

use report::terminal::Listed;
use stack::{Catalogue, Found, State};

use crate::args::{CatalogueArgs, CatalogueCommand};
use crate::error::{Exit, Result};
use crate::invocation::Invocation;

pub(crate) fn run(args: CatalogueArgs, invocation: &Invocation) -> Result<Exit> {
    let python = python(args.python.as_deref())?;
    match args.command {
        None => list(&[], false, python.as_deref(), invocation),
        Some(CatalogueCommand::List { words, markdown }) => {
            list(&words, markdown, python.as_deref(), invocation)
        }
        Some(CatalogueCommand::Explain { name, knob }) => {
            explain::run(&name, knob.as_deref(), python.as_deref(), invocation)
        }
        Some(CatalogueCommand::Search { words }) => {
            explain::search(&words, python.as_deref(), invocation)
        }
        Some(CatalogueCommand::Check(args)) => check::run(&args, python.as_deref(), invocation),
    }
}

/// A machine without any Python is a finding; one that the user named and is not there, an error.
pub(super) fn python(named: Option<&Path>) -> Result<Option<PathBuf>> {
    let here = Path::new(".");
    match named {
        Some(_) => Ok(Some(stack::app::interpreter(here, named)?)),
        None => Ok(stack::app::interpreter(here, None).ok()),
    }
}

fn list(
    words: &[String],
    markdown: bool,
    python: Option<&Path>,
    invocation: &Invocation,
) -> Result<Exit> {
    let catalogue = invocation.catalogue()?;
    let listed: Vec<Listed> = stack::probe(&catalogue, python, |_| true)
        .into_iter()
        .filter_map(|found| listed(&catalogue, found))
        .filter(|entry| has(entry, words))
        .collect();
    invocation.show(&listed, || {
        if markdown {
            return report::terminal::entries_markdown(&listed);
        }
        report::terminal::entries(&listed, invocation.width())
    })
}

fn listed(catalogue: &Catalogue, found: Found) -> Option<Listed> {
    let entry = catalogue.entry(&found.entry)?;
    let (version, install) = match found.state {
        State::Version(version) => (Some(version), None),
        State::Missing { install, .. } => (None, install),
    };
    Some(Listed {
        name: found.entry,
        kind: found.kind.words().to_owned(),
        title: found.title,
        version,
        install,
        runs: entry.runs.iter().map(|one| one.name().to_owned()).collect(),
        listens: stack::offered(&entry.listens),
        speaks: stack::offered(&entry.speaks),
        knobs: entry.knobs.keys().cloned().collect(),
        counters: entry.counts(),
    })
}

/// Whether each of these words stands somewhere in an entry.
fn has(entry: &Listed, words: &[String]) -> bool {
    let text = [
        &entry.name,
        &entry.kind,
        &entry.title,
        &entry.listens,
        &entry.speaks,
        &entry.runs.join(" "),
        &entry.knobs.join(" "),
    ];
    let text = text.map(|part| part.to_lowercase()).join(" ");
    words.iter().all(|word| text.contains(&word.to_lowercase()))
}
