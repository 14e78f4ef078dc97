//! Defaults as a server itself tells them, held against those that its entry names.

use std::collections::BTreeMap;
use std::path::Path;

use minijinja::context;
use minijinja::value::Serde;
use record::Knob;

use crate::entry::{Ask, Entry, KnobKind, expression, knob::text};
use crate::error::{Result, StackError};
use crate::probe::{Identity, PATIENCE};
use crate::process::capture;

/// The knobs whose defaults the server tells as the entry does; none when it cannot be asked.
/// Errors: a command that fails or says nothing of any knob, and a default that the entry has wrong.
pub(crate) fn confirmed(
    entry: &Entry,
    identity: &Identity,
    python: &Path,
    cores: u32,
) -> Result<Vec<String>> {
    let Some(ask) = &entry.ask else {
        return Ok(Vec::new());
    };
    let wrong = |problem: String| StackError::Entry {
        file: format!("{}.toml", entry.name),
        problem: format!("`ask`: {problem}"),
    };
    let told = told(entry, ask, identity, python).map_err(wrong)?;
    let mut confirmed = Vec::new();
    for (name, spec) in &entry.knobs {
        let Some(value) = told.get(name) else {
            continue;
        };
        let version = &identity.version;
        let ours = spec.resolve(spec.default_at(Some(version), None, None), cores);
        let ours = ours.map_err(|unfit| wrong(unfit.problem))?;
        if knob(spec.kind, value).as_ref() != Some(&ours) {
            let ours = text(&ours);
            return Err(wrong(format!(
                "version {version} says that the default of `{name}` is `{value}`, and the entry says `{ours}`"
            )));
        }
        confirmed.push(name.clone());
    }
    if confirmed.is_empty() {
        let problem = "nothing that it prints is the name of a knob";
        return Err(wrong(problem.to_owned()));
    }
    Ok(confirmed)
}

/// What the server prints, by the names of knobs.
fn told(
    entry: &Entry,
    ask: &Ask,
    identity: &Identity,
    python: &Path,
) -> Result<BTreeMap<String, String>, String> {
    let words = context! {
        python => Serde(python),
        program => Serde(&identity.program),
        version => &identity.version,
    };
    let mut argv = vec!["env".to_owned()];
    let unset = entry.unset.iter();
    argv.extend(unset.flat_map(|name| ["-u".to_owned(), name.clone()]));
    for text in &ask.argv {
        argv.push(expression::render(text, &words)?);
    }
    let printed = capture(&argv, None, &[], PATIENCE).map_err(|error| error.to_string())?;
    if !printed.succeeded() {
        return Err(format!("`{}` {}", argv.join(" "), printed.how()));
    }
    let pattern = regex::Regex::new(&ask.pattern).map_err(|error| error.to_string())?;
    let text = printed.everything();
    let pairs = pattern.captures_iter(&text).filter_map(|found| {
        let name = found.get(1)?.as_str().replace('_', "-").to_lowercase();
        Some((name, found.get(2)?.as_str().trim().to_owned()))
    });
    Ok(pairs.collect())
}

/// A value as servers print it.
fn knob(kind: KnobKind, text: &str) -> Option<Knob> {
    match kind {
        KnobKind::Integer => whole(text).map(Knob::Number),
        KnobKind::Boolean => match text.to_lowercase().as_str() {
            "true" | "on" | "yes" | "1" => Some(Knob::Switch(true)),
            "false" | "off" | "no" | "0" | "none" | "nil" => Some(Knob::Switch(false)),
            _ => None,
        },
        KnobKind::Choice | KnobKind::Text => Some(Knob::Text(text.to_owned())),
    }
}

/// `5`, and `5.000` too.
fn whole(text: &str) -> Option<i64> {
    let (number, rest) = text.split_once('.').unwrap_or((text, ""));
    let number = number.parse().ok()?;
    rest.bytes().all(|digit| digit == b'0').then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_servers_print_becomes_a_value() {
        assert_eq!(knob(KnobKind::Integer, "60.000"), Some(Knob::Number(60)));
        assert_eq!(knob(KnobKind::Integer, "-1"), Some(Knob::Number(-1)));
        assert_eq!(knob(KnobKind::Integer, "3.5"), None);
        assert_eq!(knob(KnobKind::Integer, "None"), None);
        assert_eq!(knob(KnobKind::Boolean, "On"), Some(Knob::Switch(true)));
        assert_eq!(knob(KnobKind::Boolean, "maybe"), None);
        assert_eq!(
            knob(KnobKind::Choice, "auto"),
            Some(Knob::Text("auto".into()))
        );
    }
}
