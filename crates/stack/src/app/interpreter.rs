//! Which interpreter an app runs in, and whether results can name its folder.

use std::path::{Path, PathBuf};

use crate::error::{Result, StackError};

/// Makes sure that results can name an app's folder.
/// Errors: its path is not UTF-8.
pub(crate) fn nameable(dir: &Path) -> Result<()> {
    if dir.to_str().is_some() {
        return Ok(());
    }
    Err(StackError::Unprepared {
        dir: dir.to_owned(),
        lacking: "its path is not UTF-8, and results could not name it".to_owned(),
        hint: "rename the folder, or copy the app to another".to_owned(),
    })
}

/// The app's interpreter, absolute. Links are kept: a virtual environment's `python` is one.
///
/// # Errors
/// The one that was asked for is not there, or none can be found.
pub fn interpreter(dir: &Path, explicit: Option<&Path>) -> Result<PathBuf> {
    let no = |problem| Err(StackError::NoPython { problem });
    let named = |found: PathBuf| match std::path::absolute(&found).unwrap_or(found) {
        path if path.to_str().is_none() => {
            no(format!("the path `{}` is not UTF-8", path.display()))
        }
        path => Ok(path),
    };
    if let Some(path) = explicit {
        return match which::which(path) {
            Ok(found) => named(found),
            Err(_) => no(format!("`{}` is no program", path.display())),
        };
    }
    let active = std::env::var_os("VIRTUAL_ENV").map(PathBuf::from);
    let environments = active.into_iter().chain([dir.join(".venv")]);
    let found = environments
        .map(|environment| environment.join("bin/python"))
        .find(|path| path.exists());
    match found.or_else(|| which::which("python3").ok()) {
        Some(path) => named(path),
        None => no("no $VIRTUAL_ENV, no `.venv`, and no `python3` on PATH".to_owned()),
    }
}
