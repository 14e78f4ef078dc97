//! Python apps: a Django project by its `manage.py`, others by a module that holds an app.

use std::path::Path;

use record::{App, Interface};

use super::{Recognised, Wish, found, page, place_for, text};
use crate::app::detect::detect;
use crate::error::{Result, StackError};

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

/// The app in the module that weir writes for what only makes one.
const MADE: &str = "weir_made:app";

/// Names by which a project's requirements tell that it is a web app.
const FRAMEWORKS: &str = include_str!("frameworks.txt");

/// A Django project: `manage.py` names the settings, and the project's package has `wsgi.py`.
pub(super) fn django(wish: &Wish<'_>) -> Result<Option<Recognised>> {
    let Some(settings) = text(wish.dir, "manage.py")
        .and_then(|text| found(r#"DJANGO_SETTINGS_MODULE["'],\s*["']([\w.]+)["']"#, &text))
    else {
        return Ok(None);
    };
    let package = settings.split('.').next().unwrap_or(&settings);
    let module = match wish.interface {
        Some(Interface::Asgi) => "asgi",
        _ => "wsgi",
    };
    let own = |path: &str| wish.dir.join(path).join(format!("{module}.py")).is_file();
    let env = [("DJANGO_SETTINGS_MODULE".to_owned(), settings.clone())];
    let mut django = if own(package) {
        looked_at(wish, &format!("{package}.{module}:application"), &env)?
    } else if own("") {
        looked_at(wish, &format!("{module}:application"), &env)?
    } else {
        let maker = format!("django.core.{module}:get_{module}_application()");
        let mut made = looked_at(wish, &maker, &env)?;
        made.because.push(format!("it has no `{module}.py`"));
        made
    };
    let clue = format!("`manage.py` names the settings `{settings}`");
    django.because.insert(0, clue);
    Ok(Some(django))
}

/// A module, or a package, that holds an app.
pub(super) fn module(wish: &Wish<'_>) -> Result<Option<Recognised>> {
    let mut trouble = None;
    for name in modules(wish.dir) {
        match looked_at(wish, &name, &[]) {
            Ok(mut found) => {
                let what = match found.app.entry.as_str() {
                    MADE => "what makes an app",
                    entry => &format!("`{entry}`"),
                };
                let clue = format!("module `{name}` holds {what}");
                found.because.insert(0, clue);
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

pub(super) fn named(wish: &Wish<'_>, entry: &str) -> Result<Recognised> {
    looked_at(wish, entry, &[])
}

/// The app behind an entry, which is served without writing bytecode into its folder.
fn looked_at(wish: &Wish<'_>, entry: &str, env: &[(String, String)]) -> Result<Recognised> {
    let unwritten = ("PYTHONDONTWRITEBYTECODE".to_owned(), "1".to_owned());
    let env: Vec<_> = env.iter().cloned().chain([unwritten]).collect();
    let found = detect(entry, wish.dir, wish.python, &env)?;
    let mut route = page();
    let host = found.host.map(|host| ("Host".to_owned(), host));
    route.headers.extend(host);
    let routes = vec![route];
    let mut recognised = Recognised {
        app: App {
            routes,
            ..found.app
        },
        framework: found.framework.map(|(name, version)| (name, Some(version))),
        because: found.notes,
        today: None,
    };
    recognised.app.env.extend(env);
    if recognised.app.entry.ends_with("()") {
        made(wish, &mut recognised)?;
    }
    Ok(recognised)
}

/// Few servers can call what makes an app: a module of weir's own does, which every server can load.
fn made(wish: &Wish<'_>, recognised: &mut Recognised) -> Result<()> {
    let entry = recognised.app.entry.clone();
    let (module, maker) = entry.split_once(':').unwrap_or((&entry, "app()"));
    let folder = place_for(wish, "python");
    let file = folder.join("weir_made.py");
    let text = format!("import {module}\n\napp = {module}.{maker}\n");
    let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, text));
    written.map_err(StackError::file("writing", &file))?;
    let given = std::env::var("PYTHONPATH").ok();
    let path = [Some(folder.display().to_string()), given];
    let path: Vec<_> = path.into_iter().flatten().collect();
    let app = &mut recognised.app;
    app.env.insert("PYTHONPATH".to_owned(), path.join(":"));
    MADE.clone_into(&mut app.entry);
    if let Some(name) = app.dir.file_name() {
        app.name = name.to_string_lossy().into_owned();
    }
    recognised.because.push(format!(
        "`{entry}` makes it: servers load it as `{}`, a module that weir wrote",
        app.entry
    ));
    Ok(())
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
