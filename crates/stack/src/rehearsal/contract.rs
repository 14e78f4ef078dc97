//! An entry's texts, rendered with every value that decides something, and tested by the server itself.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::path::Path;

use record::Knob;

use super::Rehearsal;
use crate::compose::{Composition, Program, Workspace, advice, render};
use crate::entry::{
    Argument, Conditional, Entry, KnobSpec,
    expression::{names_in_condition, names_in_template},
};
use crate::error::{Result, StackError};
use crate::probe::ask;
use crate::serve::{
    certificate,
    check::{check_alone, write},
    ports,
};

/// Seconds that clients wait, for what is said of it.
const CLIENT_TIMEOUT: f64 = 30.0;

/// Knobs with values.
type Setting = BTreeMap<String, Knob>;

impl Rehearsal<'_> {
    /// Renders an entry at its defaults in every way, and at both ends of every knob that are not its default (every choice of a
    /// choice) with every app and everything it speaks, and lets the server test what comes out. Arguments
    /// that depend on a condition are rendered with both ends of all knobs that they name together, in
    /// every way. A combination that is refused with a reason is an answer; one that is refused with every
    /// app is not.
    ///
    /// How many configurations were tested.
    ///
    /// # Errors
    /// A text that does not render, a configuration that the server refuses.
    pub fn contract(&self, entry: &Entry) -> Result<u32> {
        let everybody = |composition: &Composition| self.test(composition, |_| true);
        let mut tested = self.tested(entry, &Setting::new(), usize::MAX, everybody)?;
        for (name, spec) in &entry.knobs {
            let passed = |value: &Knob| spec.checked.is_none() && spec.is_always(value);
            for value in spec.extremes().into_iter().filter(|value| !passed(value)) {
                let knobs = Setting::from([(name.clone(), value.clone())]);
                // no knob of the entry changes its neighbours' texts, which passed their tests above
                let alone = |composition: &Composition| {
                    self.test(composition, |program| program.entry == entry.name)
                };
                let more = self.tested(entry, &knobs, 1, alone)?;
                if more == 0 {
                    return Err(StackError::Entry {
                        file: format!("{}.toml", entry.name),
                        problem: format!("it is refused with every app when `{name}` is {value:?}"),
                    });
                }
                tested += more;
            }
        }
        for setting in together(entry) {
            tested += self.tested(entry, &setting, usize::MAX, |of| self.render(of))?;
        }
        Ok(tested)
    }

    /// The knobs whose defaults the server itself tells as its entry does.
    ///
    /// # Errors
    /// A default that the entry has wrong, with what the server says.
    pub fn confirmed(&self, entry: &Entry) -> Result<Vec<String>> {
        let identity = self.identity(entry)?;
        ask::confirmed(entry, &identity, &self.python, self.machine.cores())
    }

    /// At most so many ways with each app; how many there were.
    fn tested(
        &self,
        entry: &Entry,
        knobs: &Setting,
        most: usize,
        test: impl Fn(&Composition) -> Result<()>,
    ) -> Result<u32> {
        let mut tested = 0;
        for scene in self.scenes(entry, knobs)? {
            let mut ways = 0;
            for variant in &scene.variants {
                match self.machine.compose_with(variant, &scene.app, 2) {
                    Ok(composition) => test(&composition)?,
                    Err(StackError::Refused { .. }) => continue,
                    Err(error) => return Err(error),
                }
                tested += 1;
                ways += 1;
                if ways == most {
                    break;
                }
            }
        }
        Ok(tested)
    }

    fn render(&self, composition: &Composition) -> Result<()> {
        let folder = std::env::temp_dir();
        self.programs(composition, &folder).map(drop)
    }

    /// Renders every program into a folder, and lets those that are wanted test what is there.
    fn test(&self, composition: &Composition, wanted: impl Fn(&Program) -> bool) -> Result<()> {
        let folder =
            tempfile::tempdir_in(&self.samples).map_err(StackError::system("creating a folder"))?;
        if composition.parts.iter().any(|part| part.spoken.tls) {
            certificate::make(folder.path())?;
        }
        let (programs, addresses) = self.programs(composition, folder.path())?;
        for program in programs {
            write(&program, folder.path())?;
            if wanted(&program) {
                check_alone(&program, folder.path(), &addresses)?;
            }
        }
        Ok(())
    }

    /// Nothing is written. What is said of neighbours is evaluated too. With the addresses that they were given.
    fn programs(
        &self,
        composition: &Composition,
        folder: &Path,
    ) -> Result<(Vec<Program>, Vec<SocketAddr>)> {
        let parts = composition.parts.iter();
        let identities = parts.map(|part| self.identity(&part.entry));
        let identities = identities.collect::<Result<Vec<_>, _>>()?;
        let addresses =
            ports::free(composition.addresses()).map_err(StackError::system("choosing ports"))?;
        let workspace = Workspace::place(composition, folder, &identities, &addresses);
        advice(composition, CLIENT_TIMEOUT, None)?;
        Ok((render(composition, &workspace)?, addresses))
    }
}

/// Both ends of all knobs that a conditional argument names, in every combination.
fn together(entry: &Entry) -> Vec<Setting> {
    let conditional = entry.argv.iter().filter_map(|argument| match argument {
        Argument::When(some) => Some(some),
        Argument::Always(_) => None,
    });
    let named = conditional.map(knobs_of);
    let named: BTreeSet<_> = named.filter(|knobs| !knobs.is_empty()).collect();
    let settings = named.iter().flat_map(|knobs| combinations(entry, knobs));
    settings.collect()
}

fn knobs_of(argument: &Conditional) -> BTreeSet<String> {
    let texts = argument.argv.iter().map(|text| names_in_template(text));
    let names = texts.chain([names_in_condition(&argument.when)]);
    let names = names.flat_map(Result::unwrap_or_default); // they parsed when the entry was read
    names
        .filter_map(|name| Some(name.strip_prefix("knobs.")?.replace('_', "-")))
        .collect()
}

fn combinations(entry: &Entry, knobs: &BTreeSet<String>) -> Vec<Setting> {
    knobs.iter().fold(vec![Setting::new()], |settings, name| {
        let spec = entry.knobs.get(name);
        let values = spec.map(KnobSpec::extremes).unwrap_or_default();
        let with = |setting: &Setting, value: &Knob| {
            let mut setting = setting.clone();
            setting.insert(name.clone(), value.clone());
            setting
        };
        let each = settings.iter();
        each.flat_map(|setting| values.iter().map(move |value| with(setting, value)))
            .collect()
    })
}
