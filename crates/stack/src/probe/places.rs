//! Folders that no PATH names: distributions keep several versions of a program beside each other.

use std::path::{Path, PathBuf};

/// The program in the last of these folders that has it, by its name or the name with a version behind it. A `*` stands
/// for any name; names with numbers in them come in the order of their numbers.
pub(super) fn look(program: &str, folders: &[String]) -> Option<PathBuf> {
    let folders = folders.iter().flat_map(|folder| expand(Path::new(folder)));
    let mut places = folders.flat_map(|folder| versions(&folder, program));
    places.rfind(|path| path.is_file())
}

/// The files of a folder that are called so, or so with a version behind it, the newest last.
fn versions(folder: &Path, program: &str) -> Vec<PathBuf> {
    let called = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        let version = name.and_then(|name| name.strip_prefix(program));
        let plain = |c: char| c.is_ascii_digit() || c == '.';
        version.is_some_and(|version| version.chars().all(plain))
    };
    let mut found = names_in(folder);
    found.retain(called);
    found
}

fn expand(folder: &Path) -> Vec<PathBuf> {
    folder.iter().fold(vec![PathBuf::new()], |known, name| {
        let below = |folder: PathBuf| {
            if name == "*" {
                names_in(&folder)
            } else {
                vec![folder.join(name)]
            }
        };
        known.into_iter().flat_map(below).collect()
    })
}

fn names_in(folder: &Path) -> Vec<PathBuf> {
    let listing = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<_> = listing.map(|item| item.path()).collect();
    paths.sort_by_key(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = name.into_owned();
        let version = name.trim_start_matches(|c: char| !c.is_ascii_digit());
        (crate::entry::expression::numbers(version), name)
    });
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_version_is_taken() {
        let place = tempfile::tempdir().unwrap();
        for version in ["9.6", "15", "16"] {
            let folder = place.path().join(version).join("bin");
            std::fs::create_dir_all(&folder).unwrap();
            if version != "16" {
                std::fs::write(folder.join("served"), "").unwrap();
            }
        }
        let folders = [format!("{}/*/bin", place.path().display())];
        let found = look("served", &folders).unwrap();
        assert_eq!(found, place.path().join("15/bin/served"));
        assert_eq!(look("other", &folders), None);
    }

    #[test]
    fn a_version_may_stand_in_the_programs_name() {
        let place = tempfile::tempdir().unwrap();
        for name in ["pool8.9", "pool8.10", "pool9-old", "pools"] {
            std::fs::write(place.path().join(name), "").unwrap();
        }
        let folders = [place.path().display().to_string()];
        let newest = place.path().join("pool8.10");
        assert_eq!(look("pool", &folders), Some(newest));
    }
}
