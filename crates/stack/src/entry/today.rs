//! How people who use an entry have configured it: what `weir try` looks for in an app's folder, and what
//! it takes over.

use std::collections::BTreeMap;

use record::{Knob, Protocol};
use regex::Regex;
use serde::Deserialize;

use super::Entry;

/// What an entry's users have in their apps' folders.
#[derive(Clone, Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "expected `file` and `command`, or of a front end `files`, `comment`, `setting`, `passes`, `unix`, `knobs`, `words` and `decided`"
)]
pub(crate) enum Configured {
    /// Of an app server: a file, and what is run by who has it.
    Command(Command),
    /// Of a front end: its configuration, to be read.
    Front(Fronting),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Command {
    /// Path below the app's folder.
    pub(crate) file: String,
    /// A shell's command line (template) that serves the app on `$HOST:$PORT`.
    pub(crate) command: String,
}

/// How a front end's configuration is read: by patterns, as weir does not know its language.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Fronting {
    /// Paths below the app's folder; one `*` stands for any part of a name.
    pub(crate) files: Vec<String>,
    /// What is no part of it.
    comment: String,
    /// A setting, its name the first group.
    setting: String,
    /// What passes requests on, by the protocol that is spoken then.
    passes: BTreeMap<Protocol, String>,
    /// What passes them on over a Unix socket.
    unix: String,
    /// Knobs, each by the place of its value: the first group.
    pub(super) knobs: BTreeMap<String, String>,
    /// Its words for values.
    words: BTreeMap<String, Knob>,
    /// Settings that weir decides in its place: addresses, files, users.
    decided: Vec<String>,
}

/// What a front end's configuration says.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Fronted {
    pub(crate) protocol: Protocol,
    pub(crate) unix: bool,
    pub(crate) knobs: BTreeMap<String, Knob>,
    /// Settings for which there is no knob, or whose value it does not take.
    pub(crate) lost: Vec<String>,
}

impl Configured {
    pub(super) fn command(&self) -> Option<&str> {
        match self {
            Self::Command(said) => Some(&said.command),
            Self::Front(_) => None,
        }
    }

    /// The first pattern that is none, or a knob that does not exist.
    pub(super) fn flaw(&self, entry: &Entry) -> Option<String> {
        let Self::Front(front) = self else {
            return None;
        };
        let mut knobs = front.knobs.keys();
        if let Some(name) = knobs.find(|&name| !entry.knobs.contains_key(name)) {
            return Some(format!("`today`: there is no knob `{name}`"));
        }
        let grouped = [&front.setting].into_iter().chain(front.knobs.values());
        let plain = [&front.comment, &front.unix].into_iter();
        let plain = plain.chain(front.passes.values());
        let flaw = |pattern: &String, groups: usize| match Regex::new(pattern) {
            Err(_) => Some(format!("`today`: `{pattern}` is no regular expression")),
            Ok(regex) if regex.captures_len() <= groups => Some(format!(
                "`today`: `{pattern}` needs a group around what it finds"
            )),
            Ok(_) => None,
        };
        let patterns = grouped.map(|pattern| (pattern, 1));
        let mut patterns = patterns.chain(plain.map(|pattern| (pattern, 0)));
        patterns.find_map(|(pattern, groups)| flaw(pattern, groups))
    }
}

impl Fronting {
    /// Reads a configuration; nothing where it passes no request on.
    pub(crate) fn read(&self, text: &str, entry: &Entry) -> Option<Fronted> {
        let text = &*regex(&self.comment).replace_all(text, "");
        let mut passes = self.passes.iter();
        let (protocol, _) = passes.find(|(_, pattern)| regex(pattern).is_match(text))?;
        let mut fronted = Fronted {
            protocol: *protocol,
            unix: regex(&self.unix).is_match(text),
            ..Fronted::default()
        };
        let mut carried = Vec::new();
        for (name, pattern) in &self.knobs {
            let Some(value) = regex(pattern).captures(text).and_then(|found| found.get(1)) else {
                continue;
            };
            let knob = self.meaning(value.as_str());
            if entry.knobs[name].resolve(&knob, 1).is_ok() {
                fronted.knobs.insert(name.clone(), knob);
                carried.push(value.start());
            }
        }
        for setting in regex(&self.setting).captures_iter(text) {
            let (whole, name) = (setting.get_match(), setting[1].to_owned());
            let taken = carried.iter().any(|place| whole.range().contains(place));
            if !taken && !self.decided.contains(&name) && !fronted.lost.contains(&name) {
                fronted.lost.push(name);
            }
        }
        Some(fronted)
    }

    fn meaning(&self, value: &str) -> Knob {
        match (self.words.get(value), value.parse()) {
            (Some(knob), _) => knob.clone(),
            (None, Ok(number)) => Knob::Number(number),
            (None, Err(_)) => Knob::Text(value.to_owned()),
        }
    }
}

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("checked when the entry was read")
}
