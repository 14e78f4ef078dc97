use std::fs::{DirBuilder, File, OpenOptions, Permissions};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

use tempfile::TempDir;

use crate::path;
use crate::process::leftovers::{self, MARK, PREFIX};

/// The same before it is locked: nobody takes its folder for one that is not in use.
const UNMARKED: &str = ".weir.new";

/// Its user alone. A program that runs as another user opens the way to its own files in its entry.
const OWN: u32 = 0o700;
/// A file that says nothing secret: it lies in a folder that is private unless its reader is another user.
const READABLE: u32 = 0o644;
/// A file for its owner: a key, or what an app logs.
pub(crate) const SECRET: u32 = 0o600;
/// What others may not do to files that servers make, whatever the user's own mask allows.
pub(crate) const MASK: u32 = 0o022;

/// A private folder, removed when this is dropped. It is locked for as long as weir or a guardian uses it, so that
/// one which a killed weir left behind can be told from one in use.
#[derive(Debug)]
pub(crate) struct Folder {
    dir: TempDir,
    /// Shared with the guardians; see [`lock`].
    _lock: Option<File>,
}

impl Folder {
    /// Makes a folder, and removes those that nobody uses any more.
    pub(crate) fn new() -> std::io::Result<Self> {
        let place = path::temporary();
        leftovers::sweep(&place);
        let dir = tempfile::Builder::new()
            .prefix(PREFIX)
            .permissions(Permissions::from_mode(OWN))
            .tempdir_in(&place)?;
        let [mark, unmarked] = [MARK, UNMARKED].map(|name| dir.path().join(name));
        write(&unmarked, b"")?;
        let lock = locked(&unmarked);
        if lock.is_some() {
            std::fs::rename(&unmarked, &mark)?;
        }
        Ok(Self { dir, _lock: lock })
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }
}

/// Says for as long as the file is open that a folder is in use; none where files cannot be locked.
pub(crate) fn lock(folder: &Path) -> Option<File> {
    locked(&folder.join(MARK))
}

fn locked(file: &Path) -> Option<File> {
    let file = File::open(file).ok()?;
    file.lock_shared().is_ok().then_some(file)
}

/// Makes a private folder.
pub(crate) fn make(path: &Path) -> std::io::Result<()> {
    DirBuilder::new().mode(OWN).create(path)
}

/// Writes a new file that others may read where they can reach it.
pub(crate) fn write(path: &Path, content: &[u8]) -> std::io::Result<()> {
    create(path, content, READABLE)
}

/// Writes a new file that its owner alone may read.
pub(crate) fn write_secret(path: &Path, content: &[u8]) -> std::io::Result<()> {
    create(path, content, SECRET)
}

/// A new file: one that is there already, or a link, is an error.
fn create(path: &Path, content: &[u8], mode: u32) -> std::io::Result<()> {
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(mode)
        .open(path)?;
    file.set_permissions(Permissions::from_mode(mode))?; // a strict mask took some away
    file.write_all(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_file_is_written_through_a_link() {
        let folder = Folder::new().unwrap();
        let (victim, link) = (folder.path().join("victim"), folder.path().join("link"));
        std::fs::write(&victim, "theirs").unwrap();
        std::os::unix::fs::symlink(&victim, &link).unwrap();
        assert!(write(&link, b"ours").is_err());
        assert_eq!(std::fs::read_to_string(&victim).unwrap(), "theirs");
    }
}
