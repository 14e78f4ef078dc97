//! Which interpreter an app runs in, and whether results can name its folder.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::error::{AppError, Result, StackError};
use crate::process::capture;

/// Folders of an app that hold its environment by custom; uv, and others when they are told so, use the first.
const FOLDERS: [&str; 3] = [".venv", "venv", "env"];
/// What keeps environments elsewhere: a file that says that an app uses it, and how it is asked.
const KEEPERS: [(&str, &str, &[&str]); 3] = [
    ("poetry.lock", "", &["poetry", "env", "info", "--path"]),
    (
        "pyproject.toml",
        "[tool.poetry]",
        &["poetry", "env", "info", "--path"],
    ),
    ("Pipfile", "", &["pipenv", "--venv"]),
];
/// Both start a Python of their own.
const PATIENCE: Duration = Duration::from_secs(20);

/// Makes sure that results can name an app's folder.
/// Errors: its path is not UTF-8.
pub(crate) fn nameable(dir: &Path) -> Result<()> {
    if dir.to_str().is_some() {
        return Ok(());
    }
    Err(StackError::App(AppError::Unprepared {
        dir: dir.to_owned(),
        lacking: "its path is not UTF-8, and results could not name it".to_owned(),
        hint: "rename the folder, or copy the app to another".to_owned(),
    }))
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
    let set = ["VIRTUAL_ENV", "UV_PROJECT_ENVIRONMENT"].into_iter();
    let set = set.filter_map(std::env::var_os).map(|path| dir.join(path));
    // Of an app in `backend`, the environment often lies above.
    let folders = [Some(dir), dir.parent()].into_iter().flatten();
    let folders = folders.flat_map(|dir| FOLDERS.map(|name| dir.join(name)));
    let found = set
        .chain(folders)
        .find_map(|environment| python_of(&environment));
    let found = found.or_else(|| kept_elsewhere(dir));
    match found.or_else(|| which::which("python3").ok()) {
        Some(path) => named(path),
        None => no(format!(
            "no $VIRTUAL_ENV, no `{}`, and no `python3` on PATH",
            FOLDERS.join("`, no `")
        )),
    }
}

/// The interpreter of an environment in a folder itself: the one that was asked for, if it lies there, or one that is
/// active or there by custom.
pub(crate) fn of_folder(dir: &Path, explicit: Option<&Path>) -> Option<PathBuf> {
    let dir = dir.canonicalize().ok()?;
    if let Some(path) = explicit {
        let path = std::path::absolute(which::which(path).ok()?).ok()?;
        return path.starts_with(&dir).then_some(path);
    }
    let active = std::env::var_os("VIRTUAL_ENV").map(|path| dir.join(path));
    let folders = FOLDERS.map(|name| dir.join(name));
    let environments = active.into_iter().chain(folders);
    let mut inside = environments.filter(|environment| environment.starts_with(&dir));
    inside.find_map(|environment| python_of(&environment))
}

fn python_of(environment: &Path) -> Option<PathBuf> {
    let python = environment.join("bin/python");
    python.exists().then_some(python)
}

/// The environment that the app's own tool keeps for it.
fn kept_elsewhere(dir: &Path) -> Option<PathBuf> {
    let says =
        |file: &str, word: &str| input::text(&dir.join(file)).is_ok_and(|text| text.contains(word));
    let mut keepers = KEEPERS.iter().filter(|(file, word, _)| says(file, word));
    let (_, _, argv) = keepers.next()?;
    let argv: Vec<_> = argv.iter().map(|&word| word.to_owned()).collect();
    let said = capture(&argv, Some(dir), &[], PATIENCE).ok()?;
    let folder = Path::new(said.stdout.lines().last()?.trim());
    let folder = folder.is_absolute().then_some(folder)?;
    said.succeeded().then(|| python_of(folder))?
}
