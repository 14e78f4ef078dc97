//! A program that is started by another, which starts it again when it has ended.

use std::path::Path;

use minijinja::context;
use minijinja::value::Serde;

use super::{Program, template::Template, words};
use crate::compose::composition::{Composition, Part};
use crate::compose::workspace::{Placement, Workspace};
use crate::error::Result;

/// The same program below its part's supervisor, if that has one: what runs is the supervisor, with files of its own
/// beside the program's.
pub(super) fn supervised(
    composition: &Composition,
    workspace: &Workspace,
    placement: &Placement,
    program: Program,
) -> Result<Program> {
    let part = &composition.parts[placement.part];
    let Some((supervisor, identity)) = part
        .supervisor
        .as_ref()
        .zip(placement.identity.supervisor.as_deref())
    else {
        return Ok(program);
    };
    let placement = Placement {
        identity: identity.clone(),
        ..placement.clone()
    };
    let part = Part {
        entry: supervisor.entry.clone(),
        knobs: supervisor.knobs.clone(),
        ..part.clone()
    };
    let own = words::placement(&part, &placement, &workspace.folder);
    let own = context! { server => told(&program), ..own };
    let template = Template::placed(composition, &part, own, Vec::new(), workspace)?;
    let mut files = program.files;
    files.extend(template.files(&program.name)?);
    let mut needs = program.needs;
    needs.extend(template.needs()?);
    Ok(Program {
        argv: template.argv("argv", &part.entry.argv)?,
        stop: part.entry.stop,
        supervisor: Some(format!("{} {}", part.entry.name, identity.version)),
        files,
        needs,
        ..program
    })
}

/// What a supervisor is told of the program that it is to start.
fn told(program: &Program) -> minijinja::Value {
    let path = |path: &Path| path.display().to_string();
    context! {
        argv => &program.argv,
        env => Serde(&program.env),
        cwd => path(&program.cwd),
        log => path(&program.log),
    }
}
