//! Python apps: a module that holds an app, by its name or by its text.

use std::path::{Path, PathBuf};

use record::{App, Interface};

use super::missed::{Failed, Missed};
use super::modules::{Module, modules, of_file, show_several};
use super::{Kind, Recognised, Wish, aiohttp, page, place_for, text};
use crate::app::detect::{Detected, detect, look};
use crate::app::interpreter::{interpreter, nameable};
use crate::app::trouble::Trouble;
use crate::error::{AppError, Result, StackError};

pub(super) const KIND: Kind = Kind {
    signs: "a Python module with an app (`app.py`, `main.py` …, here, in a package or in `src`)",
    find,
};

/// The app in the module that weir writes for what only makes one.
const MADE: &str = "weir_made:app";

/// Names by which a project's requirements tell that it is a web app.
pub(super) const FRAMEWORKS: &str = include_str!("frameworks.txt");

/// A module, or a package, that holds an app.
fn find(wish: &Wish<'_>, missed: &mut Missed) -> Result<Option<Recognised>> {
    let mut modules = modules(wish.dir);
    if show_several(wish.dir, &modules) {
        modules.retain(|module| !module.file.contains('/')); // one here may be of both
    }
    if modules.is_empty() {
        return Ok(None);
    }
    let Ok(dir) = wish.dir.canonicalize() else {
        return Ok(None);
    };
    let python = interpreter(&dir, wish.python)?;
    let wish = Wish {
        dir: &dir,
        python: Some(&python),
        ..*wish
    };
    let failures = missed.failures();
    for module in modules {
        if missed.is_new(&dir.join(&module.file))
            && let Some(mut found) = attempt(&wish, &python, &module, missed)?
        {
            let what = match (found.app.entry.as_str(), found.app.interface) {
                (MADE, _) => "what makes an app",
                (_, Interface::Program) => "an app of aiohttp",
                (entry, _) => &format!("`{entry}`"),
            };
            let clue = format!("module `{}` holds {what}", module.name);
            found.because.insert(0, clue);
            return Ok(Some(found));
        }
    }
    // Modules of these names may be anything; where the project says that it is a web app, an app that
    // does not load is what its user must hear about.
    if missed.failures() > failures && needs_framework(&dir) {
        return Err(std::mem::take(missed).error(&dir));
    }
    Ok(None)
}

/// The app of one module; one that expects to be imported in its own folder is, the second time.
pub(super) fn attempt(
    wish: &Wish<'_>,
    python: &Path,
    module: &Module,
    missed: &mut Missed,
) -> Result<Option<Recognised>> {
    let at = |dir: &Path, name: &str, path: Option<&Path>| -> Result<_> {
        let mut env = unwritten(&[]);
        env.extend(path.map(|path| ("PYTHONPATH".to_owned(), before(path))));
        let unrun = |error| StackError::NoPython {
            problem: format!("`{}`: {error}", python.display()),
        };
        let looked = look(name, dir, python, &env, wish.patience).map_err(|why| why.or(unrun))?;
        Ok(looked.map(|found| (found, env)))
    };
    let path = module.path.map(|path| wish.dir.join(path));
    let mut looked = at(wish.dir, &module.name, path.as_deref())?;
    let mut dir = wish.dir.to_owned();
    if let Err(why) = &looked
        && let Some(own) = beside(&wish.dir.join(&module.file), why)
    {
        looked = at(&own, module.stem(), None)?;
        dir = own;
    }
    match looked {
        Ok((found, env)) => recognised(&Wish { dir: &dir, ..*wish }, found, &env).map(Some),
        Err(why) if why.none => {
            missed.holds_none(format!("`{}` holds no app", module.file));
            Ok(None)
        }
        Err(why) => {
            let hint = why.hint(&module.name, wish.dir, python);
            missed.fails(Failed {
                what: format!("`{}`", module.file),
                why: format!("{} (loaded by {})", why.problem(), python.display()),
                traceback: if hint.is_some() {
                    Vec::new()
                } else {
                    why.traceback
                },
                hint,
            });
            Ok(None)
        }
    }
}

/// The folder of a module, if what the module lacks lies there.
fn beside(file: &Path, why: &Trouble) -> Option<PathBuf> {
    let missing = why.missing.as_deref()?.split('.').next()?;
    let folder = file.parent()?;
    let there = folder.join(format!("{missing}.py")).is_file() || folder.join(missing).is_dir();
    there.then(|| folder.to_owned())
}

