//! Python apps: a Django project by its `manage.py`, others by a module that holds an app.

use std::path::Path;

use record::Interface;

use super::{Recognised, Wish, found, text};
use crate::detect::{Detected, detect};
use crate::error::StackError;

/// Modules that hold an app by custom, the surest first.
const MODULES: [&str; 7] = [
    "wsgi",
    "asgi",
    "app",
    "main",
    "application",
    "server",
    "api",
];

/// Names by which a project's requirements tell that it is a web app.
const FRAMEWORKS: &str = include_str!("frameworks.txt");

/// A Django project: `manage.py` names the settings, and the project's package has `wsgi.py`.
pub(super) fn django(wish: &Wish<'_>) -> Result<Option<Recognised>, StackError> {
    let Some(settings) = text(wish.dir, "manage.py")
        .and_then(|text| found(r#"DJANGO_SETTINGS_MODULE["'],\s*["']([\w.]+)["']"#, &text))
    else {
        return Ok(None);
    };
    let package = settings.split('.').next().unwrap_or(&settings);
    let module = if wish.interface == Some(Interface::Asgi) {
        "asgi"
    } else {
        "wsgi"
    };
    let mut django = looked_at(wish, &format!("{package}.{module}:application"))?;
    django
        .because
        .insert(0, format!("`manage.py` names the settings `{settings}`"));
    django
        .app
        .env
        .insert("DJANGO_SETTINGS_MODULE".to_owned(), settings);
    Ok(Some(django))
}

/// A module, or a package, that holds an app.
pub(super) fn module(wish: &Wish<'_>) -> Result<Option<Recognised>, StackError> {
    let mut trouble = None;
    for name in modules(wish.dir) {
        match looked_at(wish, &name) {
            Ok(mut found) => {
                found
                    .because
                    .insert(0, format!("module `{name}` holds `{}`", found.app.entry));
                return Ok(Some(found));
            }
            Err(error) => trouble = trouble.or(Some(error)),
        }
    }
    // Modules of these names may be anything; where the project says that it is a web app, an app that
    // does not load is what its user must hear about.
    match trouble {
        Some(error) if needs_framework(wish.dir) => Err(error),
        _ => Ok(None),
    }
}

pub(super) fn named(wish: &Wish<'_>, entry: &str) -> Result<Recognised, StackError> {
    looked_at(wish, entry)
}

fn looked_at(wish: &Wish<'_>, entry: &str) -> Result<Recognised, StackError> {
    let Detected {
        app,
        framework,
        notes,
    } = detect(entry, wish.dir, wish.python)?;
    Ok(Recognised {
        app,
        framework: framework.map(|(name, version)| (name, Some(version))),
        because: notes,
        today: None,
    })
}

/// Modules in the folder that may hold an app, then packages.
fn modules(dir: &Path) -> Vec<String> {
    let files = MODULES
        .iter()
        .filter(|name| dir.join(format!("{name}.py")).is_file());
    let mut modules: Vec<_> = files.map(|&name| name.to_owned()).collect();
    let Ok(listing) = std::fs::read_dir(dir) else {
        return modules;
    };
    let mut packages: Vec<_> = listing
        .filter_map(|item| {
            let item = item.ok()?;
            let name = item.file_name().into_string().ok()?;
            let package = item.path().join("__init__.py").is_file();
            (package && !["tests", "test", "docs", "migrations"].contains(&name.as_str()))
                .then_some(name)
        })
        .collect();
    packages.sort();
    for package in packages {
        let inside = MODULES
            .iter()
            .filter(|name| dir.join(&package).join(format!("{name}.py")).is_file());
        modules.extend(inside.map(|name| format!("{package}.{name}")));
        modules.push(package);
    }
    modules
}

/// Whether the project's own list of requirements names a web framework.
fn needs_framework(dir: &Path) -> bool {
    let lists = [
        "requirements.txt",
        "pyproject.toml",
        "Pipfile",
        "setup.cfg",
        "setup.py",
    ];
    lists.iter().filter_map(|file| text(dir, file)).any(|text| {
        let text = text.to_lowercase();
        FRAMEWORKS.lines().any(|name| text.contains(name))
    })
}
