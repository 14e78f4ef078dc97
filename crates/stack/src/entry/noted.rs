use std::collections::BTreeMap;

use record::{CounterKind, CounterSpec};
use serde::Deserialize;

use super::counters::flaw_of;

/// What a program notes of single requests, a line for each, in a file of its own.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Noted {
    /// A condition.
    #[serde(default = "super::parts::always")]
    pub(crate) when: String,
    /// A template: the file's path.
    pub(crate) file: String,
    /// How each figure is read from a line, by name.
    pub(crate) each: BTreeMap<String, CounterSpec>,
}

impl Noted {
    /// The first thing that is wrong with it.
    pub(super) fn flaw(&self) -> Option<String> {
        if self.each.is_empty() {
            return Some("`noted.each` is empty".to_owned());
        }
        let flaw = |(name, spec): (&String, &CounterSpec)| {
            let other = || {
                let is_read = spec.pattern.is_some() && spec.kind == CounterKind::Average;
                (!is_read)
                    .then(|| "of lines it needs `pattern`, and `kind = \"average\"`".to_owned())
            };
            let flaw = flaw_of(name, spec).or_else(other)?;
            Some(format!("noted `{name}`: {flaw}"))
        };
        self.each.iter().find_map(flaw)
    }
}
