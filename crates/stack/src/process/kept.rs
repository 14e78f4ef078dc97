use std::path::Path;

use crate::error::{FOLDER, Result, StackError};
use crate::process::folder::Folder;
use crate::process::guard_command::GuardCommand;
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
        let folder = Folder::new().map_err(StackError::system(FOLDER))?;
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
        self.folder = None;
        if let Some(guardian) = self.guardian.take() {
            guardian.dismiss();
        }
    }
}
