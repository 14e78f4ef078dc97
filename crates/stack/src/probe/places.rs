//! Folders that no PATH names: distributions keep several versions of a program beside each other.

use std::path::{Path, PathBuf};

/// The program in the last of these folders that has it. A `*` stands for any name; names with numbers in
/// them come in the order of their numbers.
pub(super) fn look(program: &str, folders: &[String]) -> Option<PathBuf> {
    let folders = folders.iter().flat_map(|folder| expand(Path::new(folder)));
    let mut places = folders.map(|folder| folder.join(program));
    places.rfind(|path| path.is_file())
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
        (crate::entry::expression::numbers(&name), name)
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
}
