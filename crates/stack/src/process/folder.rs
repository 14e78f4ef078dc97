use std::fs::{DirBuilder, File, OpenOptions, Permissions};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use crate::path;
use crate::process::keeper;
use crate::process::kept::GuardCommand;
use crate::process::leftovers::{self, MARK, PREFIX, RANDOM, UNMARKED};
use crate::process::supervisor::Supervised;

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
    path: PathBuf,
    /// Shared with the guardians; see [`lock`].
    lock: Option<File>,
}

impl Folder {
    /// Makes a folder, and removes those that nobody uses any more. The keeper knows of it before it is marked: from
    /// here on it is removed whatever happens to weir.
    pub(crate) fn new(guard: &GuardCommand) -> std::io::Result<Self> {
        let place = path::temporary();
        leftovers::sweep(&place);
        let dir = tempfile::Builder::new()
            .prefix(PREFIX)
            .rand_bytes(RANDOM)
            .permissions(Permissions::from_mode(OWN))
            .tempdir_in(&place)?;
        let mut folder = Self {
            path: dir.keep(),
            lock: None,
        };
        keeper::keep(guard, &folder.path);
        let [mark, unmarked] = [MARK, UNMARKED].map(|name| folder.path.join(name));
        write(&unmarked, b"")?;
        folder.lock = locked(&unmarked);
        if folder.lock.is_some() {
            std::fs::rename(&unmarked, &mark)?;
        }
        Ok(folder)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Ends what belongs to it and had a guardian that was killed: a daemon in a session of its own is found by nothing
    /// else then.
    pub(crate) fn end_unguarded(&self, guardians: &mut [Supervised]) {
        if guardians.iter_mut().any(|guardian| !guardian.guarded()) {
            leftovers::end_of(&self.path);
        }
    }
}

impl Drop for Folder {
    /// The lock goes afterwards: until then nobody else takes it for one that is not in use.
    fn drop(&mut self) {
        leftovers::remove(&self.path);
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

    /// None, and so no keeper either.
    fn no_guard() -> GuardCommand {
        GuardCommand {
            program: "/nowhere/guard".into(),
            args: Vec::new(),
        }
    }

    #[test]
    fn a_folder_is_marked_while_it_is_there() {
        let folder = Folder::new(&no_guard()).unwrap();
        let path = folder.path().to_owned();
        std::fs::create_dir(path.join("server")).unwrap();
        write(&path.join("server/log"), b"served").unwrap();
        let names = std::fs::read_dir(&path).unwrap();
        let mut names: Vec<_> = names.map(|item| item.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, [MARK, "server"]);
        drop(folder);
        assert!(!path.exists());
    }

    #[test]
    fn no_file_is_written_through_a_link() {
        let folder = Folder::new(&no_guard()).unwrap();
        let (victim, link) = (folder.path().join("victim"), folder.path().join("link"));
        std::fs::write(&victim, "theirs").unwrap();
        std::os::unix::fs::symlink(&victim, &link).unwrap();
        assert!(write(&link, b"ours").is_err());
        assert_eq!(std::fs::read_to_string(&victim).unwrap(), "theirs");
    }
}
