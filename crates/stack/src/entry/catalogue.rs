use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::entry::{Entry, Kind, offers::meant};
use crate::error::{Result, StackError};

/// Every app server, front end, service and supervisor that can be named in a plan.
#[derive(Debug, Default)]
pub struct Catalogue {
    entries: BTreeMap<String, Sourced>,
}

#[derive(Debug)]
struct Sourced {
    entry: Entry,
    file: String,
    overrides: bool,
}

impl Catalogue {
    /// The built-in entries, and those in users' folders: `*.toml` in each folder and in its
    /// subfolders `app-servers`, `front-ends`, `services` and `supervisors`. A later entry replaces an earlier one of its name.
    ///
    /// # Errors
    /// A folder that cannot be read, or an entry that is wrong, by file and line.
    pub fn load(folders: &[PathBuf]) -> Result<Self> {
        let mut catalogue = Self::default();
        // a test checks weir's own, which takes most of a hundred milliseconds
        for (file, text) in ::catalogue::entries() {
            catalogue.add(&file, Entry::parse(text))?;
        }
        for folder in folders {
            for path in entry_files(folder)? {
                catalogue.read(&path)?;
            }
        }
        Ok(catalogue)
    }

    /// Adds the entry in this file, or replaces the one of its name.
    ///
    /// # Errors
    /// A file that cannot be read, or an entry that is wrong, by file and line.
    pub fn read(&mut self, path: &Path) -> Result<()> {
        let text = input::text(path).map_err(StackError::file("reading", path))?;
        self.add(&path.display().to_string(), Entry::read(&text))
    }

    fn add(&mut self, file: &str, entry: std::result::Result<Entry, String>) -> Result<()> {
        let problem = |problem| StackError::Entry {
            file: file.to_owned(),
            problem,
        };
        let entry = entry.map_err(problem)?;
        let (name, stem) = (&entry.name, Path::new(file).file_stem());
        if stem.and_then(|stem| stem.to_str()) != Some(name) {
            return Err(problem(format!(
                "`name` is `{name}`: the file must be called `{name}.toml`"
            )));
        }
        let sourced = Sourced {
            file: file.to_owned(),
            overrides: self.entries.contains_key(name),
            entry,
        };
        self.entries.insert(sourced.entry.name.clone(), sourced);
        Ok(())
    }

    /// The entries by name.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.values().map(|sourced| &sourced.entry)
    }

    /// The packages that servers consist of.
    pub fn packages(&self) -> Vec<String> {
        self.entries().flat_map(|of| of.packages.clone()).collect()
    }

    /// The entry of this name.
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.get(name).map(|sourced| &sourced.entry)
    }

    /// The user's file that stands in for a built-in (or earlier) entry of this name, if one does.
    pub fn overriding(&self, name: &str) -> Option<&str> {
        let sourced = self.entries.get(name)?;
        sourced.overrides.then_some(&sourced.file)
    }

    /// The entry of this kind that a plan names.
    pub(crate) fn choose(&self, kind: Kind, name: &str) -> Result<&Entry> {
        if let Some(entry) = self.entry(name).filter(|entry| entry.kind == kind) {
            return Ok(entry);
        }
        let known = self.entries().filter(|entry| entry.kind == kind);
        let known: Vec<_> = known.map(|entry| entry.name.as_str()).collect();
        let hint = match self.entry(name) {
            Some(other) => format!("`{name}` is a known {}", other.kind.words()),
            None => meant(name, &known, "known"),
        };
        Err(StackError::UnknownEntry {
            kind: kind.words(),
            name: name.to_owned(),
            hint,
        })
    }
}

fn entry_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for place in [
        folder.to_owned(),
        folder.join("app-servers"),
        folder.join("front-ends"),
        folder.join("services"),
        folder.join("supervisors"),
    ] {
        if place != folder && !place.is_dir() {
            continue;
        }
        let doing = format!("reading the catalogue `{}`", place.display());
        let listing = std::fs::read_dir(&place).map_err(StackError::system(doing))?;
        let all = listing.filter_map(|item| Some(item.ok()?.path()));
        files.extend(all.filter(|path| path.extension().is_some_and(|end| end == "toml")));
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_wrong_with_those_that_are_built_in() {
        for (file, text) in ::catalogue::entries() {
            assert!(
                Entry::read(text).is_ok(),
                "{file}: {:?}",
                Entry::read(text).err()
            );
        }
    }
}
