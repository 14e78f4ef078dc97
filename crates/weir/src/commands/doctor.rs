//! `weir doctor`: what is installed here, how to install the rest, and how quiet the machine is.

use std::path::Path;

use report::terminal::Program;
use stack::{Found, Installs, State, Wish};

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
    let programs: Vec<Program> = servers.chain(tools).collect();
    invocation.show(&programs, || {
        let others = observe::others(LOOK);
        let quiet = others.as_ref().map(report::words::quiet);
        let machine: Vec<String> = quiet.into_iter().chain(paces()).collect();
        report::terminal::doctor(
            &programs,
            &installs.lines(),
            &machine.join(" "),
            invocation.width(),
        )
    })
}

/// How even the machine's own speed is: that of one core and of all, in turn.
fn paces() -> Option<String> {
    let cores = observe::cores();
    let looks = (0..LOOKS).filter_map(|_| Some((observe::pace(1)?, observe::pace(cores)?)));
    let (alone, together): (Vec<f64>, Vec<f64>) = looks.unzip();
    report::words::paces(&alone, &together)
}

fn everything(python: Option<&Path>, invocation: &Invocation) -> Result<Vec<Found>> {
    let python = catalogue::python(python)?;
    let beside = python
        .as_deref()
        .and_then(|python| overlaid(python, invocation));
    Ok(stack::probe(
        &invocation.catalogue()?,
        beside.or(python).as_deref(),
        |_| true,
    ))
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
    };
    let app = stack::recognise(&wish, machine.catalogue())?.app;
    let beside = app
        .python
        .as_deref()
        .and_then(|python| overlaid(python, invocation));
    let found = stack::probe(
        machine.catalogue(),
        beside.or(app.python.clone()).as_deref(),
        |entry| experiment::suits(entry, &app),
    );
    let known = experiment::candidates(&app, &machine, &found, None);
    let suits =
        |of: &Found| known.installed.contains(&of.entry) || known.missing.contains(&of.entry);
    Ok(found.into_iter().filter(suits).collect())
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
