//! `weir doctor`: what is installed here, and how to install the rest.

use report::terminal::Tool;
use stack::{Found, State};

use crate::args::PythonArg;
use crate::commands::print_json;
use crate::error::Result;
use crate::exit::Exit;
use crate::session::{Session, width};

pub(crate) fn run(python: &PythonArg, session: &Session) -> Result<Exit> {
    let python = stack::app::python(python.python.as_deref(), std::path::Path::new("."))?;
    let found = stack::probe(&session.catalogue()?, Some(&python));
    let tools: Vec<Tool> = found.into_iter().map(tool).collect();
    if session.json() {
        print_json(&tools)?;
    } else {
        anstream::print!("{}", report::terminal::doctor(&observe::host(), &tools, width()));
    }
    Ok(Exit::Done)
}

fn tool(found: Found) -> Tool {
    let (version, install) = match found.state {
        State::Version(version) => (Some(version), None),
        State::Missing { install, .. } => (None, install),
    };
    Tool {
        name: found.entry,
        kind: found.kind.words().to_owned(),
        version,
        install,
    }
}
