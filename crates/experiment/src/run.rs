//! All trials of a run, in order, each stored as soon as it ends.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use load::Event;
use record::{Cut, Run, RunStatus, Trial};
use stack::{GuardCommand, Machine, Options, StackError};
use store::Store;

use crate::active_run::ActiveRun;
use crate::budget::{Course, Outlook};
use crate::error::ExperimentError;
use crate::estimate;
use crate::order::Slot;
use crate::references::References;
use crate::run_progress::RunProgress;

/// What a run works with.
pub struct Lab<'a> {
    /// Where trials are kept.
    pub store: &'a mut Store,
    /// What stages are composed for.
    pub machine: &'a Machine,
    /// How guardians are started.
    pub guard: GuardCommand,
    /// Longest time from the start of a program to its first right answer.
    pub ready_timeout: Duration,
    /// Set by the user's Ctrl-C.
    pub interrupted: &'a AtomicBool,
    /// Seconds that a run may take; blocks that do not fit are left out.
    pub budget: Option<f64>,
}

impl<'a> Lab<'a> {
    pub(crate) fn options(&self) -> Options<'a> {
        Options {
            guard: self.guard.clone(),
            ready_timeout: self.ready_timeout,
            ..Options::new(self.interrupted)
        }
    }
}

/// Something happened that a watching person wants to know.
#[derive(Debug)]
pub enum News {
    /// The run begins, or goes on where it was cut short.
    Begun {
        /// Trials in all.
        trials: u64,
        /// Trials already stored.
        done: u64,
    },
    /// The app's setup commands run.
    Setup,
    /// The reference answers are taken from this stage's app server.
    Reference(String),
    /// How long the rest will take, and how much of the plan that is: before the first trial, and after each.
    Outlook(Outlook),
    /// A trial begins.
    Trial {
        /// Its block, 0-based.
        block: u32,
        /// Blocks in all.
        blocks: u32,
        /// Its stage, and whether it is the A/A pair's second half.
        slot: Slot,
        /// How often it was tried before.
        attempt: u32,
    },
    /// A trial has come to this step.
    Step(&'static str),
    /// It serves and is about to be loaded: the main process of each program with the name of its entry,
    /// from the client's side inwards.
    Serving(Vec<(u32, String)>),
    /// The load goes on.
    Load(Event),
    /// The first block has shown where curves turn, and points were added there.
    Refined {
        /// Their stages.
        stages: Vec<String>,
        /// Trials that the run has more for it.
        trials: u64,
    },
    /// A trial is stored.
    Stored(Box<Trial>),
    /// The trial that was stored last is to be taken again, for this reason.
    PutAside(String),
}

/// Runs what is not yet stored of a run's trials, as far as there is time.
///
/// # Errors
/// The first failure ends the run, unless the plan keeps going: then a failed stage is left out of the
/// blocks that follow, and only a run in which every stage fails is an error. A store that cannot
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
    news(&News::Begun {
        trials: plan.trials(),
        done: progress.done(),
    });
    let stopped = |error| interrupted(run, &progress, error);
    for app in plan.apps().into_iter().filter(|app| !app.setup.is_empty()) {
        news(&News::Setup);
        stack::setup(app, &lab.guard, lab.interrupted).map_err(|error| stopped(error.into()))?;
    }
    let references = References::take(lab, plan, news).map_err(stopped)?;
    let course = Course {
        budget: lab.budget,
        forecast: estimate::forecast(plan, lab.store, lab.machine, references.paces())?,
    };
    let mut active = ActiveRun {
        lab,
        run: Arc::new(run.clone()),
        progress,
        references,
        course,
        began,
        lost: None,
    };
    active.blocks(news)
}

/// Ctrl-C shows up as whatever was under way; the user is told that they did it.
pub(crate) fn interrupted(
    run: &Run,
    progress: &RunProgress,
    error: ExperimentError,
) -> ExperimentError {
    match error {
        ExperimentError::Stack(StackError::Interrupted) => ExperimentError::Interrupted {
            run: run.id,
            done: progress.done(),
            planned: run.plan.trials(),
        },
        other => other,
    }
}
