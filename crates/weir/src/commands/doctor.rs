//! `weir doctor`: what is installed here, how to install the rest, and how quiet the machine is.

use std::path::Path;

use record::App;
use report::terminal::{Doctor, Program};
use report::words::Paces;
use stack::{Found, Installs, Kind, StackError, State, Wish};

use super::r#try::servers::overlaid;
use crate::args::{DoctorArgs, Is};
use crate::commands::catalogue;
use crate::error::{Exit, Result};
use crate::invocation::Invocation;

/// Seconds for which what other programs take is looked at.
const LOOK: f64 = 1.0;
/// How often one core is compared with all: some 30 ms each.
const LOOKS: usize = 40;

pub(crate) fn run(args: &DoctorArgs, invocation: &Invocation) -> Result<Exit> {
    let progress = invocation.progress();
    progress.wait("looking for programs", None);
    let (found, tools) = match args.wanted() {
        Some((dir, entry)) => (of_app(args, dir, entry, invocation)?, Vec::new()),
        None => (
            everything(args.python.as_deref(), invocation)?,
            stack::tools(),
        ),
    };
    let mut installs = Installs::of(&found);
    let servers = found.into_iter();
    let servers = servers.map(|of| program(of.entry, of.kind.words(), of.state));
    let tools: Vec<_> = tools
        .into_iter()
        .map(|of| program(of.name, "tool", of.state))
        .collect();
    let missing = tools.iter().filter(|tool| tool.version.is_none());
    missing
        .filter_map(|tool| tool.install.as_deref())
        .for_each(|line| installs.add(line));
    progress.wait("looking at what other programs take", Some(LOOK));
    let others = observe::others(LOOK);
    progress.wait("looking at how even the machine's speed is", None);
    let doctor = Doctor {
        programs: servers.chain(tools).collect(),
        install: installs.lines(),
        others,
        pace: pace(),
    };
    progress.end();
    invocation.show(&doctor, || {
        report::terminal::doctor(&doctor, invocation.width())
    })
}

/// How even the machine's own speed is: that of one core and of all, in turn.
fn pace() -> Option<Paces> {
    let cores = observe::cores();
    let looks = (0..LOOKS).filter_map(|_| Some((observe::pace(1)?, observe::pace(cores)?)));
    let (alone, together): (Vec<f64>, Vec<f64>) = looks.unzip();
    Paces::of(&alone, &together)
}

fn everything(python: Option<&Path>, invocation: &Invocation) -> Result<Vec<Found>> {
    let python = catalogue::python(python)?;
    let beside = python
        .as_deref()
        .and_then(|python| overlaid(python, invocation));
    let (python, machine) = (beside.or(python), invocation.machine()?);
    let found = stack::probe(machine.catalogue(), python.as_deref(), |_| true);
    let lacks = |entry: &str| stack::lacking_for_any(entry, python.as_deref(), &machine);
    Ok(found.into_iter().map(|of| whole(of, lacks)).collect())
}

/// What is there of an entry: an app server without what it needs besides itself is as good as missing, and what it needs
/// is what to install.
fn whole(found: Found, lacks: impl Fn(&str) -> Option<StackError>) -> Found {
    let is_there = matches!(found.state, State::Version(_)) && found.kind == Kind::AppServer;
    let lacking = is_there.then(|| lacks(&found.entry)).flatten();
    match lacking {
        Some(StackError::Missing { why, install, .. }) => Found {
            state: State::Missing { why, install },
            ..found
        },
        _ => found,
    }
}

/// What could serve an app, or stand before it.
fn of_app(
    args: &DoctorArgs,
    dir: &Path,
    entry: Option<&str>,
    invocation: &Invocation,
) -> Result<Vec<Found>> {
    let machine = invocation.machine()?;
    let wish = Wish {
        dir,
        entry,
        interface: args.kind.map(Is::interface),
        speaks: args.kind.and_then(Is::link),
        command: args.command.as_deref(),
        python: args.python.as_deref(),
        builds: &invocation.builds(),
        patience: Wish::PATIENCE,
    };
    let app = stack::recognise(&wish, machine.catalogue())?.app;
    let beside = app
        .python
        .as_deref()
        .and_then(|python| overlaid(python, invocation));
    let app = App {
        python: beside.or(app.python),
        ..app
    };
    let found = stack::probe(machine.catalogue(), app.python.as_deref(), |entry| {
        experiment::suits(entry, &app)
    });
    let known = experiment::candidates(&app, &machine, &found, None);
    let suits =
        |of: &Found| known.installed.contains(&of.entry) || known.missing.contains(&of.entry);
    let lacks = |entry: &str| stack::lacking_for(entry, &app, &machine);
    let found = found.into_iter().filter(suits);
    Ok(found.map(|of| whole(of, lacks)).collect())
}

fn program(name: String, kind: &str, state: State) -> Program {
    let (version, install) = match state {
        State::Version(version) => (Some(version), None),
        State::Missing { install, .. } => (None, install),
    };
    Program {
        name,
        kind: kind.to_owned(),
        version,
        install,
    }
}
