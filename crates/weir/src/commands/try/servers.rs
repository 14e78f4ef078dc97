//! Which servers are here for an app, and those that are brought, if the user wants that.

use std::path::Path;
use std::time::Duration;

use experiment::{Candidates, candidates, made_of};
use record::App;
use stack::{Debian, Entry, Found, Installs, Kind, Machine, Overlay, StackError};

use crate::args::TryArgs;
use crate::error::{Error, Exit, Result};
use crate::invocation::Invocation;
use crate::output::note;
use crate::question;

/// With fewer app servers there is nothing to choose.
const CHOICE: usize = 2;

/// What can serve the app, its Python servers among its own packages and those that weir put beside them; and what
/// would install more. What is missing is installed if the command line says so, or the user does.
pub(super) fn found(
    app: &mut App,
    machine: &Machine,
    invocation: &Invocation,
    file: Option<&str>,
    args: &TryArgs,
) -> Result<(Candidates, Installs)> {
    let names = &args.budget.variants;
    let overlay = app
        .python
        .as_deref()
        .map(|python| Overlay::of(python, &invocation.overlays()));
    let overlay = overlay.transpose()?;
    let own = app.python.clone();
    let python = |overlay: &Option<Overlay>| overlay.as_ref().and_then(Overlay::python);
    app.python = python(&overlay).or_else(|| own.clone());
    let (mut known, mut missing) = look(app, machine, file, names);
    let consent = args.install || asked(&known, &missing, machine, invocation)?;
    if consent && !missing.is_empty() {
        bring(&missing, overlay.as_ref(), invocation)?;
        app.python = python(&overlay).or(own);
        (known, missing) = look(app, machine, file, names);
    }
    Ok((known, missing))
}

/// The candidates of these names, or all, and what would install more that is worth it.
fn look(
    app: &App,
    machine: &Machine,
    file: Option<&str>,
    names: &[String],
) -> (Candidates, Installs) {
    let entries = made_of(names, machine.catalogue()).filter(|_| !names.is_empty());
    let Some(entries) = entries else {
        return looked_for(app, machine, file, |_| true);
    };
    let few = looked_for(app, machine, file, |entry| entries.contains(&*entry.name));
    let is_there = |name: &String| few.0.variants.iter().any(|of| of.name == *name);
    if names.iter().all(is_there) {
        return few;
    }
    // for what to choose of instead
    looked_for(app, machine, file, |_| true)
}

fn looked_for(
    app: &App,
    machine: &Machine,
    file: Option<&str>,
    wanted: impl Fn(&Entry) -> bool,
) -> (Candidates, Installs) {
    let catalogue = machine.catalogue();
    let found = stack::probe(catalogue, app.python.as_deref(), |entry| {
        wanted(entry) && experiment::suits(entry, app)
    });
    let known = candidates(app, machine, &found, file);
    let missing = found.iter().filter(|of| known.missing.contains(&of.entry));
    let missing = missing.filter_map(|of| Some((catalogue.entry(&of.entry)?, of)));
    let any_front = found
        .iter()
        .any(|of: &Found| of.kind == Kind::FrontEnd && known.installed.contains(&of.entry));
    let mut installs = Installs::chosen(missing, any_front);
    known.lacking.iter().for_each(|line| installs.add(line));
    (known, installs)
}

/// The interpreter with weir's own servers, where there are some beside this one.
pub(in crate::commands) fn overlaid(
    python: &Path,
    invocation: &Invocation,
) -> Option<std::path::PathBuf> {
    Overlay::of(python, &invocation.overlays()).ok()?.python()
}

/// Asks on a terminal, where there is no choice of servers without more.
fn asked(
    known: &Candidates,
    missing: &Installs,
    machine: &Machine,
    invocation: &Invocation,
) -> Result<bool> {
    let servers = known.installed.iter().filter(|&name| {
        let entry = machine.catalogue().entry(name);
        entry.is_some_and(|entry| entry.kind == Kind::AppServer)
    });
    let choice = servers.count() >= CHOICE || missing.is_empty();
    if choice || !question::is_possible(invocation) {
        return Ok(false);
    }
    note("to choose from more app servers, weir can install what suits this app:");
    for line in missing.lines() {
        note(format!("  {line}"));
    }
    note(
        "(those of Python beside the app's own packages, in a folder of weir's own: the app's stay as \
         they are)",
    );
    question::says_yes(
        "Install them?",
        "`--install` or `--quiet` asks nothing",
        invocation,
    )
}

