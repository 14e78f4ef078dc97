//! A plan becomes trials: resolved, ordered in seeded blocks, run one by one, stored at once.

mod active_run;
mod address;
mod again;
mod budget;
mod calibrate;
mod candidates;
mod claims;
mod duration;
mod error;
mod estimate;
mod forecast;
mod observed;
mod order;
mod pace;
mod plan;
mod plan_error;
mod priority;
mod ranking;
mod references;
mod resolve;
mod run;
mod run_progress;
mod same;
mod search;
mod served;
mod share;
mod suite;
mod trial;
mod vary;

use std::collections::BTreeMap;
use std::path::Path;

pub use address::{Address, AddressError};
pub use budget::Outlook;
pub use calibrate::{Effort, calibrate};
pub use candidates::{Candidates, candidates};
pub use claims::require;
pub use duration::duration;
pub use error::ExperimentError;
pub use estimate::{Basis, Estimate, estimate};
pub use observed::observed_load;
pub use order::{Slot, order};
pub use pace::{AtOnce, Pace, Slots, slots};
pub use plan_error::PlanError;
pub use run::{Lab, News, run};
pub use same::same;
pub use search::{Found, LeftOut, Listed, Loads, Proposal, Strategy, Survey, search};
pub use share::{Need, shares};
pub use suite::{OpenClaim, Report, Suite, suite};

/// A seed for a plan that names none.
pub fn seed() -> u64 {
    // JSON numbers are exact up to 2^53; a seed that cannot be typed back is no seed
    rand::random::<u64>() >> 11
}

/// Reads a plan file and the app it names, for a machine of so many cores.
///
/// # Errors
/// When either is wrong. Entries, knobs and combinations are checked by [`check`].
pub fn read_plan(
    path: &Path,
    python: Option<&Path>,
    cores: u32,
) -> Result<record::Plan, ExperimentError> {
    let file = resolve::read(path, cores)?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let read = |app: &Path| stack::app::read(&folder.join(app), python);
    let (app, own) = if let Some(app) = &file.app {
        let own = file.stage.iter().map(|stage| stage.app.as_deref());
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
    }
    .resolve(file)?)
}

/// Checks every stage against this machine and its catalogue, before anything is started.
///
/// # Errors
/// The first stage that names an unknown entry, a knob out of range or a combination that cannot
/// work; then the first one whose programs are not installed.
pub fn check(plan: &record::Plan, machine: &stack::Machine) -> Result<(), ExperimentError> {
    let mut needed = BTreeMap::new();
    for stage in plan.stages.iter().filter(|stage| stage.url.is_none()) {
        let composition = machine
            .compose(stage, plan.app_of(stage))
            .map_err(at(stage))?;
        for part in composition.parts {
            needed
                .entry(part.entry.name.clone())
                .or_insert((stage, part.entry));
        }
    }
    for (stage, entry) in needed.values() {
        stack::require(entry, plan.app_of(stage).python.as_deref()).map_err(at(stage))?;
    }
    Ok(())
}

/// An error of a stack as an error of this stage.
fn at(stage: &record::Stage) -> impl FnOnce(stack::StackError) -> ExperimentError {
    let stage = stage.name.clone();
    move |error| match error {
        // it says so itself
        stack::StackError::Refused { .. } => error.into(),
        _ => ExperimentError::Stage {
            stage,
            error: Box::new(error),
        },
    }
}
