//! The run loop without a server: trials come from a table.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use load::LoadError;
use record::{Host, Level, LoadFacts, Measured, Plan, Refine, StackFacts, Sweep, Target, Verified};
use stack::{Catalogue, GuardCommand, Machine, StackError};
use store::Store;

use super::*;
use crate::run::forecast::Forecast;

/// What is to come of the trial of a variant, in a block, at an attempt.
type Says = fn(&str, u32, u32) -> Result<LoadFacts, ExperimentError>;

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
fn others(share: f64) -> Others {
    Others {
        seconds: 20.0 * share,
        share,
        programs: Vec::new(),
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
fn sound(_: &str, _: u32, _: u32) -> Result<LoadFacts, ExperimentError> {
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

fn failed(variant: &str) -> ExperimentError {
    ExperimentError::Variant {
        variant: variant.to_owned(),
        error: Box::new(StackError::Guardian {
            entry: "gunicorn".to_owned(),
            problem: "gone".to_owned(),
        }),
    }
}

struct Came {
    outcome: Result<Option<Cut>, ExperimentError>,
    taken: Vec<(u32, String, u32)>,
    stored: usize,
    /// Seconds that a quiet moment may still have been waited for, each time that was told.
    waits: Vec<f64>,
    seconds: f64,
    /// Whether the plan leaves points to be chosen.
    open: bool,
}

fn place<'a>(machine: &'a Machine, interrupted: &'a AtomicBool) -> Place<'a> {
    Place {
        machine,
        guard: GuardCommand::default(),
        ready_timeout: Duration::from_secs(1),
        interrupted,
    }
}

/// Runs four variants in these blocks, of which each trial is thought to take a second.
fn run(blocks: u32, keep_going: bool, budget: Option<f64>, says: Says) -> Came {
    beside(blocks, keep_going, budget, says, (false, &[], &[]))
}

/// The same beside other programs: whether that is so for good, what they take during the trials, and what is seen of
/// them in between.
fn beside(
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
fn of_plan(plan: &Plan, budget: Option<f64>, says: Says, (during, now): (&[f64], &[f64])) -> Came {
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
        trials: Scripted {
            says,
            during: during.iter().rev().copied().collect(),
            now: now.iter().rev().copied().collect(),
            taken: Vec::new(),
            clock: Rc::clone(&clock),
        },
        course: Course {
            budget,
            beyond: 0.0,
            until: None,
            forecast: Forecast::new(names),
        },
        clock: Box::new(move || passed.get()),
        lost: None,
        whole: BTreeSet::new(),
        quiet: Quiet::default(),
    };
    let mut waits = Vec::new();
    let outcome = active.blocks(&mut |news| {
        if let News::Waiting { at_most, .. } = news {
            waits.push(*at_most);
        }
    });
    let open = is_open(&active.run.plan);
    let (taken, run) = (active.trials.taken, active.run.id);
    Came {
        outcome,
        taken,
        stored: store.trials(run).unwrap().len(),
        waits,
        seconds: clock.get(),
        open,
    }
}

#[test]
fn every_block_has_every_variant_once_and_each_is_stored() {
    let came = run(3, false, None, sound);
    assert_eq!(came.outcome.unwrap(), None);
    assert_eq!(came.stored, 12);
    for block in 0..3 {
        let of_block = came.taken.iter().filter(|of| of.0 == block);
        let mut variants: Vec<_> = of_block.map(|of| of.1.as_str()).collect();
        variants.sort_unstable();
        assert_eq!(variants, ["a", "b", "c", "d"]);
    }
}

#[test]
fn what_is_lost_once_is_taken_again_when_its_block_is_through() {
    let came = run(2, false, None, |variant, block, attempt| match attempt {
        0 if variant == "c" && block == 0 => Err(failed(variant)),
        _ => sound(variant, block, attempt),
    });
    assert_eq!(came.outcome.unwrap(), None);
    assert_eq!(came.taken[4], (0, "c".to_owned(), 1));
    assert_eq!((came.taken.len(), came.stored), (9, 9));
}

#[test]
fn what_is_lost_three_times_ends_the_run_unless_it_keeps_going() {
    let says: Says = |variant, block, attempt| match variant {
        "c" => Err(failed(variant)),
        _ => sound(variant, block, attempt),
    };
    let came = run(2, false, None, says);
    assert!(matches!(came.outcome, Err(ExperimentError::Variant { .. })));
    assert_eq!(came.taken.iter().filter(|of| of.1 == "c").count(), 3);
    assert_eq!(came.stored, came.taken.len());

    let came = run(2, true, None, says);
    assert_eq!(came.outcome.unwrap(), None);
    let second: Vec<_> = came.taken.iter().filter(|of| of.0 == 1).collect();
    assert_eq!(second.len(), 3, "it is left out: {second:?}");
}

#[test]
fn what_will_not_pass_is_not_tried_again() {
    let came = run(2, false, None, |variant, _, _| {
        Err(ExperimentError::Load {
            variant: variant.to_owned(),
            error: Box::new(LoadError::Interrupted),
        })
    });
    assert!(came.outcome.is_err());
    assert_eq!(came.taken.len(), 1);
}

#[test]
fn blocks_that_do_not_fit_are_left_out_and_the_first_is_whole() {
    let came = run(6, false, Some(9.0), sound);
    let cut = came.outcome.unwrap().unwrap();
    assert_eq!((cut.blocks, cut.trials), (2, 0), "{cut:?}");
    assert_eq!(came.taken.len(), 8);
    let came = run(6, false, Some(0.1), sound);
    assert_eq!(came.outcome.unwrap().unwrap().blocks, 1);
    assert_eq!(came.taken.len(), 4);
}

/// Points that are added where curves turn are no part of the first block that is run whatever it takes.
#[test]
fn points_that_do_not_fit_are_left_to_whoever_resumes_the_run() {
    let mut plan = crate::run::order::tests::plan(1, None, 1);
    for (variant, level) in plan.variants.iter_mut().zip(1_u32..) {
        variant.sweep = Some(Sweep {
            family: "x".to_owned(),
            levels: vec![Level {
                factor: "connections".to_owned(),
                level: level.to_string(),
                number: Some(f64::from(level)),
            }],
            added: false,
        });
    }
    plan.refine = vec![Refine {
        family: "x".to_owned(),
        factor: "connections".to_owned(),
        path: "load.connections".to_owned(),
        points: 2,
        decided: false,
    }];
    let came = of_plan(&plan, Some(5.0), sound, (&[], &[]));
    assert_eq!(came.outcome.unwrap(), None);
    assert!(came.open, "two more would take until 6.0 s");
    assert_eq!(came.taken.len(), 4);
    assert!(!of_plan(&plan, Some(6.0), sound, (&[], &[])).open);
}

#[test]
fn ctrl_c_ends_it_before_the_next_trial_and_is_told_as_such() {
    let came = run(30, false, None, sound);
    let Err(ExperimentError::Interrupted { done, planned, .. }) = came.outcome else {
        panic!("{:?}", came.outcome);
    };
    // the trial that was under way is no result
    assert_eq!((done, planned), (99, 120));
    assert_eq!((came.taken.len(), came.stored), (100, 99));
}

#[test]
fn a_disturbed_trial_is_taken_again_once_the_machine_is_quiet() {
    // the last of the four trials of the first block; then two looks until it is quiet
    let came = beside(
        2,
        false,
        None,
        sound,
        (false, &[0.0, 0.0, 0.0, 0.3], &[0.4, 0.4]),
    );
    assert_eq!(came.outcome.unwrap(), None);
    let again: Vec<_> = came.taken.iter().filter(|of| of.2 == 1).collect();
    assert_eq!(again, [&(0, came.taken[3].1.clone(), 1)]);
    assert_eq!(came.taken.len(), 9);
    assert_eq!(came.waits.len(), 2, "{:?}", came.waits);
}

#[test]
fn quiet_is_not_waited_for_without_end() {
    let (always, half) = ([0.5; 200], [0.5; 200]);
    let came = beside(9, false, None, sound, (false, &always, &half));
    assert_eq!(came.outcome.unwrap(), None);
    // each variant is taken again twice, once; and of each block 20 s are waited, of the run 60
    assert_eq!(came.taken.len(), 9 * 4 + 2 * 4);
    assert!(
        (came.seconds - came.taken.len() as f64 - 60.0).abs() < 1.0,
        "{}",
        came.seconds
    );

    let came = beside(9, false, Some(40.0), sound, (false, &always, &half));
    assert_eq!(came.waits.len(), 4, "5 % of the budget: {:?}", came.waits);
}

#[test]
fn on_a_shared_machine_others_are_nothing_that_passes() {
    let came = beside(2, false, None, sound, (true, &[0.5; 8], &[0.5; 200]));
    assert_eq!((came.taken.len(), came.waits.len()), (8, 0));
}
