use std::collections::BTreeMap;

use record::Knob;

use super::Rehearsal;
use crate::compose::{Composition, compose_for};
use crate::entry::Entry;
use crate::error::StackError;
use crate::render::render;
use crate::start::{check, write};
use crate::workspace::Workspace;
use crate::{certificate, ports};

impl Rehearsal<'_> {
    /// Renders an entry at its defaults in every way, and at both ends of every knob with every app and
    /// everything it speaks, and lets the server test what comes out. A combination that is refused with a reason is an answer; one that is refused with
    /// every app is not.
    ///
    /// How many configurations were tested.
    ///
    /// # Errors
    /// A text that does not render, a configuration that the server refuses.
    pub fn contract(&self, entry: &Entry) -> Result<u32, StackError> {
        let mut tested = self.tested(entry, &BTreeMap::new(), usize::MAX)?;
        for (name, spec) in &entry.knobs {
            for value in spec.extremes() {
                let knobs = BTreeMap::from([(name.clone(), value.clone())]);
                let more = self.tested(entry, &knobs, 1)?;
                if more == 0 {
                    return Err(StackError::Entry {
                        file: format!("{}.toml", entry.name),
                        problem: format!("it is refused with every app when `{name}` is {value:?}"),
                    });
                }
                tested += more;
            }
        }
        Ok(tested)
    }

    /// At most so many ways with each app; how many there were.
    fn tested(
        &self,
        entry: &Entry,
        knobs: &BTreeMap<String, Knob>,
        most: usize,
    ) -> Result<u32, StackError> {
        let mut tested = 0;
        for scene in self.scenes(entry, knobs)? {
            let mut ways = 0;
            for stage in &scene.stages {
                match compose_for(stage, &scene.app, self.catalogue, 2) {
                    Ok(composition) => self.test(&composition)?,
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

    /// Renders every program into a folder, and lets it test what is there.
    fn test(&self, composition: &Composition) -> Result<(), StackError> {
        let parts = composition.parts.iter();
        let identities = parts.map(|part| self.identity(&part.entry));
        let identities = identities.collect::<Result<Vec<_>, _>>()?;
        let folder =
            tempfile::tempdir_in(&self.samples).map_err(StackError::system("creating a folder"))?;
        let addresses =
            ports::free(composition.programs()).map_err(StackError::system("choosing ports"))?;
        let workspace = Workspace::place(composition, folder.path(), &identities, &addresses);
        if composition.parts.iter().any(|part| part.spoken.tls) {
            certificate::make(folder.path())?;
        }
        for program in render(composition, &workspace)? {
            write(&program, folder.path())?;
            check(&program)?;
        }
        Ok(())
    }
}
