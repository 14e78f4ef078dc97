//! `weir catalogue`: which app servers and front ends there are, what their knobs do, and whether an
//! entry does what it says.

mod check;

use std::path::{Path, PathBuf};

use record::Knob;
use report::terminal::{Explained, Listed};
use stack::{Catalogue, Entry, Found, KnobSpec, State};

use crate::args::{CatalogueArgs, CatalogueCommand};
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::output::{print, print_json};
use crate::session::{Session, width};

pub(crate) fn run(args: CatalogueArgs, session: &Session) -> Result<Exit> {
    let python = python(args.python.as_deref())?;
    match args.command {
        None => list(&[], false, python.as_deref(), session),
        Some(CatalogueCommand::List { words, markdown }) => {
            list(&words, markdown, python.as_deref(), session)
        }
        Some(CatalogueCommand::Explain { name, knob }) => {
            explain(&name, knob.as_deref(), python.as_deref(), session)
        }
        Some(CatalogueCommand::Check(args)) => check::run(&args, python.as_deref(), session),
    }
}

/// A machine without any Python is a finding; one that the user named and is not there, an error.
fn python(named: Option<&Path>) -> Result<Option<PathBuf>> {
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
    session: &Session,
) -> Result<Exit> {
    let catalogue = session.catalogue()?;
    let listed: Vec<Listed> = stack::probe(&catalogue, python)
        .into_iter()
        .filter_map(|found| listed(&catalogue, found))
        .filter(|entry| has(entry, words))
        .collect();
    if session.json() {
        print_json(&listed)?;
    } else if markdown {
        print(&report::terminal::entries_markdown(&listed))?;
    } else {
        print(&report::terminal::entries(&listed, width()))?;
    }
    Ok(Exit::Done)
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

fn explain(
    name: &str,
    knob: Option<&str>,
    python: Option<&Path>,
    session: &Session,
) -> Result<Exit> {
    let catalogue = session.catalogue()?;
    let entry = catalogue.entry(name);
    let wanted = knob.unwrap_or(name);
    let of = |entry: &Entry| {
        let knobs = entry.knobs.iter();
        let knobs = knobs.filter(|(other, _)| knob.is_none() || *other == wanted);
        knobs
            .map(|(knob, spec)| explained(entry, knob, spec))
            .collect::<Vec<_>>()
    };
    let knobs = if let Some(entry) = entry {
        of(entry)
    } else {
        let all = catalogue.entries().flat_map(|entry| {
            let named = entry.knobs.iter().filter(|(knob, _)| knob.contains(wanted));
            named.map(|(knob, spec)| explained(entry, knob, spec))
        });
        all.collect()
    };
    if knobs.is_empty() && (entry.is_none() || knob.is_some()) {
        return Err(Error::new(
            Exit::Usage,
            format!("no entry and no knob of the catalogue is called `{wanted}`"),
        )
        .hint(format!("look for it: `weir catalogue list {wanted}`")));
    }
    let one = entry.filter(|_| knob.is_none()).and_then(|entry| {
        let found = stack::probe(&catalogue, python);
        let found = found.into_iter().find(|found| found.entry == entry.name)?;
        listed(&catalogue, found)
    });
    if session.json() {
        print_json(&knobs)?;
    } else {
        let text = match one {
            Some(entry) => report::terminal::entry(&entry, &knobs, width()),
            None => report::terminal::knobs(&knobs, width()),
        };
        print(&text)?;
    }
    Ok(Exit::Done)
}

fn explained(entry: &Entry, knob: &str, spec: &KnobSpec) -> Explained {
    let unit = spec.unit.as_deref().map(|unit| format!(" {unit}"));
    Explained {
        entry: entry.name.clone(),
        knob: knob.to_owned(),
        help: spec.help.clone(),
        range: spec.range(),
        default: match &spec.default {
            Knob::Switch(on) => if *on { "on" } else { "off" }.to_owned(),
            Knob::Number(number) => format!("{number}{}", unit.unwrap_or_default()),
            Knob::Text(text) if text.is_empty() => "none".to_owned(),
            Knob::Text(text) => text.clone(),
        },
        sensible: spec.sensible.clone(),
        source: spec.source.clone(),
    }
}
