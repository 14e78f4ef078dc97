//! What is made sure of before a start: what programs need is here, and their configurations pass their own tests.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use record::{App, Choice, Interface, Route, Variant};

use crate::compose::{Composition, Machine, Prerequisite, Program, needs_of};
use crate::error::{Result, StackError, log, shortage};
use crate::probe::{keep, known, once};
use crate::process::{capture, folder};

/// Longest time for a server's own test of its configuration, which may compile it for the first time, and for a
/// test of what it needs.
const CHECK_LIMIT: Duration = Duration::from_mins(2);

/// The first thing that a composition's programs need besides themselves, and that is not here, as far as
/// that shows before there is a workspace.
pub fn lacking(composition: &Composition) -> Option<StackError> {
    let app = &composition.app;
    let env: Vec<_> = app.env.clone().into_iter().collect();
    composition.parts.iter().find_map(|part| {
        let needs = needs_of(composition, part).unwrap_or_default();
        let lacks = |need: &Prerequisite| have(need, &part.entry.name, &app.dir, &env).err();
        needs.iter().find_map(lacks)
    })
}

/// The same of the app server of this entry alone, with its knobs at their defaults: what it needs to serve this app, and
/// what is not here. None of one that cannot serve it so.
pub fn lacking_for(entry: &str, app: &App, machine: &Machine) -> Option<StackError> {
    let variant = Variant {
        name: entry.to_owned(),
        server: Some(Choice::of(entry)),
        route: app.routes.first()?.name(),
        ..Variant::default()
    };
    lacking(&machine.compose(&variant, app).ok()?)
}

/// The same for whatever app it can serve: what is lacking for the first of its interfaces, where something is for each
/// of them. Python's packages are looked for in this interpreter.
pub fn lacking_for_any(
    entry: &str,
    python: Option<&Path>,
    machine: &Machine,
) -> Option<StackError> {
    let known = machine.catalogue().entry(entry)?;
    let lacks = |interface: &Interface| {
        let app = App {
            name: "app".to_owned(),
            dir: "/".into(),
            interface: *interface,
            entry: "app:app".to_owned(),
            frameworks: known.frameworks.clone(),
            python: python.map(Path::to_owned),
            routes: vec![Route::get("/")],
            ..App::default()
        };
        lacking_for(entry, &app, machine)
    };
    let each: Option<Vec<StackError>> = known.runs.iter().map(lacks).collect();
    each?.into_iter().next()
}

/// Makes sure that programs have what they need; what instances of a part have in common is asked once.
pub(crate) fn all_there(programs: &[Program]) -> Result<()> {
    let mut known = Vec::new();
    for program in programs {
        for need in &program.needs {
            let asked = (&need.check, &program.cwd, &program.env);
            if !known.contains(&asked) {
                have(need, &program.entry, &program.cwd, &program.env)?;
                known.push(asked);
            }
        }
    }
    Ok(())
}

fn have(need: &Prerequisite, entry: &str, dir: &Path, env: &[(String, String)]) -> Result<()> {
    let question = format!("{:?} {} {env:?}", need.check, dir.display());
    let ask = || look_for(need, entry, dir, env).map(|()| String::new());
    once(question, ask).map(drop)
}

fn look_for(need: &Prerequisite, entry: &str, dir: &Path, env: &[(String, String)]) -> Result<()> {
    let missing = |why: String| StackError::Missing {
        entry: entry.to_owned(),
        what: need.what.clone(),
        why,
        install: Some(need.install.clone()),
    };
    let printed = capture(&need.check, Some(dir), env, CHECK_LIMIT)
        .map_err(|why| why.or(|error| missing(error.to_string())))?;
    if printed.succeeded() {
        return Ok(());
    }
    if let Some(number) = printed.shortage() {
        return Err(unasked(entry, &need.check, number));
    }
    let lines = log::last_lines(&printed.everything());
    Err(missing(log::cause(&lines).to_owned()))
}

/// Writes a program's files into its own folder.
pub(crate) fn write(program: &Program, place: &Path) -> Result<()> {
    let own = place.join(&program.name);
    folder::make(&own).map_err(StackError::file("writing", &own))?;
    program.files.iter().try_for_each(|file| {
        let path = place.join(&file.path);
        folder::write(&path, file.content.as_bytes()).map_err(StackError::file("writing", &path))
    })
}

fn unasked(entry: &str, argv: &[String], shortage: i32) -> StackError {
    StackError::Unasked {
        entry: entry.to_owned(),
        command: argv.join(" "),
        problem: shortage::words(shortage),
        shortage: Some(shortage),
    }
}

/// Lets a program test its own configuration, if its entry says how and it has not passed already: in another folder, and
/// with other addresses, it is the same one. A test that makes something is needed each time: `dial-in` is compiled by it.
pub(crate) fn check_once(program: &Program, place: &Path, addresses: &[SocketAddr]) -> Result<()> {
    let question = question(program, place, addresses);
    if known(&question).is_some() {
        return Ok(());
    }
    let own = place.join(&program.name);
    let before = below(&own);
    check(program)?;
    if below(&own) == before {
        keep(question, String::new());
    }
    Ok(())
}

/// The same of a program that is not started: what its test makes is not needed either.
pub(crate) fn check_alone(program: &Program, place: &Path, addresses: &[SocketAddr]) -> Result<()> {
    let alone = format!("{}, not started", question(program, place, addresses));
    once(alone, || {
        check_once(program, place, addresses).map(|()| String::new())
    })
    .map(drop)
}

/// Whether a program's configuration is right, without what differs from one time to the next.
fn question(program: &Program, place: &Path, addresses: &[SocketAddr]) -> String {
    let Program {
        check: argv,
        env,
        cwd,
        files,
        ..
    } = program;
    let files: Vec<_> = files
        .iter()
        .map(|file| (&file.path, &file.content))
        .collect();
    let mut question = format!("{argv:?} {env:?} {} {files:?}", cwd.display());
    question = question.replace(place.to_string_lossy().as_ref(), "FOLDER");
    for (number, address) in addresses.iter().enumerate() {
        question = question.replace(&address.port().to_string(), &format!("PORT{number}"));
    }
    question
}

/// Every file and folder below one, as far as they can be read.
fn below(folder: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let mut left = vec![folder.to_owned()];
    while let Some(folder) = left.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                left.push(entry.path());
            }
            found.insert(entry.path());
        }
    }
    found
}

/// Lets a program test its own configuration, if its entry says how.
pub(crate) fn check(program: &Program) -> Result<()> {
    let Some(argv) = &program.check else {
        return Ok(());
    };
    let unrun = |error| StackError::System {
        doing: format!("running `{}`", argv.join(" ")),
        error,
    };
    let printed = capture(argv, Some(&program.cwd), &program.env, CHECK_LIMIT)
        .map_err(|why| why.or(unrun))?;
    if printed.succeeded() {
        return Ok(());
    }
    if let Some(number) = printed.shortage() {
        return Err(unasked(&program.entry, argv, number));
    }
    Err(StackError::Check {
        entry: program.entry.clone(),
        log_tail: log::last_lines(&printed.everything()),
    })
}
