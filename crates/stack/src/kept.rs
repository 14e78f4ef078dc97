use std::path::Path;

use tempfile::TempDir;

use crate::error::StackError;
use crate::start::new_folder;
use crate::supervisor::{GuardCommand, Supervised};

/// A folder that is removed with all that is in it: when this is dropped, and also when weir is killed.
#[derive(Debug)]
pub struct KeptFolder {
    folder: Option<TempDir>,
    guardian: Option<Supervised>,
}

impl KeptFolder {
    /// Makes a folder for `purpose`, which `ps` shows beside its guardian.
    ///
    /// # Errors
    /// A folder or a guardian that the system refuses.
    pub fn new(guard: &GuardCommand, purpose: &str) -> Result<Self, StackError> {
        let folder = new_folder().map_err(StackError::system("creating a folder"))?;
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
