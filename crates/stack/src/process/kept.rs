use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::{FOLDER, Result, StackError};
use crate::process::folder::Folder;
use crate::process::supervisor::Supervised;

/// A folder that is removed with all that is in it: when this is dropped, and also when weir is killed.
#[derive(Debug)]
pub struct KeptFolder {
    folder: Option<Folder>,
    guardian: Option<Supervised>,
}

impl KeptFolder {
    /// Makes a folder for `purpose`, which `ps` shows beside its guardian.
    ///
    /// # Errors
    /// A folder or a guardian that the system refuses.
    pub fn new(guard: &GuardCommand, purpose: &str) -> Result<Self> {
        let folder = Folder::new(guard).map_err(StackError::system(FOLDER))?;
        let guardian = Supervised::open(guard, purpose, folder.path())?;
        Ok(Self {
            folder: Some(folder),
            guardian: Some(guardian),
        })
    }

    /// Where it is.
    ///
    /// # Panics
    /// Never: it has a folder until it is dropped.
    pub fn path(&self) -> &Path {
        self.folder.as_ref().expect("it is not dropped").path()
    }

    pub(crate) fn guardian(&mut self) -> &mut Supervised {
        self.guardian.as_mut().expect("it is not dropped")
    }
}

impl Drop for KeptFolder {
    /// The folder goes first: its guardian removes it should weir die right here.
    fn drop(&mut self) {
        if let Some(folder) = self.folder.take() {
            folder.end_unguarded(self.guardian.as_mut_slice());
        }
        if let Some(guardian) = self.guardian.take() {
            guardian.dismiss();
        }
    }
}

/// How a guardian is started.
#[derive(Clone, Debug)]
pub struct GuardCommand {
    /// The executable.
    pub program: PathBuf,
    /// Its arguments; the process must call [`crate::process::guardian::main`].
    pub args: Vec<String>,
}

impl Default for GuardCommand {
    /// This executable again, as `weir guard`, whatever has become of its file since.
    fn default() -> Self {
        Self {
            program: "/proc/self/exe".into(),
            args: vec![Self::WORD.to_owned()],
        }
    }
}

impl GuardCommand {
    /// The word by which weir is its own guardian.
    pub const WORD: &str = "guard";

    /// weir again as a process of another name, so that what ends weir by its name leaves it to do its work.
    pub(crate) fn command(&self, name: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.arg0(name).args(&self.args).current_dir("/");
        command
    }
}
