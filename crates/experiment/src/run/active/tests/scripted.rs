//! Trials that go as a test says, and a run of them in which a second passes with each.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use record::{
    App, Cut, Host, LoadFacts, Measured, OtherProgram, Others, Outcome, Plan, Run, StackFacts,
    Target, Trial, Verified,
};
use stack::{Catalogue, GuardCommand, Machine, StackError};
use store::Store;

use crate::error::ExperimentError;
use crate::run::active::ActiveRun;
use crate::run::app_times::AppTimes;
use crate::run::budget::Course;
use crate::run::forecast::Forecast;
use crate::run::lab::{Lab, News, Place};
use crate::run::looks::Looked;
use crate::run::progress::{Again, RunProgress};
use crate::run::quiet::Quiet;
use crate::run::trials::{Taken, Trials};

/// What is to come of the trial of a variant, in a block, at an attempt.
pub(super) type Says = fn(&str, u32, u32) -> Result<LoadFacts, ExperimentError>;

struct Scripted {
    says: Says,
    /// What other programs take during the next trials, and when that is looked at, the next one last; then nothing.
    during: Vec<f64>,
    now: Vec<f64>,
    /// The order in which trials were taken: block, variant, attempt.
    taken: Vec<(u32, String, u32)>,
    /// A second passes with each.
    clock: Rc<Cell<f64>>,
}

impl Trials for Scripted {
    fn take(
        &mut self,
        place: &Place,
        run: &Run,
        group: &[Again],
        _: &mut dyn FnMut(&News),
    ) -> Vec<Taken> {
        let one = |what| self.one(place, run, what);
        group.iter().map(one).collect()
    }

    fn app_times(&self, _: &App) -> Option<AppTimes> {
        None
    }

    fn others(&mut self, seconds: f64) -> Option<Others> {
        self.clock.set(self.clock.get() + seconds);
        Some(others(self.now.pop().unwrap_or(0.0)))
    }
}

impl Scripted {
    fn new(says: Says, (during, now): (&[f64], &[f64]), clock: &Rc<Cell<f64>>) -> Self {
        Self {
            says,
            during: during.iter().rev().copied().collect(),
            now: now.iter().rev().copied().collect(),
            taken: Vec::new(),
            clock: Rc::clone(clock),
        }
    }

    fn one(&mut self, place: &Place, run: &Run, what: &Again) -> Taken {
        let variant = &what.slot.variant;
        self.taken.push((what.block, variant.clone(), what.attempt));
        self.clock.set(self.clock.get() + 1.0);
        if self.taken.len() == 100 {
            place.interrupted.store(true, Ordering::Relaxed);
        }
        let (outcome, error) = match (self.says)(variant, what.block, what.attempt) {
            Ok(load) => (measured(load, self.during.pop().unwrap_or(0.0)), None),
            Err(error) => (Outcome::Failed(error.failure()), Some(error)),
        };
        let trial = Trial {
            run: run.id,
            block: what.block,
            position: what.position,
            variant: variant.clone(),
            again: what.slot.again,
            group: what.slot.group,
            attempt: what.attempt,
            started: record::now(),
            outcome,
        };
        Taken {
            trial,
            error,
            seconds: None,
        }
    }
}

/// A program that takes this share of two cores.
pub(super) fn others(share: f64) -> Others {
    Others {
        seconds: 20.0 * share,
        share,
        programs: vec![OtherProgram {
            name: "hog".to_owned(),
            seconds: 20.0 * share,
            processes: 1,
            pid: Some(4711),
        }],
        unseen: 0.0,
    }
}

pub(crate) fn measured(load: LoadFacts, beside: f64) -> Outcome {
    Outcome::Measured(Box::new(Measured {
        stack: StackFacts {
            servers: Vec::new(),
            address: Target::Unix("app.sock".into()),
            ready_after: 0.1,
            verified: Verified::default(),
        },
        load,
        processes: Vec::new(),
        stolen: 0.0,
        observed: record::Observed {
            others: Some(others(beside)),
            ..record::Observed::default()
        },
    }))
}

/// A load that nothing is wrong with.
#[allow(clippy::unnecessary_wraps, reason = "it is a `Says`")]
pub(super) fn sound(_: &str, _: u32, _: u32) -> Result<LoadFacts, ExperimentError> {
    let mut load = LoadFacts {
        seconds: 10.0,
        scheduled: 5_000,
        completed: 5_000,
        connections: 1,
        ..LoadFacts::default()
    };
    (0..5_000).for_each(|_| load.response.record(2_000_000));
    load.statuses.insert(200, 5_000);
    Ok(load)
}

