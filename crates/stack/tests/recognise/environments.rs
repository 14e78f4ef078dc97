//! Folders with an environment alone: the app is one of its packages.

use record::Interface;
use stack::{Recognised, StackError};

use super::Folder;
use super::python::APP;
use crate::support::python;

impl Folder {
    /// By the environment in it.
    fn of_its_own(&self) -> Result<Recognised, StackError> {
        self.run_by(&self.inside(".venv/bin/python"), None)
    }
}

/// An environment in a folder without files, with packages: name, what it requires, a script of its own, and its text.
fn environment(packages: &[(&str, &str, &str, &str)]) -> Folder {
    let folder = Folder::of(&[]);
    let venv = folder.dir.path().join(".venv");
    let made = std::process::Command::new(python())
        .args(["-m", "venv", "--without-pip"])
        .arg(&venv)
        .status();
    assert!(made.unwrap().success());
    let libraries = std::fs::read_dir(venv.join("lib")).unwrap().next().unwrap();
    let site = libraries.unwrap().path().join("site-packages");
    for (name, requires, script, text) in packages {
        let info = site.join(format!("{name}-1.0.dist-info"));
        std::fs::create_dir_all(site.join(name)).unwrap();
        std::fs::create_dir(&info).unwrap();
        std::fs::write(site.join(name).join("__init__.py"), text).unwrap();
        let requires = requires
            .split_whitespace()
            .map(|it| format!("Requires-Dist: {it}>=1\n"));
        let metadata = format!(
            "Name: {name}\nVersion: 1.0\n{}",
            requires.collect::<String>()
        );
        std::fs::write(info.join("METADATA"), metadata).unwrap();
        std::fs::write(info.join("RECORD"), format!("{name}/__init__.py,,\n")).unwrap();
        if !script.is_empty() {
            let points = format!("[console_scripts]\n{name}d = {name}:main\n");
            std::fs::write(info.join("entry_points.txt"), points).unwrap();
            let path = venv.join("bin").join(format!("{name}d"));
            std::fs::write(&path, format!("#!/bin/sh\necho '{script}'\n")).unwrap();
            testkit::executable(&path);
        }
    }
    folder
}

#[test]
fn a_folder_with_an_environment_alone_serves_the_package_that_nothing_else_needs() {
    let flask = ("flask", "", "usage: --port PORT", "");
    let library = ("library", "", "usage: --port PORT", APP);
    let found = environment(&[flask, library, ("shop", "flask library", "", APP)]);
    let found = found.of_its_own().unwrap();
    assert_eq!(found.app.entry, "shop:app");
    assert_eq!(
        found.because[..2],
        [
            "the environment holds `shop`, which nothing else there needs",
            "its module `shop` holds an app"
        ]
    );
    let serves = "usage: shopd [--host HOST] [--port PORT]";
    let part = "async def static(scope, receive, send):\n    pass\n";
    let found = environment(&[flask, ("shop", "flask", serves, part)]);
    let found = found.of_its_own().unwrap();
    assert_eq!(found.app.interface, Interface::Program);
    assert!(
        found
            .app
            .entry
            .ends_with("/shopd --host $HOST --port $PORT"),
        "{}",
        found.app.entry
    );
}

#[test]
fn what_an_environment_holds_and_does_not_serve_is_said() {
    let broken = "import nothing_of_this_name\n";
    let folder = environment(&[
        ("flask", "", "usage: --port PORT", APP),
        ("shop", "flask", "usage: shopd", broken),
    ]);
    let error = folder.of_its_own().unwrap_err().to_string();
    for words in [
        "the environment's `shop`",
        "No module named 'nothing_of_this_name'",
        "`shopd`",
        "names no port",
    ] {
        assert!(error.contains(words), "`{words}`: {error}");
    }
    assert!(!error.contains("flask"), "{error}");
}
