//! Where in a project its app lies: in its own folder, in one that holds it by custom, or deeper.

use std::path::Path;

use super::missed::Missed;
use super::modules::show_app;
use super::package::Package;
use super::source::{folders_in, holds_others};
use super::start::started;
use super::{KINDS, Recognised, Wish, today};
use crate::entry::Catalogue;
use crate::error::Result;

/// Folders that hold the app of a project by custom, after the project's own.
const INSIDE: [&str; 6] = ["backend", "server", "api", "app", "web", "src"];
/// Files that tell an app wherever they lie, besides a `package.json` that starts one and a Python module that shows one.
const SIGNS: [&str; 5] = [
    "manage.py",
    "config.ru",
    "go.mod",
    "pom.xml",
    "composer.json",
];
/// How deep such files are looked for, in how many folders, and how many of them are named.
const LEVELS: usize = 2;
const FOLDERS: usize = 400;
const NAMED: usize = 4;

/// What the files of the folder say, or else those of a folder that holds the app by custom.
pub(super) fn by_files(wish: &Wish<'_>, missed: &mut Missed) -> Result<Option<Recognised>> {
    let inside = INSIDE.map(Some).into_iter();
    for name in [None].into_iter().chain(inside) {
        if let Some(found) = in_folder(wish, name, missed)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// What the files of the one folder say that lies deeper and tells an app, and how that is run; of several their user
/// has to choose.
pub(super) fn deeper(
    wish: &Wish<'_>,
    missed: &mut Missed,
    catalogue: &Catalogue,
) -> Result<Option<Recognised>> {
    match below(wish.dir).as_slice() {
        [] => Ok(None),
        [only] => {
            let found = in_folder(wish, Some(only.as_str()), missed)?;
            Ok(found.map(|found| Recognised {
                today: today::find(&found.app.dir, Some(&found.app), None, catalogue),
                ..found
            }))
        }
        some => {
            let typed = |name: &String| {
                let path = wish.dir.join(name);
                let path = path.strip_prefix(".").unwrap_or(&path).to_str()?;
                let plain = !path.chars().any(char::is_control);
                Some(shlex::try_quote(path).ok().filter(|_| plain)?.into_owned())
            };
            let named: Vec<_> = some.iter().filter_map(typed).take(NAMED).collect();
            if !named.is_empty() {
                let named = named.join("`, or `weir try ");
                missed.suggests(format!("say which of its apps: `weir try {named}`"));
            }
            Ok(None)
        }
    }
}

fn in_folder(
    wish: &Wish<'_>,
    name: Option<&str>,
    missed: &mut Missed,
) -> Result<Option<Recognised>> {
    let dir = name.map_or_else(|| wish.dir.to_owned(), |name| wish.dir.join(name));
    if !dir.is_dir() {
        return Ok(None);
    }
    let wish = Wish { dir: &dir, ..*wish };
    for kind in &KINDS {
        let Some(mut found) = (kind.find)(&wish, missed)? else {
            continue;
        };
        let other = wish.interface.filter(|it| *it != found.app.interface);
        if let Some(wanted) = other {
            let (is, wanted) = (found.app.interface.name(), wanted.name());
            missed.holds_none(format!("{} is {is}, not {wanted}", found.because[0]));
            continue;
        }
        let clue = name.map(|name| format!("it lies in `{name}`"));
        found.because.extend(clue);
        return Ok(Some(found));
    }
    Ok(None)
}

/// Folders below a project's whose files tell an app, by their paths; none in another one.
fn below(dir: &Path) -> Vec<String> {
    let (mut found, mut level) = (Vec::new(), vec![String::new()]);
    let mut seen = 0;
    for _ in 0..LEVELS {
        let mut next = Vec::new();
        for folder in &level {
            let own = |name: &String| !holds_others(name);
            for name in folders_in(&dir.join(folder)).into_iter().filter(own) {
                seen += 1;
                if seen > FOLDERS {
                    return found;
                }
                let slash = if folder.is_empty() { "" } else { "/" };
                let path = format!("{folder}{slash}{name}");
                if tells(&dir.join(&path)) {
                    found.push(path);
                } else {
                    next.push(path);
                }
            }
        }
        level = next;
    }
    found
}

fn tells(folder: &Path) -> bool {
    let starts = || {
        let package = Package::read(folder).filter(|it| it.script("start").is_some());
        package.is_some_and(|package| started(&package).is_ok())
    };
    SIGNS.iter().any(|file| folder.join(file).is_file()) || starts() || show_app(folder)
}
