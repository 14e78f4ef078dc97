//! How people type the command of an entry: what `weir try` reads of the one by which an app is run today.

use std::collections::BTreeMap;

use record::Knob;
use serde::Deserialize;

use super::{Entry, KnobKind, KnobSpec};

/// A command line of an entry's program.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Typed {
    /// The name of its program, and of its module behind `-m`.
    program: String,
    /// By knob, the options that set it; of one that is on or off, those that switch it on.
    options: BTreeMap<String, Vec<String>>,
    /// By knob, other words for its values.
    #[serde(default)]
    words: BTreeMap<String, BTreeMap<String, String>>,
    /// Options that name a file in which more is set.
    #[serde(default)]
    elsewhere: Vec<String>,
}

impl Typed {
    /// The first knob that does not exist, or option that is none.
    pub(super) fn flaw(&self, entry: &Entry) -> Option<String> {
        let mut knobs = self.options.keys().chain(self.words.keys());
        if let Some(name) = knobs.find(|name| !entry.knobs.contains_key(*name)) {
            return Some(format!("`typed`: there is no knob `{name}`"));
        }
        let mut options = self.options.values().flatten().chain(&self.elsewhere);
        let none = options.find(|option| !option.starts_with('-'))?;
        Some(format!(
            "`typed`: `{none}` is no option, which begins with `-`"
        ))
    }

    /// Where among these words its program stands, if it does.
    pub(crate) fn place(&self, words: &[String]) -> Option<usize> {
        let is_program = |word: &String| word.rsplit('/').next() == Some(self.program.as_str());
        words.iter().position(is_program)
    }

    /// The knobs that the words behind its program set; none where the value of one cannot be read, or more is set elsewhere.
    pub(crate) fn read(&self, words: &[String], entry: &Entry) -> Option<BTreeMap<String, Knob>> {
        let mut knobs = BTreeMap::new();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let (option, value) = parted(word);
            if self.elsewhere.iter().any(|of| of == option) {
                return None;
            }
            let Some((name, spec)) = self.knob(option, entry) else {
                continue;
            };
            let knob = match (spec.kind, value) {
                (KnobKind::Boolean, _) => Knob::Switch(true),
                (_, Some(value)) => self.meaning(name, value, spec),
                (_, None) => self.meaning(name, words.next()?, spec),
            };
            knobs.insert(name.clone(), spec.resolve(&knob, 1).ok()?);
        }
        Some(knobs)
    }

    /// The knob that an option sets.
    fn knob<'a>(&'a self, option: &str, entry: &'a Entry) -> Option<(&'a String, &'a KnobSpec)> {
        let mut options = self.options.iter();
        let (name, _) = options.find(|(_, all)| all.iter().any(|of| of == option))?;
        Some((name, entry.knobs.get(name)?))
    }

    fn meaning(&self, name: &str, value: &str, spec: &KnobSpec) -> Knob {
        let words = self.words.get(name);
        let word = words.and_then(|words| words.get(value));
        spec.kind.typed(word.map_or(value, String::as_str))
    }
}

/// An option and the value that is in the same word: `--workers=2` and `-w2`.
fn parted(word: &str) -> (&str, Option<&str>) {
    if word.starts_with("--") {
        return match word.split_once('=') {
            Some((option, value)) => (option, Some(value)),
            None => (word, None),
        };
    }
    match word.split_at_checked(2) {
        Some((option, value)) if option.starts_with('-') && !value.is_empty() => {
            (option, Some(value))
        }
        _ => (word, None),
    }
}