/// Installs what weir can, each installer's packages at once, and says what could not be installed.
fn bring(missing: &Installs, overlay: Option<&Overlay>, invocation: &Invocation) -> Result<()> {
    let absent = Debian::absent(missing.apt());
    if let Some(line) = missing.apt_line().filter(|_| !absent.is_empty()) {
        match Debian::here() {
            None => note(format!("for root alone: {line}")),
            Some(debian) => {
                let names = absent.join(", ");
                note(format!("installing with apt-get: {names}"));
                let install = || debian.install(&absent, invocation.interrupted());
                told(
                    &names,
                    awaited(
                        "installing with apt-get",
                        Debian::LIMIT,
                        invocation,
                        install,
                    ),
                )?;
            }
        }
    }
    for line in missing.by_hand() {
        note(format!("to be typed by you: {line}"));
    }
    if let Some(overlay) = overlay {
        with_pip(missing, overlay, invocation)?;
    }
    Ok(())
}

/// All at once; each by itself where one of them stands in the way of the others.
fn with_pip(missing: &Installs, overlay: &Overlay, invocation: &Invocation) -> Result<()> {
    let (plain, built) = missing.pip();
    if plain.is_empty() && built.is_empty() {
        return Ok(());
    }
    let all = [&plain[..], &built].concat().join(", ");
    let place = overlay.folder().display();
    note(format!(
        "installing with pip, beside the app's packages in {place}: {all}"
    ));
    let interrupted = invocation.interrupted();
    let install = |packages: &[&str]| {
        let words = format!("installing with pip: {}", packages.join(", "));
        awaited(&words, Overlay::INSTALLING, invocation, || {
            overlay.install(packages, interrupted)
        })
    };
    let make = || {
        awaited(
            "making that environment",
            Overlay::MAKING,
            invocation,
            || overlay.make(interrupted),
        )
    };
    if !told("making that environment", make())? {
        return Ok(());
    }
    let together = match plain.as_slice() {
        [] => Ok(()),
        plain => install(plain),
    };
    let mut single = built;
    match together {
        Err(StackError::Interrupted) => return Err(StackError::Interrupted.into()),
        Err(_) => single.extend(plain),
        Ok(()) => {}
    }
    for package in single {
        told(package, install(&[package]))?;
    }
    told("that environment", make())?; // an app's programs may have changed
    Ok(())
}

/// What something comes to that may take long, and is said to be under way meanwhile.
fn awaited<T>(
    what: &str,
    at_most: Duration,
    invocation: &Invocation,
    comes_to: impl FnOnce() -> T,
) -> T {
    let progress = invocation.progress();
    progress.wait(what, Some(at_most.as_secs_f64()));
    let outcome = comes_to();
    progress.end();
    outcome
}

/// Whether it went well; else says why not, in the last words of what failed.
fn told(what: &str, ended: std::result::Result<(), StackError>) -> Result<bool> {
    match ended {
        Ok(()) => Ok(true),
        Err(StackError::Interrupted) => Err(StackError::Interrupted.into()),
        Err(error) => {
            let lines = error.log_tail();
            let wrong = |line: &&String| line.to_lowercase().contains("error");
            let last = lines.iter().rev().find(wrong).or(lines.last());
            let why = match (&error, last) {
                (StackError::Setup { how, .. }, Some(line)) => format!("{how}: {}", line.trim()),
                (StackError::Setup { how, .. }, None) => how.clone(),
                _ => error.to_string(),
            };
            note(format!("not installed: {what}: {why}"));
            Ok(false)
        }
    }
}

/// The error of an app that nothing here can serve, where what suits it was to be installed or not.
pub(super) fn none(to_type: &Installs, was_to_install: bool) -> Error {
    let error = Error::new(Exit::Missing, "no installed app server can serve this app");
    let lines = to_type.lines();
    if lines.is_empty() {
        return error.hint("`weir doctor APP` says what can be installed, and how".to_owned());
    }
    let hint = if was_to_install {
        "type, as root where that is said above:"
    } else {
        "`weir try --install` installs what suits it, beside the app and not into it; or type"
    };
    error.hint(format!("{hint}\n{}", lines.join("\n")))
}
