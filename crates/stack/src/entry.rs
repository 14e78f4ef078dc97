use std::collections::{BTreeMap, BTreeSet};

use record::{Interface, Protocol, Transport};
use serde::Deserialize;

use crate::expression::{names_in_condition, names_in_template};
use crate::knob::KnobSpec;
use crate::order::StopSignal;

/// One app server or front end, as its TOML file declares it.
///
/// `catalogue/app-servers/gunicorn.toml` explains every key.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Entry {
    /// What plans call it; the file's name.
    pub name: String,
    /// Which side of the stack it stands on.
    pub kind: Kind,
    /// One line for people.
    pub title: String,
    /// Where its documentation is.
    pub home: String,
    /// Interfaces it can load by itself.
    pub runs: Vec<Interface>,
    /// Frameworks of which the app must use one; empty: any app.
    #[serde(default)]
    pub frameworks: Vec<String>,
    /// What clients can speak to it.
    pub listens: BTreeMap<Protocol, Vec<Transport>>,
    /// What it can speak to a server behind it.
    #[serde(default)]
    pub speaks: BTreeMap<Protocol, Vec<Transport>>,
    pub(crate) find: Find,
    /// Commands (templates) that install it, by means.
    #[serde(default)]
    pub(crate) install: BTreeMap<String, String>,
    pub(crate) argv: Vec<Argument>,
    #[serde(default)]
    pub(crate) env: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) unset: Vec<String>,
    pub(crate) stop: Stop,
    #[serde(default)]
    pub(crate) files: Vec<FileTemplate>,
    #[serde(default)]
    pub(crate) check: Option<Vec<String>>,
    #[serde(default = "address_in_use")]
    pub(crate) address_in_use: String,
    #[serde(default)]
    pub(crate) needs: Vec<Need>,
    #[serde(default)]
    pub(crate) refuse: Vec<Refusal>,
    /// What a plan may set, by name.
    #[serde(default)]
    pub knobs: BTreeMap<String, KnobSpec>,
}

fn address_in_use() -> String {
    "(?i)address already in use".to_owned()
}

/// Which side of a stack an entry stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Loads the app.
    AppServer,
    /// Clients connect to it; it passes requests on or serves files.
    FrontEnd,
}

