//! `weir doctor`: what is installed here, and how to install the rest.

use std::path::Path;

use report::terminal::Program;
use stack::{Found, State};

use crate::commands::print_json;
use crate::error::Result;
use crate::exit::Exit;
use crate::session::{Session, width};

pub(crate) fn run(python: Option<&Path>, session: &Session) -> Result<Exit> {
    let python = stack::app::interpreter(Path::new("."), python)?;
    let found = stack::probe(&session.catalogue()?, Some(&python));
    let tools: Vec<Program> = found.into_iter().map(tool).collect();
    if session.json() {
        print_json(&tools)?;
    } else {
        anstream::print!("{}", report::terminal::doctor(&tools, width()));
    }
    Ok(Exit::Done)
}

fn tool(found: Found) -> Program {
    let (version, install) = match found.state {
        State::Version(version) => (Some(version), None),
        State::Missing { install, .. } => (None, install),
    };
    Program {
        name: found.entry,
        kind: found.kind.words().to_owned(),
        version,
        install,
    }
}
