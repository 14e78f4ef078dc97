use std::collections::BTreeMap;

use record::{Interface, Knob, Protocol};
use serde::Deserialize;

use crate::entry::{Entry, expression, offers::meant};
use crate::error::{Result, StackError};

/// Characters of a formula that an error shows.
const SHOWN: usize = 200;

/// What an entry says of one knob.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct KnobSpec {
    /// What values it takes.
    #[serde(rename = "type")]
    pub kind: KnobKind,
    /// The server's own default.
    pub default: Knob,
    /// Other defaults, by the name of the app's interface.
    #[serde(default)]
    pub default_for: BTreeMap<String, Knob>,
    /// Other defaults of a front end, by the protocol that it speaks to the server behind it.
    #[serde(default)]
    pub default_over: BTreeMap<Protocol, Knob>,
    /// Other defaults, by the version of the server that brought them.
    #[serde(default)]
    pub default_since: BTreeMap<String, Knob>,
    /// The value in files that are handed over, whatever it was in a trial: what it does is of use to weir alone, or only there.
    pub deployed: Option<Knob>,
    /// The value with which it is tried in `weir catalogue check`, where its default takes long.
    pub checked: Option<Knob>,
    /// Smallest value of an integer, in `unit`.
    pub min: Option<i64>,
    /// Largest value of an integer, in `unit`.
    pub max: Option<i64>,
    /// Unit of an integer.
    pub unit: Option<String>,
    /// Values of a choice.
    #[serde(default)]
    pub choices: Vec<String>,
    /// One line for people.
    pub help: String,
    /// What is a sensible value, and when, in one line.
    pub sensible: Option<String>,
    /// Where default, range and meaning were read.
    pub source: String,
}

/// What values a knob takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KnobKind {
    /// A whole number, or a formula over `cores` that gives one.
    Integer,
    /// On or off.
    Boolean,
    /// One of a list of words.
    Choice,
    /// Any text of one line: a command, a name.
    Text,
}

impl KnobKind {
    /// A value as a user types it: `4`, `on` or `true`, a word. What is none of this kind stays text, which fits no such knob.
    pub fn typed(self, text: &str) -> Knob {
        let value = match (self, text) {
            (Self::Integer, _) => text.parse().ok().map(Knob::Number),
            (Self::Boolean, "on" | "true") => Some(Knob::Switch(true)),
            (Self::Boolean, "off" | "false") => Some(Knob::Switch(false)),
            _ => None,
        };
        value.unwrap_or_else(|| Knob::Text(text.to_owned()))
    }
}

/// Why a value is not one of a knob's, and what to type instead.
pub(crate) struct Unfit {
    pub(crate) problem: String,
    pub(crate) hint: String,
}

impl KnobSpec {
    /// What values it takes, for people: `1 to 256 processes`.
    pub fn range(&self) -> String {
        match self.kind {
            KnobKind::Integer => {
                let (min, max) = self.bounds();
                let unit = self.unit.as_deref().unwrap_or_default();
                format!("{min} to {max} {unit}").trim_end().to_owned()
            }
            KnobKind::Boolean => "true or false".to_owned(),
            KnobKind::Choice => format!("one of {}", self.choices.join(", ")),
            KnobKind::Text => "a text of one line".to_owned(),
        }
    }

    /// The default of a server of this version for an app of this interface, over this protocol to the server behind
    /// it. A version that is not known counts as one before every change.
    pub fn default_at(
        &self,
        version: Option<&str>,
        interface: Option<Interface>,
        behind: Option<Protocol>,
    ) -> &Knob {
        let here = |(since, _): &(&str, &Knob)| {
            version.is_some_and(|version| expression::at_least(version, since))
        };
        let latest = self.changes().into_iter().rfind(here);
        let own = interface.and_then(|interface| self.default_for.get(interface.name()));
        behind
            .and_then(|protocol| self.default_over.get(&protocol))
            .or(own)
            .or(latest.map(|(_, value)| value))
            .unwrap_or(&self.default)
    }

    /// The versions that brought other defaults, the oldest first.
    pub fn changes(&self) -> Vec<(&str, &Knob)> {
        let each = self.default_since.iter();
        let mut changes: Vec<_> = each.map(|(since, value)| (since.as_str(), value)).collect();
        changes.sort_by_key(|(since, _)| expression::numbers(since));
        changes
    }

    /// The value to run with: `given` checked, formulas resolved.
    pub(crate) fn resolve(&self, given: &Knob, cores: u32) -> Result<Knob, Unfit> {
        match (self.kind, given) {
            (KnobKind::Integer, Knob::Number(number)) => self.within(*number),
            (KnobKind::Integer, Knob::Text(formula)) => {
                let number = expression::whole_number(formula, cores).map_err(|problem| Unfit {
                    problem: format!(
                        "`{}` is not a formula over `cores`: {problem}",
                        formula.chars().take(SHOWN).collect::<String>()
                    ),
                    hint: "write a number, or a formula such as \"cores\" or \"2*cores+1\"".into(),
                })?;
                self.within(number)
            }
            (KnobKind::Boolean, Knob::Switch(_)) => Ok(given.clone()),
            (KnobKind::Choice, Knob::Text(word)) if self.choices.contains(word) => {
                Ok(given.clone())
            }
            (KnobKind::Choice, Knob::Text(word)) => Err(self.unknown_choice(word)),
            (KnobKind::Text, Knob::Text(text)) if !text.contains(char::is_control) => {
                Ok(given.clone())
            }
            (_, other) => Err(Unfit {
                problem: format!("`{}` is not {}", text(other), self.range()),
                hint: format!("write {}", self.range()),
            }),
        }
    }

