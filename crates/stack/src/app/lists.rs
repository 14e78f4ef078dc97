//! What a Python project lists for its installation, and what to type to have that.

use std::path::Path;

/// What stands for pip of the app's environment.
const PIP: &str = "pip ";
/// Files that list what a project needs, and what installs it, the surest first.
const LISTS: [(&str, &str); 7] = [
    ("uv.lock", "uv sync"),
    ("poetry.lock", "poetry install"),
    ("pdm.lock", "pdm install"),
    ("Pipfile", "pipenv install"),
    ("requirements.txt", "pip install -r requirements.txt"),
    ("pyproject.toml", "pip install -e ."),
    ("setup.py", "pip install -e ."),
];
/// Tables of a `pyproject.toml` that say that it can be installed: others have settings of tools alone.
const INSTALLABLE: [&str; 3] = ["[project]", "[build-system]", "[tool.poetry]"];
/// What the folder of an environment holds.
const ENVIRONMENT: [&str; 2] = ["pyvenv.cfg", "conda-meta"];

/// What to type to install what the project in a folder, or around it, lists; none where it lists nothing.
pub(super) fn install(dir: &Path, python: &Path) -> Option<String> {
    let dir = dir.canonicalize().ok()?;
    let above = dir.parent().filter(|_| !dir.join(".git").exists());
    let places = [
        (Some(dir.as_path()), "in that folder"),
        (above, "in the folder above it"),
    ];
    places.into_iter().find_map(|(folder, place)| {
        let folder = folder?;
        let (file, command) = LISTS.iter().find(|(file, _)| lists(folder, file))?;
        let typed = typed(command, python);
        Some(format!("install what `{file}` lists: `{typed}` {place}"))
    })
}

fn lists(folder: &Path, file: &str) -> bool {
    let path = folder.join(file);
    let says = |text: &str| INSTALLABLE.iter().any(|table| text.contains(table));
    path.is_file() && (file != "pyproject.toml" || input::text(&path).is_ok_and(|it| says(&it)))
}

/// A command, where it is pip's as that of the app's environment. Where there is none one is made first: distributions
/// refuse to have packages installed beside their own.
fn typed(command: &str, python: &Path) -> String {
    let Some(words) = command.strip_prefix(PIP) else {
        return command.to_owned();
    };
    let shown = python.display().to_string();
    let quoted = shlex::try_quote(&shown).map_or_else(|_| shown.clone(), Into::into);
    let environment = python.parent().and_then(Path::parent);
    let own = environment.is_some_and(|it| ENVIRONMENT.iter().any(|file| it.join(file).exists()));
    if own {
        format!("{quoted} -m pip {words}")
    } else {
        format!("{quoted} -m venv .venv && .venv/bin/python -m pip {words}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_there_is_no_environment_one_is_made_first() {
        let dir = testkit::temp_dir();
        let write = |file: &str, text: &str| std::fs::write(dir.path().join(file), text).unwrap();
        let system = Path::new("/usr/bin/python3");
        std::fs::create_dir(dir.path().join(".git")).unwrap();
        assert_eq!(install(dir.path(), system), None);
        write("pyproject.toml", "[tool.ruff]\n");
        assert_eq!(install(dir.path(), system), None);
        write("requirements.txt", "");
        let told = install(dir.path(), system).unwrap();
        assert_eq!(
            told,
            "install what `requirements.txt` lists: `/usr/bin/python3 -m venv .venv && \
             .venv/bin/python -m pip install -r requirements.txt` in that folder"
        );
        write("Pipfile", "");
        let told = install(dir.path(), system).unwrap();
        assert!(told.contains("`pipenv install`"), "{told}");
        write("poetry.lock", "");
        let inside = dir.path().join("backend");
        std::fs::create_dir(&inside).unwrap();
        let told = install(&inside, system).unwrap();
        assert_eq!(
            told,
            "install what `poetry.lock` lists: `poetry install` in the folder above it"
        );
        std::fs::create_dir(inside.join(".git")).unwrap();
        assert_eq!(install(&inside, system), None);
    }

    #[test]
    fn an_environment_installs_for_itself() {
        let dir = testkit::temp_dir();
        std::fs::write(dir.path().join("pyproject.toml"), "[project]\n").unwrap();
        let environment = dir.path().join("my env");
        std::fs::create_dir(&environment).unwrap();
        std::fs::write(environment.join("pyvenv.cfg"), "").unwrap();
        let python = environment.join("bin/python");
        let told = install(dir.path(), &python).unwrap();
        let command = format!("'{}' -m pip install -e .", python.display());
        assert_eq!(
            told,
            format!("install what `pyproject.toml` lists: `{command}` in that folder")
        );
    }
}