pub(super) fn failed(variant: &str) -> ExperimentError {
    ExperimentError::Variant {
        variant: variant.to_owned(),
        error: Box::new(StackError::Guardian {
            entry: "gunicorn".to_owned(),
            problem: "gone".to_owned(),
        }),
    }
}

pub(super) struct Came {
    pub(super) outcome: Result<Option<Cut>, ExperimentError>,
    pub(super) taken: Vec<(u32, String, u32)>,
    pub(super) stored: usize,
    /// Seconds that a quiet moment may still have been waited for, each time that was told.
    pub(super) waits: Vec<f64>,
    pub(super) seconds: f64,
    /// The plan in the end.
    pub(super) plan: Plan,
    /// What to do about variants that are left out, each time that was told.
    pub(super) hints: Vec<String>,
    /// The programs that disturbed a trial that was put aside, of each.
    pub(super) aside: Vec<Vec<String>>,
    /// What looks have changed, or leave open.
    pub(super) looked: Vec<Looked>,
}

fn place<'a>(machine: &'a Machine, interrupted: &'a AtomicBool) -> Place<'a> {
    Place {
        machine,
        guard: GuardCommand::default(),
        ready_timeout: Duration::from_secs(1),
        ring_costs: Vec::new(),
        interrupted,
    }
}

/// Runs four variants in these blocks, of which each trial is thought to take a second.
pub(super) fn run(blocks: u32, keep_going: bool, budget: Option<f64>, says: Says) -> Came {
    beside(blocks, keep_going, budget, says, (false, &[], &[]))
}

/// The same beside other programs: whether that is so for good, what they take during the trials, and what is seen of
/// them in between.
pub(super) fn beside(
    blocks: u32,
    keep_going: bool,
    budget: Option<f64>,
    says: Says,
    (shared, during, now): (bool, &[f64], &[f64]),
) -> Came {
    let plan = Plan {
        keep_going,
        shared,
        ..crate::run::order::tests::plan(1, None, blocks)
    };
    of_plan(&plan, budget, says, (during, now))
}

/// The same of any plan of these variants.
pub(super) fn of_plan(
    plan: &Plan,
    budget: Option<f64>,
    says: Says,
    beside: (&[f64], &[f64]),
) -> Came {
    on_machine(Quiet::default(), plan, budget, says, beside)
}

/// The same on a machine that was seen to be as quiet as this.
pub(super) fn on_machine(
    quiet: Quiet,
    plan: &Plan,
    budget: Option<f64>,
    says: Says,
    beside: (&[f64], &[f64]),
) -> Came {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("weir.db")).unwrap();
    let host = Host {
        cores: 2,
        ..Host::default()
    };
    let run = store.begin_run(plan, &host, "0").unwrap();
    let machine = Machine::new(Catalogue::load(&[]).unwrap(), 2);
    let interrupted = AtomicBool::new(false);
    let mut lab = Lab {
        store: &mut store,
        place: place(&machine, &interrupted),
        time: budget.into(),
    };
    let progress = RunProgress::open(lab.store, &run).unwrap();
    let names = ["a", "b", "c", "d"].map(|name| (name.to_owned(), 1.0));
    let clock = Rc::new(Cell::new(0.0));
    let passed = Rc::clone(&clock);
    let mut active = ActiveRun {
        lab: &mut lab,
        run: Arc::new(run),
        progress,
        trials: Scripted::new(says, beside, &clock),
        course: Course {
            budget,
            beyond: 0.0,
            until: None,
            without_reasons: false,
            forecast: Forecast::new(names),
        },
        clock: Box::new(move || passed.get()),
        lost: None,
        whole: BTreeSet::new(),
        quiet,
    };
    let (mut waits, mut hints, mut aside) = (Vec::new(), Vec::new(), Vec::new());
    let mut looked = Vec::new();
    let outcome = active.blocks(&mut |news| match news {
        News::Waiting { at_most, .. } => waits.push(*at_most),
        News::LeftOut(hint) => hints.push(hint.clone()),
        News::PutAside { by, .. } => aside.push(by.clone()),
        News::Looked(of) => looked.push(of.clone()),
        _ => {}
    });
    let (taken, run) = (active.trials.taken, active.run.id);
    Came {
        outcome,
        taken,
        stored: store.trials(run).unwrap().len(),
        waits,
        seconds: clock.get(),
        plan: store.run(run).unwrap().plan,
        hints,
        aside,
        looked,
    }
}
