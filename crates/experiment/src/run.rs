//! All trials of a run, in order, each stored as soon as it ends.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use load::Event;
use record::{Outcome, Plan, Run, RunStatus, Trial};
use stack::{Catalogue, GuardCommand, Options, StackError};
use store::Store;

use crate::error::ExperimentError;
use crate::order::{Slot, order};
use crate::references::References;
use crate::trial::{Place, trial};

/// What a run works with.
pub struct Lab<'a> {
    /// Where trials are kept.
    pub store: &'a mut Store,
    /// The servers that exist.
    pub catalogue: &'a Catalogue,
    /// How guardians are started.
    pub guard: GuardCommand,
    /// Longest time from the start of a program to its first right answer.
    pub ready_timeout: Duration,
    /// Set by the user's Ctrl-C.
    pub interrupted: &'a AtomicBool,
}

impl Lab<'_> {
    pub(crate) fn options(&self) -> Options<'_> {
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
    /// A trial begins.
    Trial {
        /// Its block, 0-based.
        block: u32,
        /// Blocks in all.
        blocks: u32,
        /// Its stage, and whether it is the A/A pair's second half.
        slot: Slot,
    },
    /// A trial has come to this step.
    Step(&'static str),
    /// It serves and is about to be loaded: the main process of each program with the name of its entry,
    /// from the client's side inwards.
    Serving(Vec<(u32, String)>),
    /// The load goes on.
    Load(Event),
    /// A trial is stored.
    Stored(Box<Trial>),
}

/// Runs what is not yet stored of a run's trials.
///
/// # Errors
/// The first failure ends the run, unless the plan keeps going: then a failed stage is left out of the
/// blocks that follow, and only a run in which every stage fails is an error. A store that cannot
/// be written and the user's Ctrl-C always end it. Trials already stored stay.
pub fn run(lab: &mut Lab, run: &Run, news: &mut dyn FnMut(&News)) -> Result<(), ExperimentError> {
    let outcome = go(lab, run, news);
    let status = match &outcome {
        Ok(()) => RunStatus::Finished,
        Err(_) => RunStatus::Stopped,
    };
    match (outcome, lab.store.finish(run.id, status)) {
        (Err(error), _) => Err(error),
        (Ok(()), finished) => Ok(finished?),
    }
}

fn go(lab: &mut Lab, run: &Run, news: &mut dyn FnMut(&News)) -> Result<(), ExperimentError> {
    let plan = &run.plan;
    let mut book = Book::open(lab.store, run)?;
    news(&News::Begun {
        trials: plan.trials(),
        done: book.done.len() as u64,
    });
    let interrupted = |book: &Book, error: ExperimentError| book.interrupted(run, error);
    for app in plan.apps().into_iter().filter(|app| !app.setup.is_empty()) {
        news(&News::Setup);
        stack::setup(app, &lab.guard, lab.interrupted)
            .map_err(|error| interrupted(&book, error.into()))?;
    }
    let mut references =
        References::take(lab, plan, news).map_err(|error| interrupted(&book, error))?;
    for block in 0..plan.blocks {
        for (position, slot) in order(plan, block).iter().enumerate() {
            if book.is_done(block, slot) || book.broken.contains(&slot.stage) {
                continue;
            }
            if lab.interrupted.load(Ordering::Relaxed) {
                return Err(interrupted(&book, StackError::Interrupted.into()));
            }
            news(&News::Trial {
                block,
                blocks: plan.blocks,
                slot: slot.clone(),
            });
            let place = Place {
                run: run.id,
                block,
                position: position as u32,
                slot,
            };
            let (done, error) = trial(lab, plan, &place, &mut references, news);
            if lab.interrupted.load(Ordering::Relaxed) {
                return Err(interrupted(&book, StackError::Interrupted.into()));
            }
            lab.store.save(&done)?;
            book.note(&done);
            news(&News::Stored(Box::new(done)));
            if let Some(error) = error.filter(|_| !plan.keep_going || book.all_broken(plan)) {
                return Err(error);
            }
        }
    }
    Ok(())
}

/// What is stored so far.
struct Book {
    done: BTreeSet<(u32, Slot)>,
    broken: BTreeSet<String>,
}

impl Book {
    fn open(store: &Store, run: &Run) -> Result<Self, ExperimentError> {
        let mut book = Self {
            done: BTreeSet::new(),
            broken: BTreeSet::new(),
        };
        for trial in store.trials(run.id)? {
            book.note(&trial);
        }
        Ok(book)
    }

    fn note(&mut self, trial: &Trial) {
        let slot = Slot {
            stage: trial.stage.clone(),
            again: trial.again,
        };
        self.done.insert((trial.block, slot));
        if matches!(trial.outcome, Outcome::Failed(_)) {
            self.broken.insert(trial.stage.clone());
        }
    }

    fn is_done(&self, block: u32, slot: &Slot) -> bool {
        self.done.contains(&(block, slot.clone()))
    }

    fn all_broken(&self, plan: &Plan) -> bool {
        plan.stages
            .iter()
            .all(|stage| self.broken.contains(&stage.name))
    }

    /// Ctrl-C shows up as whatever was under way; the user is told that they did it.
    fn interrupted(&self, run: &Run, error: ExperimentError) -> ExperimentError {
        match error {
            ExperimentError::Stack(StackError::Interrupted) => ExperimentError::Interrupted {
                run: run.id,
                done: self.done.len() as u64,
                planned: run.plan.trials(),
            },
            other => other,
        }
    }
}
