//! `weir doctor`: what is installed here, and how to install the rest.

use std::path::Path;

use report::terminal::Program;
use stack::{Found, State, Tool};

use crate::error::Result;
use crate::exit::Exit;
use crate::output::{print, print_json};
use crate::session::Session;

pub(crate) fn run(python: Option<&Path>, session: &Session) -> Result<Exit> {
    let here = Path::new(".");
    // a machine without any Python is a finding; one that the user named and is not there, an error
    let python = match python {
        Some(_) => Some(stack::app::interpreter(here, python)?),
        None => stack::app::interpreter(here, None).ok(),
    };
    let found = stack::probe(&session.catalogue()?, python.as_deref());
    let servers = found.into_iter().map(server);
    let programs: Vec<Program> = servers
        .chain(stack::tools().into_iter().map(tool))
        .collect();
    if session.json() {
        print_json(&programs)?;
    } else {
        print(&report::terminal::doctor(&programs, session.width()))?;
    }
    Ok(Exit::Done)
}

fn server(found: Found) -> Program {
    program(found.entry, found.kind.words(), found.state)
}

fn tool(tool: Tool) -> Program {
    program(tool.name, "tool", tool.state)
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
