//! A package that somebody else wrote: the folder has its environment and its data, and no file says what is served.

use std::path::Path;
use std::time::Duration;

use serde::Deserialize;

use super::missed::Missed;
use super::modules::Module;
use super::python::{FRAMEWORKS, attempt};
use super::{Recognised, Wish, script};
use crate::app::interpreter::interpreter;
use crate::entry::Catalogue;
use crate::error::Result;
use crate::process::{Captured, capture};

/// Lists what the environment holds.
const LISTS: &str = include_str!("installed.py");
/// It reads the metadata of each package.
const PATIENCE: Duration = Duration::from_secs(20);
/// Packages that are looked at, and modules and scripts of each.
const MOST: usize = 4;
/// Names of an app by custom: what else a library's module holds that looks like one is a part of it.
const APPS: [&str; 4] = [":app", ":application", ":wsgi_app", ":asgi_app"];

/// A package of an environment that no other one there needs.
#[derive(Deserialize)]
struct Package {
    name: String,
    scripts: Vec<String>,
    modules: Vec<String>,
}

/// The package of the folder's own environment that holds an app, or offers a script that serves.
pub(super) fn find(
    wish: &Wish<'_>,
    catalogue: &Catalogue,
    missed: &mut Missed,
) -> Result<Option<Recognised>> {
    let Ok(dir) = wish.dir.canonicalize() else {
        return Ok(None);
    };
    let Ok(python) = interpreter(&dir, wish.python) else {
        return Ok(None);
    };
    if !python.starts_with(&dir) {
        return Ok(None);
    }
    let wish = Wish {
        dir: &dir,
        python: Some(&python),
        ..*wish
    };
    let serves = |of: &Package| {
        !FRAMEWORKS.lines().any(|it| it == of.name) && catalogue.entry(&of.name).is_none()
    };
    for package in packages(&python, &dir)
        .into_iter()
        .filter(serves)
        .take(MOST)
    {
        let found = match held(&wish, &python, &package, missed)? {
            Some(found) => Some(found),
            None => offered(&wish, &python, &package, missed),
        };
        let wanted = |of: &Recognised| wish.interface.is_none_or(|it| it == of.app.interface);
        if let Some(mut found) = found.filter(wanted) {
            let clue = format!(
                "the environment holds `{}`, which nothing else there needs",
                package.name
            );
            found.because.insert(0, clue);
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// None where it cannot say, as for an environment that is broken.
fn packages(python: &Path, dir: &Path) -> Vec<Package> {
    let argv = [
        python.display().to_string(),
        "-c".to_owned(),
        LISTS.to_owned(),
    ];
    let said = capture(&argv, Some(dir), &[], PATIENCE)
        .ok()
        .filter(Captured::succeeded);
    let last = said.and_then(|said| serde_json::from_str(said.stdout.lines().last()?).ok());
    last.unwrap_or_default()
}

/// The app in one of its modules. One that cannot be loaded is no failure: nobody has said that it should be.
fn held(
    wish: &Wish<'_>,
    python: &Path,
    package: &Package,
    missed: &mut Missed,
) -> Result<Option<Recognised>> {
    for name in package.modules.iter().take(MOST) {
        let module = Module {
            name: name.clone(),
            file: name.clone(),
            path: None,
        };
        let mut own = Missed::default();
        let found = attempt(wish, python, &module, &mut own)?;
        let named = |of: &Recognised| APPS.iter().any(|name| of.app.entry.ends_with(name));
        if let Some(mut found) = found.filter(named) {
            found
                .because
                .insert(0, format!("its module `{name}` holds an app"));
            return Ok(Some(found));
        }
        for line in own.lines() {
            missed.holds_none(format!("the environment's `{}`: {line}", package.name));
        }
    }
    Ok(None)
}

/// One of its scripts, as its help says that it serves.
fn offered(
    wish: &Wish<'_>,
    python: &Path,
    package: &Package,
    missed: &mut Missed,
) -> Option<Recognised> {
    let from = format!("the environment's `{}`", package.name);
    let mut scripts = package.scripts.iter().take(MOST);
    scripts.find_map(|name| script::serving(wish, python, name, &from, missed))
}
