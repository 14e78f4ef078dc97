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

/// What to type to have a module that the project in a folder, or around it, lacks: to install what that lists, and where it does
/// not list this, to add it first. None where it lists nothing.
pub(super) fn install(dir: &Path, python: &Path, module: &str) -> Option<String> {
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
        Some(if lacks(folder, file, module) {
            format!("`{module}` is not in `{file}`: add its package (which may have another name), and then `{typed}` {place}")
        } else {
            format!("install what `{file}` lists: `{typed}` {place}")
        })
    })
}

/// Whether a list says nothing of a module's package. One that may have its names from another file does not tell.
fn lacks(folder: &Path, file: &str, module: &str) -> bool {
    let same = |text: &str| text.to_lowercase().replace(['_', '.'], "-");
    let Ok(text) = input::text(&folder.join(file)) else {
        return false;
    };
    let tells = match file {
        "setup.py" => false,
        "requirements.txt" => !text.lines().any(|line| line.starts_with('-')),
        "pyproject.toml" => !text.contains("dynamic") && text.contains("dependencies"),
        _ => true,
    };
    let package = module.split('.').next().unwrap_or(module);
    tells && !same(&text).contains(&same(package))
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
        assert_eq!(install(dir.path(), system, "shelf"), None);
        write("pyproject.toml", "[tool.ruff]\n");
        assert_eq!(install(dir.path(), system, "shelf"), None);
        write("requirements.txt", "shelf==1.0\n");
        let told = install(dir.path(), system, "shelf").unwrap();
        assert_eq!(
            told,
            "install what `requirements.txt` lists: `/usr/bin/python3 -m venv .venv && \
             .venv/bin/python -m pip install -r requirements.txt` in that folder"
        );
        write("Pipfile", "");
        let told = install(dir.path(), system, "shelf").unwrap();
        assert!(told.contains("`pipenv install`"), "{told}");
        write("poetry.lock", "name = \"Shelf\"\n");
        let inside = dir.path().join("backend");
        std::fs::create_dir(&inside).unwrap();
        let told = install(&inside, system, "shelf").unwrap();
        assert_eq!(
            told,
            "install what `poetry.lock` lists: `poetry install` in the folder above it"
        );
        std::fs::create_dir(inside.join(".git")).unwrap();
        assert_eq!(install(&inside, system, "shelf"), None);
    }

    #[test]
    fn an_environment_installs_for_itself() {
        let dir = testkit::temp_dir();
        std::fs::write(dir.path().join("pyproject.toml"), "[project]\n").unwrap();
        let environment = dir.path().join("my env");
        std::fs::create_dir(&environment).unwrap();
        std::fs::write(environment.join("pyvenv.cfg"), "").unwrap();
        let python = environment.join("bin/python");
        let told = install(dir.path(), &python, "shelf").unwrap();
        let command = format!("'{}' -m pip install -e .", python.display());
        assert_eq!(
            told,
            format!("install what `pyproject.toml` lists: `{command}` in that folder")
        );
    }

    #[test]
    fn what_a_project_does_not_list_is_added_first() {
        let told = |file: &str, text: &str, module: &str| {
            let dir = testkit::temp_dir();
            std::fs::write(dir.path().join(file), text).unwrap();
            install(dir.path(), Path::new("/usr/bin/python3"), module).unwrap()
        };
        let project = "[project]\ndependencies = [\"fastapi\", \"PyYAML\", \"Flask-SQLAlchemy\"]\n";
        let lacking = told("pyproject.toml", project, "stripe.checkout");
        let words = "`stripe.checkout` is not in `pyproject.toml`: add its package";
        assert!(lacking.starts_with(words), "{lacking}");
        assert!(
            lacking.ends_with("pip install -e .` in that folder"),
            "{lacking}"
        );
        for there in ["yaml", "flask_sqlalchemy", "fastapi"] {
            let told = told("pyproject.toml", project, there);
            assert!(
                told.starts_with("install what `pyproject.toml` lists"),
                "{told}"
            );
        }
        for (file, text) in [
            ("requirements.txt", "-r base.txt\n"),
            (
                "pyproject.toml",
                "[project]\ndynamic = [\"dependencies\"]\n",
            ),
            ("setup.py", "setup()\n"),
        ] {
            let told = told(file, text, "stripe");
            assert!(told.starts_with("install what `"), "{told}");
        }
    }
}
