use std::collections::BTreeMap;

use record::{Interface, Knob, closest};

use crate::entry::Entry;
use crate::entry::offers::or_none;
use crate::error::StackError;

impl Entry {
    /// Every knob with its value: the given ones checked, the others at their defaults, formulas
    /// over `cores` resolved. The version decides between defaults that changed.
    ///
    /// # Errors
    /// A knob that the entry does not have, or a value that does not fit it.
    pub(crate) fn settle(
        &self,
        given: &BTreeMap<String, Knob>,
        interface: Interface,
        cores: u32,
        version: Option<&str>,
    ) -> Result<BTreeMap<String, Knob>, StackError> {
        if let Some(name) = given.keys().find(|name| !self.knobs.contains_key(*name)) {
            return Err(self.unknown_knob(name));
        }
        self.knobs
            .iter()
            .map(|(name, spec)| {
                let value = given
                    .get(name)
                    .unwrap_or_else(|| spec.default_at(version, Some(interface)));
                match spec.resolve(value, cores) {
                    Ok(value) => Ok((name.clone(), value)),
                    Err(unfit) => Err(self.bad_knob(name, unfit.problem, unfit.hint)),
                }
            })
            .collect()
    }

    fn unknown_knob(&self, name: &str) -> StackError {
        let known: Vec<_> = self.knobs.keys().map(String::as_str).collect();
        let hint = match closest(name, known.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("known: {}", or_none(&known)),
        };
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
