//! All trials of a run, in order, each stored as soon as it ends.

mod active;
mod again;
pub(crate) mod app_times;
pub(crate) mod at_once;
pub(crate) mod bare;
pub(crate) mod budget;
mod capacity;
mod client;
pub(crate) mod estimate;
mod faults;
mod first_load;
mod forecast;
mod groups;
mod highest;
pub(crate) mod lab;
mod left_open;
pub(crate) mod looks;
pub(crate) mod order;
pub(crate) mod progress;
pub(crate) mod quiet;
mod references;
mod served;
pub(crate) mod share;
mod slices;
mod together;
mod trial;
mod trials;

use std::sync::Arc;
use std::time::Instant;

use record::{App, Cut, Plan, Run, RunStatus};

use crate::error::ExperimentError;
use crate::network;
use crate::run::active::{ActiveRun, interrupted};
use crate::run::budget::Course;
use crate::run::lab::{Lab, News};
use crate::run::progress::RunProgress;
use crate::run::references::References;
use crate::search::refine::is_open;

/// Runs what is not yet stored of a run's trials, as far as there is time.
///
/// # Errors
/// The first failure ends the run, unless the plan keeps going: then a failed variant is left out of the
/// blocks that follow, and only a run in which every variant fails is an error. A store that cannot
/// be written and the user's Ctrl-C always end it. Trials already stored stay.
pub fn run(lab: &mut Lab, run: &Run, news: &mut dyn FnMut(&News)) -> Result<(), ExperimentError> {
    let outcome = go(lab, run, news);
    let status = match &outcome {
        Ok(_) => RunStatus::Finished,
        Err(_) => RunStatus::Stopped,
    };
    let cut = outcome.as_ref().ok().and_then(Option::as_ref);
    let noted = lab.store.note_cut(run.id, cut);
    let finished = lab.store.finish(run.id, status);
    outcome?;
    noted?;
    Ok(finished?)
}

fn go(
    lab: &mut Lab,
    run: &Run,
    news: &mut dyn FnMut(&News),
) -> Result<Option<Cut>, ExperimentError> {
    let began = Instant::now();
    let plan = &run.plan;
    let progress = RunProgress::open(lab.store, run)?;
    if RunProgress::is_complete(lab.store, run)? {
        let (run, trials) = (run.id, progress.done());
        news(&News::Complete { run, trials });
        return Ok(None);
    }
    network::check(plan)?;
    if let Some(told) = network::told(plan) {
        news(&told);
    }
    news(&News::Begun {
        trials: plan.trials(),
        done: progress.done(),
    });
    // Ctrl-C shows up as whatever was under way; the user is told that they did it
    let place = lab.place.clone();
    let stopped = |error| {
        if place.is_interrupted() {
            interrupted(run, &progress)
        } else {
            error
        }
    };
    set_up(lab, plan, news).map_err(stopped)?;
    let taken = || References::take(lab, plan, news);
    let (references, quiet) = quiet::meanwhile(plan, observe::others, taken);
    let references = references.map_err(stopped)?;
    let course = Course {
        budget: lab.time.budget,
        beyond: lab.time.beyond,
        until: lab.time.until,
        without_reasons: lab.time.without_reasons,
        forecast: estimate::forecast(plan, lab.store, lab.place.machine, |app| {
            let seen = lab.time.seen.clone().filter(|_| *app == plan.app);
            seen.or_else(|| references.app_times(app))
        })?,
    };
    let spent = lab.time.spent;
    let mut active = ActiveRun {
        lab,
        run: Arc::new(run.clone()),
        progress,
        trials: references,
        course,
        clock: Box::new(move || spent + began.elapsed().as_secs_f64()),
        lost: None,
        whole: std::collections::BTreeSet::new(),
        quiet,
    };
    let cut = active.blocks(news)?;
    if is_open(&active.run.plan) {
        news(&News::Unrefined { run: run.id });
    }
    Ok(cut)
}

/// Runs the commands by which the apps of a plan are set up.
fn set_up(lab: &Lab, plan: &Plan, news: &mut dyn FnMut(&News)) -> Result<(), ExperimentError> {
    // whoever has looked at the app has set it up
    let is_set_up = |app: &App| lab.time.seen.is_some() && *app == plan.app;
    let apps = plan.apps().into_iter();
    for app in apps.filter(|app| !app.setup.is_empty() && !is_set_up(app)) {
        news(&News::Setup {
            at_most: stack::SETUP_LIMIT.as_secs_f64(),
        });
        stack::setup(app, &lab.place.guard, lab.place.interrupted)?;
    }
    Ok(())
}
