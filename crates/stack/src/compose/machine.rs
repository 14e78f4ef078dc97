use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use record::{App, Variant};

use crate::compose::composition::Composition;
use crate::compose::decide::{Given, decide};
use crate::entry::{Catalogue, Entry};
use crate::error::Result;
use crate::probe::{Identity, identify};

/// The machine that variants are composed for: its cores, and what it has of a catalogue, each entry asked once.
#[derive(Debug)]
pub struct Machine {
    catalogue: Catalogue,
    cores: u32,
    /// What was asked for so far; none of what is not installed.
    known: Mutex<BTreeMap<Asked, Option<Identity>>>,
}

/// An entry by its name, and the interpreter in which it was asked.
type Asked = (String, Option<PathBuf>);

impl Machine {
    /// A machine of so many cores, of which nothing else is known yet.
    pub fn new(catalogue: Catalogue, cores: u32) -> Self {
        Self {
            catalogue,
            cores,
            known: Mutex::default(),
        }
    }

    /// The entries that plans can name.
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// Cores that this process may use.
    pub fn cores(&self) -> u32 {
        self.cores
    }

    /// The version of an entry, with its knobs at their defaults; none where it is not installed.
    pub fn version(&self, entry: &Entry, python: Option<&Path>) -> Option<String> {
        Some(self.identity(entry, python)?.version)
    }

    pub(crate) fn identity(&self, entry: &Entry, python: Option<&Path>) -> Option<Identity> {
        let of = (entry.name.clone(), python.map(Path::to_owned));
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let ask = || identify(entry, python).ok();
        known.entry(of).or_insert_with(ask).clone()
    }

    /// Decides what a variant means on this machine, or why it cannot be served.
    ///
    /// Nothing is started or written. Entries whose defaults changed are asked their version first.
    ///
    /// # Errors
    /// An unknown entry or route, a knob out of range, a combination that cannot work.
    pub fn compose(&self, variant: &Variant, app: &App) -> Result<Composition> {
        self.compose_with(variant, app, self.cores)
    }

    /// The same as on a machine of so many cores.
    ///
    /// # Errors
    /// As of [`Self::compose`].
    pub fn compose_with(&self, variant: &Variant, app: &App, cores: u32) -> Result<Composition> {
        let versions = self.versions(variant, app);
        decide(variant, app, &self.catalogue, &Given { cores, versions })
    }

    /// The versions of what a variant names, where defaults depend on them.
    fn versions(&self, variant: &Variant, app: &App) -> BTreeMap<String, String> {
        let choices = variant.fronts.iter().chain(&variant.server);
        let choices = choices.chain(variant.services.values());
        let choices = choices.chain(&variant.supervisor);
        let entries = choices.filter_map(|choice| self.catalogue.entry(&choice.entry));
        let changed = entries.filter(|entry| entry.first_change().is_some());
        let version = |entry: &Entry| self.version(entry, app.python.as_deref());
        changed
            .filter_map(|entry| Some((entry.name.clone(), version(entry)?)))
            .collect()
    }
}
