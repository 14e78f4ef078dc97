//! The Python of an app, where no environment is active and none is named.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::support::{Place, Said, python, said};

/// An environment in this folder, whose Python is the one of these tests.
fn environment(folder: &Path) -> PathBuf {
    let bin = folder.join("bin");
    std::fs::create_dir_all(&bin).unwrap();
    let own = bin.join("python");
    symlink(python().canonicalize().unwrap(), &own).unwrap();
    own
}

/// A place with an app that no Python can load: what is said of it names the one that tried.
fn unloadable() -> Place {
    let place = Place::new();
    place.write("app.py", "import no_such_module_here\n");
    place
}

/// `weir try` in the place without an active environment, and with these programs of its own.
fn tried(place: &Place) -> Said {
    let path = std::env::var("PATH").unwrap();
    let mut weir = place.weir(&["try"]);
    weir.env_remove("VIRTUAL_ENV");
    weir.env("PATH", format!("{}:{path}", place.path("tools").display()));
    said(weir)
}

fn names(said: &Said, python: &Path) {
    let words = format!("(loaded by {})", python.display());
    said.fails(5, &["`app.py`: ModuleNotFoundError", &words]);
}

#[test]
fn an_environment_lies_in_the_folder_by_custom() {
    for name in [".venv", "venv", "env"] {
        let place = unloadable();
        let own = environment(&place.path(name));
        names(&tried(&place), &own);
        place.assert_clean();
    }
}

#[test]
fn the_apps_own_tool_says_where_its_environment_lies() {
    for (tool, argument, file, text) in [
        ("poetry", "env", "poetry.lock", ""),
        ("poetry", "env", "pyproject.toml", "[tool.poetry]\n"),
        ("pipenv", "--venv", "Pipfile", ""),
    ] {
        let place = unloadable();
        let own = environment(&place.path("kept"));
        place.write(file, text);
        let kept = place.path("kept");
        let script = format!(
            "#!/bin/sh\ntest \"$1\" = {argument} && echo {}\n",
            kept.display()
        );
        let tool = place.write(&format!("tools/{tool}"), &script);
        testkit::executable(tool);
        names(&tried(&place), &own);
        place.assert_clean();
    }
}

#[test]
fn a_tool_that_knows_no_environment_is_not_believed() {
    let place = unloadable();
    place.write("Pipfile", "");
    let tool = place.write("tools/pipenv", "#!/bin/sh\necho /nowhere; exit 1\n");
    testkit::executable(tool);
    let said = tried(&place);
    said.fails(5, &["`app.py`: ModuleNotFoundError"]);
    assert!(!said.err.contains("/nowhere"), "{}", said.err);
}
