//! An app that says itself what it is, in an `app.toml`.

use std::path::Path;

use record::{App, Interface};

use super::command::with_packages;
use super::missed::Missed;
use super::needs::left_in_file;
use super::{Recognised, Wish, by_files, today};
use crate::app::detect::look;
use crate::app::file;
use crate::entry::Catalogue;
use crate::error::Result;

/// Keeps Python from writing bytecode into an app's folder.
const UNWRITTEN: &str = "PYTHONDONTWRITEBYTECODE";

/// The app that a file declares, as it is declared; what the file leaves open is looked for in the app's folder: its
/// frameworks, and how it is run today.
///
/// # Errors
/// A file that cannot be read or is wrong, by line; no interpreter.
pub fn declared(path: &Path, wish: &Wish<'_>, catalogue: &Catalogue) -> Result<Recognised> {
    let mut app = file::read(path, wish.python)?;
    let shown = path.file_name().unwrap_or(path.as_os_str());
    let shown = shown.to_string_lossy();
    let routes = match app.routes.len() {
        1 => "one route".to_owned(),
        more => format!("{more} routes"),
    };
    let mut because = vec![format!("`{shown}` says so, with {routes}")];
    if app.python.is_some() && !app.env.contains_key(UNWRITTEN) {
        app.env.insert(UNWRITTEN.to_owned(), "1".to_owned());
    }
    if app.frameworks.is_empty() {
        app.frameworks = frameworks(&app, wish);
        because.extend(app.frameworks.last().map(|name| {
            format!("it is written with {name}; `frameworks` in `{shown}` says otherwise")
        }));
    }
    because.extend(left_in_file(&app));
    Ok(Recognised {
        framework: app.frameworks.last().map(|name| (name.clone(), None)),
        because,
        today: today::find(&app.dir, Some(&app), None, catalogue),
        elsewhere: None,
        app,
    })
}

/// The frameworks of which the folder tells, where it tells of the same app; none where it cannot be looked at.
fn frameworks(app: &App, wish: &Wish<'_>) -> Vec<String> {
    if let Some(python) = &app.python {
        let env: Vec<_> = app.env.clone().into_iter().collect();
        return match look(&app.entry, &app.dir, python, &env, wish.patience) {
            Ok(Ok(found)) => found.app.frameworks,
            _ => Vec::new(),
        };
    }
    if app.interface == Interface::Static {
        return Vec::new();
    }
    let wish = Wish {
        dir: &app.dir,
        entry: None,
        interface: None,
        ..*wish
    };
    match by_files(&wish, &mut Missed::default()) {
        Ok(Some(found)) if same(&found.app, app) => found.app.frameworks,
        _ => Vec::new(),
    }
}

/// Whether what was found is what was declared: a program by its command, with or without the folders of its packages.
fn same(found: &App, app: &App) -> bool {
    let program = app.interface == Interface::Program;
    let packaged = || with_packages(&app.entry, &app.dir);
    let command = || found.entry == app.entry || found.entry == packaged();
    found.interface == app.interface && (!program || command())
}