/// What the user named: `module:callable`, a module, or its file.
pub(super) fn named(wish: &Wish<'_>, entry: &str) -> Result<Recognised> {
    let (file, callable) = entry.split_once(':').unwrap_or((entry, ""));
    let Some(module) = of_file(wish.dir, file) else {
        return loaded(wish, entry, &[]).map_err(|error| no_folder(entry, error));
    };
    let callable = Some(callable).filter(|it| !it.is_empty());
    let entry = callable.map_or_else(
        || module.name.clone(),
        |callable| format!("{}:{callable}", module.name),
    );
    let path = module.path.map(|path| wish.dir.join(path));
    let path = path.and_then(|path| path.canonicalize().ok());
    let path = path.map(|path| ("PYTHONPATH".to_owned(), before(&path)));
    let env: Vec<_> = path.into_iter().collect();
    loaded(wish, &entry, &env)
}

/// What has no callable, and is no module, was meant as a folder.
fn no_folder(entry: &str, error: StackError) -> StackError {
    let nothing = format!(
        "No module named '{}'",
        entry.split('.').next().unwrap_or(entry)
    );
    match &error {
        StackError::App(AppError::Detect { problem, .. })
            if !entry.contains(':') && (entry.contains('/') || problem.contains(&nothing)) =>
        {
            StackError::App(AppError::NoFolder {
                folder: PathBuf::from(entry),
            })
        }
        _ => error,
    }
}

/// The app behind an entry.
pub(super) fn loaded(wish: &Wish<'_>, entry: &str, env: &[(String, String)]) -> Result<Recognised> {
    let env = unwritten(env);
    let found = detect(entry, wish.dir, wish.python, &env, wish.patience)?;
    recognised(wish, found, &env)
}

/// The environment of an app that writes no bytecode into its folder.
fn unwritten(env: &[(String, String)]) -> Vec<(String, String)> {
    let unwritten = ("PYTHONDONTWRITEBYTECODE".to_owned(), "1".to_owned());
    env.iter().cloned().chain([unwritten]).collect()
}

/// A folder before those of `PYTHONPATH`.
fn before(folder: &Path) -> String {
    let given = std::env::var("PYTHONPATH").ok();
    let path = [Some(folder.display().to_string()), given];
    path.into_iter().flatten().collect::<Vec<_>>().join(":")
}

fn recognised(wish: &Wish<'_>, found: Detected, env: &[(String, String)]) -> Result<Recognised> {
    nameable(&found.app.dir)?;
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
        elsewhere: found.elsewhere,
    };
    recognised.app.env.extend(env.iter().cloned());
    if recognised.app.interface == Interface::Program {
        aiohttp::serve(wish, &mut recognised)?;
    } else if recognised.app.entry.ends_with(')') {
        made(wish, &mut recognised)?;
    }
    Ok(recognised)
}

/// Few servers can call what makes an app: a module of weir's own does, which every server can load.
fn made(wish: &Wish<'_>, recognised: &mut Recognised) -> Result<()> {
    let entry = recognised.app.entry.clone();
    let (module, maker) = entry.split_once(':').unwrap_or((&entry, "app()"));
    let text = format!("import {module}\n\napp = {module}.{maker}\n");
    let app = &mut recognised.app;
    written(wish, app, &text)?;
    MADE.clone_into(&mut app.entry);
    recognised.because.push(format!(
        "`{entry}` makes it: servers load it as `{}`, a module that weir wrote",
        app.entry
    ));
    Ok(())
}

/// Writes a module of weir's own, which imports the app's, and lets the app's servers find it.
pub(super) fn written(wish: &Wish<'_>, app: &mut App, text: &str) -> Result<()> {
    let folder = place_for(wish, "python");
    let file = folder.join("weir_made.py");
    let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, text));
    written.map_err(StackError::file("writing", &file))?;
    let path = match app.env.get("PYTHONPATH") {
        Some(path) => format!("{}:{path}", folder.display()),
        None => before(&folder),
    };
    app.env.insert("PYTHONPATH".to_owned(), path);
    if let Some(name) = app.dir.file_name() {
        app.name = name.to_string_lossy().into_owned();
    }
    Ok(())
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
