//! A plan file becomes a plan: read, resolved for a machine, and checked against it.

pub(crate) mod address;
pub(crate) mod blocks;
pub(crate) mod claims;
pub(crate) mod duration;
pub(crate) mod error;
pub(crate) mod fewer;
pub(crate) mod file;
pub(crate) mod only;
mod ranking;
pub(crate) mod read;
mod refine;
pub(crate) mod resolve;
pub(crate) mod slicing;
pub(crate) mod varied;
mod vary;
pub(crate) mod written;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;

use crate::error::ExperimentError;
use crate::plan::error::PlanError;

/// Reads a plan file and the app it names, for a machine of so many cores.
///
/// # Errors
/// When either is wrong. Entries, knobs and combinations are checked by [`check`].
pub fn read_plan(
    path: &Path,
    python: Option<&Path>,
    cores: u32,
) -> Result<record::Plan, ExperimentError> {
    let file = read::read(path, cores)?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let read = |app: &Path| stack::app::read(&folder.join(app), python);
    let (app, own) = if let Some(app) = &file.app {
        let own = file.variant.iter().map(|variant| variant.app.as_deref());
        let own: Result<Vec<_>, _> = own.map(|app| app.map(read).transpose()).collect();
        (read(app)?, own?)
    } else {
        let own = resolve::url::apps(path, &file)?;
        let app = own.first().cloned().unwrap_or_default();
        (app, own.into_iter().map(Some).collect())
    };
    Ok(resolve::Resolver {
        path,
        app,
        own,
        elsewhere: file.app.is_none(),
        cores,
        python,
    }
    .resolve(file)?)
}

/// Every client's program is there.
fn clients(plan: &record::Plan) -> Result<(), ExperimentError> {
    let usual = std::env::var_os("PATH");
    for variant in &plan.variants {
        let Some(client) = &variant.client else {
            continue;
        };
        let path = variant.env.get("PATH").map(OsStr::new);
        if !stack::is_there(&client.command[0], path.or(usual.as_deref()), &client.dir) {
            return Err(ExperimentError::NoClient {
                variant: variant.name.clone(),
                program: client.command[0].replace(char::is_control, "?"),
            });
        }
    }
    Ok(())
}

/// What its rates are shares of is among its variants, some of which may have been left out since it was read.
fn capacity(plan: &record::Plan) -> Result<(), PlanError> {
    match plan.open_capacity() {
        Some(variant) if plan.variant(variant).is_none() => Err(PlanError::NoCapacity {
            variant: variant.to_owned(),
        }),
        _ => Ok(()),
    }
}

/// Checks every variant against this machine and its catalogue, before anything is started.
///
/// # Errors
/// The first variant that names an unknown entry, a knob out of range or a combination that cannot
/// work; then the first one whose programs are not installed.
pub fn check(plan: &record::Plan, machine: &stack::Machine) -> Result<(), ExperimentError> {
    capacity(plan)?;
    crate::cores::check(plan, machine)?;
    crate::network::check(plan)?;
    clients(plan)?;
    let mut needed = BTreeMap::new();
    for variant in plan.variants.iter().filter(|variant| variant.is_stack()) {
        let composition =
            crate::cores::compose(machine, plan, variant).map_err(ExperimentError::of(variant))?;
        for part in composition.parts {
            needed
                .entry(part.entry.name.clone())
                .or_insert((variant, part.entry));
        }
    }
    for (variant, entry) in needed.values() {
        stack::require(entry, plan.app_of(variant).python.as_deref())
            .map_err(ExperimentError::of(variant))?;
    }
    Ok(())
}
