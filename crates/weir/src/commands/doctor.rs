//! `weir doctor`: what is installed here, and how to install the rest.

use std::path::Path;

use report::terminal::Program;
use stack::State;

use crate::commands::catalogue;
use crate::error::{Exit, Result};
use crate::invocation::Invocation;

pub(crate) fn run(python: Option<&Path>, invocation: &Invocation) -> Result<Exit> {
    let python = catalogue::python(python)?;
    let found = stack::probe(&invocation.catalogue()?, python.as_deref());
    let servers = found.into_iter();
    let servers = servers.map(|of| program(of.entry, of.kind.words(), of.state));
    let tools = stack::tools().into_iter();
    let tools = tools.map(|of| program(of.name, "tool", of.state));
    let programs: Vec<Program> = servers.chain(tools).collect();
    invocation.show(&programs, || {
        report::terminal::doctor(&programs, invocation.width())
    })
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
