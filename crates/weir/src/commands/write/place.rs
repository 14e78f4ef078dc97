//! The folder into which a stack is written.

use std::fs::DirBuilder;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use super::unwritten;
use crate::error::{Error, Exit, Result};

/// Its user alone: an app's environment may hold secrets.
const OWN: u32 = 0o700;

/// Whoever has an account on this machine may write.
const EVERYBODY: u32 = 0o002;

/// A new folder, in full.
pub(super) fn made(folder: &Path) -> Result<PathBuf> {
    is_free(folder)?;
    let made = if folder.is_dir() {
        Ok(())
    } else {
        DirBuilder::new().mode(OWN).recursive(true).create(folder)
    };
    made.and_then(|()| folder.canonicalize())
        .map_err(|error| unwritten(folder, &error))
}

/// Refuses a folder that has something in it, one that everybody may write to, as others could put something else in the place of
/// what is started there, and one whose path shells and configurations take for something else: each of the files has it in it.
pub(crate) fn is_free(folder: &Path) -> Result<()> {
    if !whole(folder).is_ok_and(|whole| ::stack::is_plain(&whole)) {
        let problem = format!(
            "`{}` has letters in its path that shells and configurations take for something else",
            folder.display()
        );
        let hint = "name a folder whose whole path has only letters, digits and any of `/._-+@,=`";
        return Err(Error::new(Exit::Usage, problem).hint(hint.to_owned()));
    }
    let taken = match std::fs::read_dir(folder) {
        Ok(mut listing) => listing.next().is_some(),
        Err(error) => error.kind() != std::io::ErrorKind::NotFound,
    };
    if taken {
        let problem = format!("`{}` is not an empty folder", folder.display());
        return Err(Error::new(Exit::Usage, problem).hint("name a new folder".to_owned()));
    }
    if folder.metadata().is_ok_and(|of| of.mode() & EVERYBODY != 0) {
        let problem = format!("everybody may write to `{}`", folder.display());
        let hint = format!(
            "name a new folder, or type `chmod o-w {}`",
            folder.display()
        );
        return Err(Error::new(Exit::Usage, problem).hint(hint));
    }
    Ok(())
}

/// The path that a folder has in full, or will have when it is made: links lead elsewhere as far as there is something.
fn whole(folder: &Path) -> std::io::Result<PathBuf> {
    let absolute = std::path::absolute(folder)?;
    let found = absolute.ancestors().find_map(|above| {
        let there = above.canonicalize().ok()?;
        Some(there.join(absolute.strip_prefix(above).ok()?))
    });
    Ok(found.unwrap_or(absolute))
}

/// Takes away what was written until something went wrong, so that the same command can be given again.
pub(super) fn emptied(place: &Path, was_there: bool) {
    for entry in std::fs::read_dir(place).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_folder = entry.file_type().is_ok_and(|of| of.is_dir());
        let _ = if is_folder {
            std::fs::remove_dir_all(path)
        } else {
            std::fs::remove_file(path)
        };
    }
    if !was_there {
        let _ = std::fs::remove_dir(place);
    }
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_folder_that_everybody_may_write_to_is_refused() {
        let place = testkit::temp_dir();
        let folder = place.path().join("deploy");
        assert!(is_free(&folder).is_ok(), "it is made");
        std::fs::create_dir(&folder).unwrap();
        for (mode, is_right) in [(0o755, true), (0o775, true), (0o777, false)] {
            std::fs::set_permissions(&folder, Permissions::from_mode(mode)).unwrap();
            assert_eq!(is_free(&folder).is_ok(), is_right, "{mode:o}");
        }
    }

    #[test]
    fn a_folder_that_is_not_there_yet_is_where_links_lead() {
        let place = testkit::temp_dir();
        let (plain, other) = (place.path().join("plain"), place.path().join("Jane Doe"));
        std::fs::create_dir(&other).unwrap();
        std::os::unix::fs::symlink(&other, &plain).unwrap();
        let error = is_free(&plain.join("deploy")).unwrap_err();
        assert_eq!(error.exit(), Exit::Usage);
        assert!(is_free(&place.path().join("new/deploy")).is_ok());
    }
}