impl Kind {
    /// The kind as a person says it.
    pub fn words(self) -> &'static str {
        match self {
            Self::AppServer => "app server",
            Self::FrontEnd => "front end",
        }
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Find {
    pub(crate) program: Option<String>,
    pub(crate) version: VersionCommand,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct VersionCommand {
    pub(crate) argv: Vec<String>,
    pub(crate) pattern: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a template or `{ when = \"…\", argv = […] }`"
)]
pub(crate) enum Argument {
    Always(String),
    When(Conditional),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Conditional {
    pub(crate) when: String,
    pub(crate) argv: Vec<String>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Stop {
    pub(crate) signal: StopSignal,
    /// Seconds.
    pub(crate) grace: u32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FileTemplate {
    pub(crate) path: String,
    pub(crate) template: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Need {
    pub(crate) what: String,
    #[serde(default = "always")]
    pub(crate) when: String,
    pub(crate) check: Vec<String>,
    pub(crate) install: String,
}

fn always() -> String {
    "true".to_owned()
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Refusal {
    pub(crate) when: String,
    pub(crate) why: String,
    pub(crate) hint: String,
}

impl Entry {
    /// Reads an entry and checks it as far as that is possible without running it.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let entry: Self = toml::from_str(text).map_err(|error| toml_problem(text, &error))?;
        entry.flaw().map_or(Ok(entry), Err)
    }

    fn flaw(&self) -> Option<String> {
        let word = |name: &str| {
            !name.is_empty()
                && name
                    .chars()
                    .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        };
        if !word(&self.name) {
            return Some(format!(
                "`name` must be lower-case words joined by `-`, not `{}`",
                self.name
            ));
        }
        if let Some((name, spec)) = self
            .knobs
            .iter()
            .find(|(name, spec)| !word(name) || spec.flaw().is_some())
        {
            let flaw = spec
                .flaw()
                .unwrap_or_else(|| "its name must be lower-case words joined by `-`".into());
            return Some(format!("knob `{name}`: {flaw}"));
        }
        self.flaw_in_paths()
            .or_else(|| self.flaw_in_patterns())
            .or_else(|| self.flaw_in_templates())
    }

    fn flaw_in_paths(&self) -> Option<String> {
        if self.listens.values().all(Vec::is_empty) {
            return Some("`listens` is empty: clients could not reach it".into());
        }
        match self.kind {
            Kind::AppServer if self.runs.is_empty() => Some("an app server needs `runs`".into()),
            Kind::AppServer if !self.speaks.is_empty() => Some("`speaks` is for front ends".into()),
            Kind::FrontEnd if self.runs.is_empty() && self.speaks.is_empty() => {
                Some("a front end needs `speaks`, or `runs = [\"static\"]`".into())
            }
            _ => self
                .files
                .iter()
                .find(|file| {
                    std::path::Path::new(&file.path).components().count() != 1
                        || file.path.contains("..")
                })
                .map(|file| {
                    format!(
                        "file `{}` must be a plain name: it lies in the private folder",
                        file.path
                    )
                }),
        }
    }

    fn flaw_in_patterns(&self) -> Option<String> {
        let version = regex::Regex::new(&self.find.version.pattern);
        match (version, regex::Regex::new(&self.address_in_use)) {
            (Err(error), _) => Some(format!("`find.version.pattern`: {}", last_line(&error))),
            (Ok(pattern), _) if pattern.captures_len() < 2 => {
                Some("`find.version.pattern` needs a group around the version".into())
            }
            (_, Err(error)) => Some(format!("`address-in-use`: {}", last_line(&error))),
            _ => None,
        }
    }

    /// Templates must parse, name only knobs that exist, and leave no knob unused.
    fn flaw_in_templates(&self) -> Option<String> {
        let mut used = BTreeSet::new();
        for (place, text, condition) in self.texts() {
            let names = if condition {
                names_in_condition(text)
            } else {
                names_in_template(text)
            };
            match names {
                Ok(names) => used.extend(names.into_iter().map(|name| (name, place))),
                Err(problem) => {
                    return Some(format!("{place}: {problem} in `{}`", text.lines().next()?));
                }
            }
        }
        let knob = |name: &str| {
            name.strip_prefix("knobs.")
                .map(|knob| knob.replace('_', "-"))
        };
        if let Some((name, place)) = used
            .iter()
            .filter_map(|(name, place)| Some((knob(name)?, place)))
            .find(|(name, _)| !self.knobs.contains_key(name))
        {
            return Some(format!("{place}: there is no knob `{name}`"));
        }
        let used: BTreeSet<_> = used.iter().filter_map(|(name, _)| knob(name)).collect();
        self.knobs
            .keys()
            .find(|name| !used.contains(*name))
            .map(|name| format!("knob `{name}` is used in no template"))
    }

    /// Every template and condition, with the key it stands under.
    fn texts(&self) -> Vec<(&'static str, &str, bool)> {
        let mut texts = Vec::new();
        for argument in &self.argv {
            match argument {
                Argument::Always(text) => texts.push(("argv", text.as_str(), false)),
                Argument::When(some) => {
                    texts.push(("argv", some.when.as_str(), true));
                    texts.extend(some.argv.iter().map(|text| ("argv", text.as_str(), false)));
                }
            }
        }
        texts.extend(self.env.values().map(|text| ("env", text.as_str(), false)));
        texts.extend(
            self.files
                .iter()
                .map(|file| ("files", file.template.as_str(), false)),
        );
        texts.extend(
            self.check
                .iter()
                .flatten()
                .map(|text| ("check", text.as_str(), false)),
        );
        texts.extend(
            self.install
                .values()
                .map(|text| ("install", text.as_str(), false)),
        );
        texts.extend(
            self.find
                .version
                .argv
                .iter()
                .map(|text| ("find", text.as_str(), false)),
        );
        for need in &self.needs {
            texts.push(("needs", &need.when, true));
            texts.extend(
                need.check
                    .iter()
                    .map(|text| ("needs", text.as_str(), false)),
            );
            texts.push(("needs", &need.install, false));
        }
        for refusal in &self.refuse {
            texts.push(("refuse", &refusal.when, true));
            texts.push(("refuse", &refusal.why, false));
            texts.push(("refuse", &refusal.hint, false));
        }
        texts
    }
}

fn last_line(error: &regex::Error) -> String {
    error
        .to_string()
        .lines()
        .last()
        .unwrap_or_default()
        .to_owned()
}

/// What is wrong with a TOML text, in one line: `line 3: unknown field …`.
pub(crate) fn toml_problem(text: &str, error: &toml::de::Error) -> String {
    let message = error.message().replace('\n', " ");
    match error.span() {
        Some(span) => {
            let line = text[..span.start.min(text.len())].matches('\n').count() + 1;
            format!("line {line}: {message}")
        }
        None => message,
    }
}