    fn within(&self, number: i64) -> Result<Knob, Unfit> {
        let (min, max) = self.bounds();
        if (min..=max).contains(&number) {
            return Ok(Knob::Number(number));
        }
        Err(Unfit {
            problem: format!("{number} is out of range: {}", self.range()),
            hint: format!("the nearest value allowed is {}", number.clamp(min, max)),
        })
    }

    fn unknown_choice(&self, word: &str) -> Unfit {
        let (range, choices) = (self.range(), self.choices.iter().map(String::as_str));
        Unfit {
            problem: format!("`{word}` is not {range}"),
            hint: record::meant(word, choices, || format!("write {range}")),
        }
    }

    fn bounds(&self) -> (i64, i64) {
        (self.min.unwrap_or(i64::MIN), self.max.unwrap_or(i64::MAX))
    }

    /// Both ends of its range, or every choice.
    pub fn extremes(&self) -> Vec<Knob> {
        match self.kind {
            KnobKind::Integer => {
                let (min, max) = self.bounds();
                vec![Knob::Number(min), Knob::Number(max)]
            }
            KnobKind::Boolean => vec![Knob::Switch(false), Knob::Switch(true)],
            KnobKind::Choice => self.choices.iter().cloned().map(Knob::Text).collect(),
            KnobKind::Text => Vec::new(),
        }
    }

    /// Whether it has this value wherever nobody gives it another.
    pub(crate) fn is_always(&self, value: &Knob) -> bool {
        self.default == *value
            && self.default_for.is_empty()
            && self.default_over.is_empty()
            && self.default_since.is_empty()
    }

    /// What is wrong with the specification itself, if anything.
    pub(crate) fn flaw(&self) -> Option<String> {
        let bounded = self.min.is_some() && self.max.is_some();
        match self.kind {
            KnobKind::Integer if !bounded || self.unit.is_none() => {
                return Some("an integer needs `min`, `max` and `unit`".into());
            }
            KnobKind::Integer if self.min > self.max => {
                return Some("`min` is larger than `max`".into());
            }
            KnobKind::Choice if self.choices.is_empty() => {
                return Some("a choice needs `choices`".into());
            }
            _ => {}
        }
        if self.help.is_empty() || self.help.contains('\n') || self.source.is_empty() {
            return Some("`help` (one line) and `source` must not be empty".into());
        }
        let known = |name: &&String| Interface::ALL.iter().any(|one| one.name() == name.as_str());
        if let Some(name) = self.default_for.keys().find(|name| !known(name)) {
            return Some(format!("`default-for` names an unknown interface `{name}`"));
        }
        let version = |since: &&String| expression::numbers(since).is_empty();
        if let Some(name) = self.default_since.keys().find(version) {
            return Some(format!(
                "`default-since` needs versions, and `{name}` is none"
            ));
        }
        let others = self.default_for.values().chain(self.default_over.values());
        let others = others.chain(self.default_since.values());
        let defaults = std::iter::once(&self.default).chain(others);
        let mut values = defaults
            .map(|value| ("default", value))
            .chain(self.deployed.iter().map(|value| ("deployed", value)))
            .chain(self.checked.iter().map(|value| ("checked", value)));
        values.find_map(|(key, value)| {
            let unfit = self.resolve(value, 1).err()?;
            Some(format!("{key} {}", unfit.problem))
        })
    }
}

impl Entry {
    /// Every knob with its value: the given ones checked, the others at their defaults, formulas
    /// over `cores` resolved. The version decides between defaults that changed, and of a front end the protocol that it
    /// speaks to what is `behind` it.
    /// Errors: a knob that the entry does not have, or a value that does not fit it.
    pub(crate) fn settle(
        &self,
        given: &BTreeMap<String, Knob>,
        interface: Interface,
        cores: u32,
        version: Option<&str>,
        behind: Option<Protocol>,
    ) -> Result<BTreeMap<String, Knob>> {
        if let Some(name) = given.keys().find(|name| !self.knobs.contains_key(*name)) {
            return Err(self.unknown_knob(name));
        }
        self.knobs
            .iter()
            .map(|(name, spec)| {
                let own = || spec.default_at(version, Some(interface), behind);
                let value = spec.resolve(given.get(name).unwrap_or_else(own), cores);
                let value = value.map(|value| (name.clone(), value));
                value.map_err(|unfit| self.bad_knob(name, unfit.problem, unfit.hint))
            })
            .collect()
    }

    fn unknown_knob(&self, name: &str) -> StackError {
        let known: Vec<_> = self.knobs.keys().map(String::as_str).collect();
        let hint = meant(name, &known, "known");
        self.bad_knob(name, "there is no such knob".to_owned(), hint)
    }

    fn bad_knob(&self, knob: &str, problem: String, hint: String) -> StackError {
        StackError::Knob {
            entry: self.name.clone(),
            knob: knob.to_owned(),
            problem,
            hint,
        }
    }
}

/// Knobs by the names that templates use.
pub(crate) fn words_of(knobs: &BTreeMap<String, Knob>) -> BTreeMap<String, &Knob> {
    let words = knobs.iter();
    let words = words.map(|(name, value)| (name.replace('-', "_"), value));
    words.collect()
}

/// A knob's value as a person writes it.
pub(crate) fn text(value: &Knob) -> String {
    match value {
        Knob::Switch(on) => on.to_string(),
        Knob::Number(number) => number.to_string(),
        Knob::Text(text) => text.clone(),
    }
}
