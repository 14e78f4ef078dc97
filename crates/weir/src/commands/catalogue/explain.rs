//! `weir catalogue explain` and `search`: what a knob does, what its default is here, what is sensible.

use std::path::Path;

use record::Knob;
use report::terminal::Explained;
use stack::{Catalogue, Entry, KnobSpec, Machine};

use super::listed;
use crate::error::{Error, Exit, Result};
use crate::invocation::Invocation;

pub(super) fn run(
    name: &str,
    knob: Option<&str>,
    python: Option<&Path>,
    invocation: &Invocation,
) -> Result<Exit> {
    let machine = invocation.machine()?;
    let (name, knob) = of_entry(machine.catalogue(), name, knob);
    let entry = machine.catalogue().entry(name);
    let wanted = knob.unwrap_or(name);
    let knobs = match (entry, knob) {
        (Some(entry), None) => explained(&machine, entry, python, |_, _| true),
        (Some(entry), Some(_)) => explained(&machine, entry, python, |knob, _| knob == wanted),
        (None, _) => everywhere(&machine, python, |_, knob, _| knob.contains(wanted)),
    };
    if knobs.is_empty() && (entry.is_none() || knob.is_some()) {
        return Err(Error::new(
            Exit::Usage,
            format!("no entry and no knob of the catalogue is called `{wanted}`"),
        )
        .hint(format!("look for it: `weir catalogue search {wanted}`")));
    }
    let one = entry.filter(|_| knob.is_none()).and_then(|entry| {
        let this = |other: &Entry| other.name == entry.name;
        let found = stack::probe(machine.catalogue(), python, this).pop()?;
        listed(machine.catalogue(), found)
    });
    invocation.show(&knobs, || match &one {
        Some(entry) => report::terminal::entry(entry, &knobs, invocation.width()),
        None => report::terminal::knobs(&knobs, invocation.width()),
    })
}

/// `gunicorn.workers` is `gunicorn workers`.
fn of_entry<'a>(
    catalogue: &Catalogue,
    name: &'a str,
    knob: Option<&'a str>,
) -> (&'a str, Option<&'a str>) {
    let parts = name.split_once('.').filter(|_| knob.is_none());
    match parts.filter(|(entry, _)| catalogue.entry(entry).is_some()) {
        Some((entry, knob)) => (entry, Some(knob)),
        None => (name, knob),
    }
}

/// Knobs with all of these words in what is said of them, those that are called so first.
pub(super) fn search(
    words: &[String],
    python: Option<&Path>,
    invocation: &Invocation,
) -> Result<Exit> {
    let machine = invocation.machine()?;
    let words: Vec<_> = words.iter().map(|word| word.to_lowercase()).collect();
    let mut knobs = everywhere(&machine, python, |entry, knob, spec| {
        let sensible = spec.sensible.as_deref().unwrap_or_default();
        let text = [&entry.name, &entry.title, knob, &spec.help, sensible]
            .join(" ")
            .to_lowercase();
        words.iter().all(|word| text.contains(word))
    });
    knobs.sort_by_key(|knob| !words.iter().any(|word| knob.knob.contains(word)));
    invocation.show(&knobs, || {
        report::terminal::found(&knobs, invocation.width())
    })
}

fn everywhere(
    machine: &Machine,
    python: Option<&Path>,
    wanted: impl Fn(&Entry, &str, &KnobSpec) -> bool,
) -> Vec<Explained> {
    let of = |entry| {
        explained(machine, entry, python, |knob, spec| {
            wanted(entry, knob, spec)
        })
    };
    machine.catalogue().entries().flat_map(of).collect()
}

fn explained(
    machine: &Machine,
    entry: &Entry,
    python: Option<&Path>,
    wanted: impl Fn(&str, &KnobSpec) -> bool,
) -> Vec<Explained> {
    let knobs = entry.knobs.iter();
    let wanted = knobs.filter(|(knob, spec)| wanted(knob, spec));
    let explain = |(knob, spec): (&String, &KnobSpec)| {
        let version = machine.version(entry, python);
        let other = |(of, value): (&str, &Knob)| (of.to_owned(), words(value));
        let interfaces = spec
            .default_for
            .iter()
            .map(|(name, value)| (name.as_str(), value));
        let protocols = spec.default_over.iter();
        let protocols = protocols.map(|(protocol, value)| (protocol.words(), value));
        Explained {
            entry: entry.name.clone(),
            knob: knob.clone(),
            help: spec.help.clone(),
            range: spec.range(),
            unit: spec.unit.clone(),
            default: words(spec.default_at(version.as_deref(), None, None)),
            version,
            default_for: interfaces.map(other).collect(),
            default_over: protocols.map(other).collect(),
            default_before: words(&spec.default),
            default_since: spec.changes().into_iter().map(other).collect(),
            sensible: spec.sensible.clone(),
            source: spec.source.clone(),
        }
    };
    wanted.map(explain).collect()
}

fn words(value: &Knob) -> String {
    match value {
        Knob::Switch(on) => if *on { "on" } else { "off" }.to_owned(),
        Knob::Number(number) => number.to_string(),
        Knob::Text(text) if text.is_empty() => "none".to_owned(),
        Knob::Text(text) => text.clone(),
    }
}
