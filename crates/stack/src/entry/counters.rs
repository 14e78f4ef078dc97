use std::collections::BTreeMap;
use std::net::SocketAddr;

use record::{CounterKind, CounterSpec, Target};
use regex::Regex;
use serde::Deserialize;

use super::{Argument, Entry};

/// What a program counts itself, and how it tells.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Counters {
    /// A condition.
    #[serde(default = "super::parts::always")]
    pub(crate) when: String,
    /// A template: an address as servers are told theirs.
    #[serde(default)]
    pub(crate) at: Option<String>,
    /// A template: a path, asked for over HTTP.
    #[serde(default)]
    pub(crate) get: Option<String>,
    /// A template: a line of text.
    #[serde(default)]
    pub(crate) send: Option<String>,
    /// Templates: a command that prints them.
    #[serde(default)]
    pub(crate) run: Option<Vec<Argument>>,
    /// How each counter is read, by name.
    pub(crate) each: BTreeMap<String, CounterSpec>,
}

/// How a program is asked, in templates.
pub(crate) enum Question<'a> {
    Get { at: &'a str, path: &'a str },
    Send { at: &'a str, line: &'a str },
    Run(&'a [Argument]),
}

impl Counters {
    /// The first thing that is wrong with it.
    pub(super) fn flaw(&self) -> Option<String> {
        if self.question().is_none() {
            let needs = "`counters` needs either `at` with `get` or `send`, or `run` alone";
            return Some(needs.to_owned());
        }
        if self.each.is_empty() {
            return Some("`counters.each` is empty".to_owned());
        }
        let flaw = |(name, spec): (&String, &CounterSpec)| {
            Some(format!("counter `{name}`: {}", flaw_of(name, spec)?))
        };
        self.each.iter().find_map(flaw)
    }

    /// How a program is asked; none where the entry does not say it, or says it twice.
    pub(crate) fn question(&self) -> Option<Question<'_>> {
        match (&self.at, &self.get, &self.send, &self.run) {
            (Some(at), Some(path), None, None) => Some(Question::Get { at, path }),
            (Some(at), None, Some(line), None) => Some(Question::Send { at, line }),
            (None, None, None, Some(argv)) if !argv.is_empty() => Some(Question::Run(argv)),
            _ => None,
        }
    }
}

impl Entry {
    /// What it counts itself and notes of requests, as a person says it: `active (connections, a gauge)`.
    pub fn counts(&self) -> Vec<String> {
        let counters = self.counters.iter().flat_map(|of| &of.each);
        let noted = self.noted.iter().flat_map(|of| &of.each);
        let told = |(name, spec): (&String, &CounterSpec)| match spec.kind {
            CounterKind::Total => format!("{name} ({})", spec.unit),
            CounterKind::Gauge => format!("{name} ({}, a gauge)", spec.unit),
            CounterKind::Average => format!("{name} ({}, an average)", spec.unit),
        };
        counters.chain(noted).map(told).collect()
    }
}

pub(super) fn flaw_of(name: &str, spec: &CounterSpec) -> Option<String> {
    if !super::flaws::is_word(name) {
        return Some(super::flaws::NO_WORD.to_owned());
    }
    match (&spec.pattern, &spec.column) {
        (Some(pattern), None) if spec.row.is_empty() => match Regex::new(pattern) {
            Err(error) => Some(format!("`pattern`: {}", super::flaws::last_line(&error))),
            Ok(pattern) if pattern.captures_len() != 2 => {
                Some("`pattern` needs one group: the value".to_owned())
            }
            Ok(_) => None,
        },
        (None, Some(_)) if spec.letters.is_none() => None,
        (None, Some(_)) => Some("`letters` are counted in what `pattern` finds".to_owned()),
        _ => Some("it needs either `pattern`, or `row` and `column`".to_owned()),
    }
}

/// An address as templates write it: `unix:/path` or `127.0.0.1:4000`.
pub(crate) fn target(text: &str) -> Result<Target, String> {
    match text.strip_prefix("unix:") {
        Some(path) => Ok(Target::Unix(path.into())),
        None => text
            .parse::<SocketAddr>()
            .map(Target::Tcp)
            .map_err(|_| format!("`{text}` is no address; write `unix:/path` or `127.0.0.1:4000`")),
    }
}
