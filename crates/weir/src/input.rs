//! What the user hands over in files.

use std::path::Path;

use crate::error::{Error, Exit, Result};

/// A file's bytes.
pub(crate) fn read(file: &Path) -> Result<Vec<u8>> {
    ::input::read(file).map_err(|error| {
        let message = format!("cannot read `{}`: {error}", file.display());
        Error::new(Exit::Usage, message)
            .hint("give a regular file that exists and that you may read".to_owned())
    })
}
