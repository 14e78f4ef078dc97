//! `weir run`: a plan, from its first trial to its verdicts.

mod advice;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use experiment::{Allowance, Blocks, ExperimentError, Lab, Place};
use record::{Cpus, Network, Plan, Run};
use report::terminal;
use stack::{GuardCommand, Machine};
use store::Store;

use self::advice::{advise, tell_few, tell_windows};
use crate::args::{HowArgs, RunArgs, StartArgs};
use crate::commands::claims::schedule;
use crate::commands::show;
use crate::error::{Error, Exit, Result};
use crate::invocation::{Invocation, VERSION, named};
use crate::output::note;
use crate::progress::Progress;

pub(crate) fn run(args: &RunArgs, invocation: &mut Invocation) -> Result<Exit> {
    if let Some(path) = args.plan.as_ref().filter(|_| args.dry_run) {
        return rehearse(&read(path, args, invocation)?, invocation);
    }
    let mut store = invocation.store()?;
    let run = match (args.resume, &args.plan) {
        (Some(name), _) => {
            let run = named(&store, name)?;
            is_as_shared(&run, invocation)?;
            if !invocation.quiet() {
                moved(&run).iter().for_each(note);
            }
            store.resume(run.id)?;
            run
        }
        (None, Some(path)) => begin(&read(path, args, invocation)?, invocation, &mut store)?,
        (None, None) => unreachable!("clap asks for a plan unless --resume is given"),
    };
    // what was left out for want of time is what a resumed run is for
    let own = run.plan.budget.filter(|_| args.resume.is_none());
    carry_out(
        &run,
        args.time.budget.or(own).into(),
        &mut store,
        invocation,
        &args.how,
        &mut invocation.progress(),
    )
}

/// A run goes on as it began: trials that count what other programs disturbed are not compared with trials that do not.
fn is_as_shared(run: &Run, invocation: &Invocation) -> Result<()> {
    if run.plan.shared || !invocation.shared() {
        return Ok(());
    }
    let message = format!(
        "run {} began without `--shared`, and goes on without it",
        run.id
    );
    let hint =
        "leave out `--shared`, and unset WEIR_SHARED if it is set; or begin a new run with it";
    Err(Error::new(Exit::Usage, message).hint(hint.to_owned()))
}

/// What is said of each folder whose commit is another one than that with which a run began.
fn moved(run: &Run) -> Vec<String> {
    let now = revisions(&run.plan);
    let both = run.plan.revisions.iter();
    let both = both.filter_map(|(folder, then)| Some((folder, then, now.get(folder)?)));
    let moved = both.filter(|(_, then, now)| then != now);
    let told = moved.map(|(folder, then, now)| {
        format!(
            "run {} began with `{folder}` at {then}, which is at {now} now: so is what is measured from here on",
            run.id
        )
    });
    told.collect()
}

/// The plan, with what the command line says of it.
fn read(path: &Path, args: &RunArgs, invocation: &Invocation) -> Result<Plan> {
    let python = args.how.start.python.as_deref();
    let mut plan = experiment::read_plan(path, python, invocation.host().cores)?;
    if !args.variants.is_empty() {
        let told = experiment::only(&mut plan, &args.variants);
        let told = told.map_err(|(what, hint)| Error::new(Exit::Usage, what).hint(hint))?;
        if !invocation.quiet() {
            told.iter().for_each(note);
        }
    }
    apply(&args.how, &mut plan);
    if let Some(host) = &args.host {
        plan.ask_as(host);
    }
    require(&args.how, &mut plan)?;
    can_be_met(&args.how, &plan)?;
    Ok(plan)
}

/// What is required on the command line needs an interval: without one it is not met, however the run comes out.
fn can_be_met(how: &HowArgs, plan: &Plan) -> Result<()> {
    let fewest = judge::PAIRS;
    if how.expect.is_empty() || plan.blocks as usize >= fewest {
        return Ok(());
    }
    let message = format!(
        "`--expect` needs {fewest} blocks, and this run has {}: fewer give no 95 % interval, so that it could not be met",
        plan.blocks
    );
    Err(Error::new(Exit::Usage, message).hint(format!("give `--blocks {fewest}` or more")))
}

/// Adds to a plan what the command line requires of its run.
pub(crate) fn require(how: &HowArgs, plan: &mut Plan) -> Result<()> {
    for condition in &how.expect {
        experiment::require(plan, condition)?;
    }
    Ok(())
}

/// Checks a plan as before a run, and says what running it takes.
fn rehearse(plan: &Plan, invocation: &Invocation) -> Result<Exit> {
    let (store, machine) = (invocation.store_to_read()?, invocation.machine()?);
    experiment::check(plan, &machine)?;
    if !invocation.quiet() {
        advise(plan, &machine)?;
        tell_windows(plan);
        schedule::tell_rates(plan);
        tell_few(plan, plan.variants.len() > 1);
    }
    let estimate = experiment::estimate(plan, &store, &machine)?;
    let due = [schedule::due(plan, plan.blocks, &estimate)];
    invocation.show(&due, || terminal::schedule(&due, invocation.width()))
}

/// The command line has the last word.
pub(crate) fn apply(how: &HowArgs, plan: &mut Plan) {
    if how.quick {
        Blocks::Fixed(1).of(plan);
        plan.stress.clear();
    }
    if let Some(blocks) = how.blocks {
        blocks.of(plan);
    }
    if let Some(slice) = how.slice {
        experiment::cut_into(plan, slice);
    }
    if let Some(load) = how.load_cpus {
        plan.cpus = (load > 0).then_some(Cpus { load, stack: None });
    }
    plan.capture = how.capture.as_deref().map(|folder| {
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        folder.to_string_lossy().into_owned()
    });
    if how.own_network || how.capture.is_some() {
        plan.network = Network::Own;
    }
    plan.seed = how.seed.unwrap_or(plan.seed);
}

/// Checks a plan and gives it a number in the store.
pub(crate) fn begin(plan: &Plan, invocation: &Invocation, store: &mut Store) -> Result<Run> {
    let machine = invocation.machine()?;
    experiment::check(plan, &machine)?;
    if !invocation.quiet() {
        advise(plan, &machine)?;
        tell_windows(plan);
        tell_few(plan, false);
    }
    let mut plan = Plan {
        shared: plan.shared || invocation.shared(),
        revisions: revisions(plan),
        ..plan.clone()
    };
    let own = plan
        .variants
        .iter_mut()
        .filter_map(|of| of.app.as_deref_mut());
    own.chain([&mut plan.app])
        .filter(|app| app.dir.is_absolute())
        .for_each(|app| app.needs = stack::needs(app));
    Ok(store.begin_run(&plan, invocation.host(), VERSION)?)
}

/// The commit of each folder that an app of the plan is served from.
fn revisions(plan: &Plan) -> BTreeMap<String, String> {
    let folders = plan.apps().into_iter().map(|app| app.dir.as_path());
    let folders: BTreeSet<&Path> = folders.filter(|dir| dir.is_absolute()).collect();
    let told = folders.into_iter();
    let told = told.filter_map(|dir| Some((dir.display().to_string(), stack::revision(dir)?)));
    told.collect()
}

/// Runs what is left of a run, then shows it and writes its reports.
pub(crate) fn carry_out(
    run: &Run,
    time: Allowance,
    store: &mut Store,
    invocation: &Invocation,
    how: &HowArgs,
    progress: &mut Progress,
) -> Result<Exit> {
    let ended = go(run, time, store, invocation, &how.start, progress);
    let folder = invocation.report_folder(run.id, how.out.as_deref());
    match ended {
        Ok(()) => show::present(run.id, store, invocation, &folder),
        Err(error) => Err(beside(error, run.id, &folder, store, invocation)),
    }
}

/// Shows what a run has that an error ended, before it is said that this is not all. The error stays what weir ends with,
/// whatever goes wrong here.
fn beside(error: Error, run: i64, folder: &Path, store: &Store, invocation: &Invocation) -> Error {
    let ended = error.exit() == Exit::Interrupted;
    if !has_results(run, ended, store) {
        return error;
    }
    match show::present(run, store, invocation, folder) {
        Err(other) if other.why() == error.why() => return error,
        Err(other) => return error.and(other),
        Ok(_) => {}
    }
    if !ended {
        note(format!(
            "what was measured is kept as run {run}: `weir run --resume {run}` goes on"
        ));
    }
    error
}

/// Whether there is anything to show of a run: a trial that was measured, or that failed before the user ended it.
pub(crate) fn has_results(run: i64, ended: bool, store: &Store) -> bool {
    let starts = store.starts(run);
    starts.is_ok_and(|trials| trials.iter().any(|trial| ended || !trial.failed))
}

/// Runs what is left of a run, in the time that it is given.
pub(crate) fn go(
    run: &Run,
    time: Allowance,
    store: &mut Store,
    invocation: &Invocation,
    start: &StartArgs,
    progress: &mut Progress,
) -> Result<()> {
    let machine = invocation.machine()?;
    let mut lab = Lab {
        time,
        ..lab(store, &machine, invocation, start)
    };
    let ended = experiment::run(&mut lab, run, &mut |news| progress.tell(news));
    progress.end();
    Ok(ended.map_err(|error| as_told(error, progress))?)
}

/// The same error with the number of trials that progress told last: a budget has time for fewer than the plan has.
fn as_told(error: ExperimentError, progress: &Progress) -> ExperimentError {
    match error {
        ExperimentError::Interrupted { run, done, .. } => ExperimentError::Interrupted {
            run,
            done,
            planned: progress.planned(done),
        },
        other => other,
    }
}

/// What trials of this invocation work with.
pub(crate) fn lab<'a>(
    store: &'a mut Store,
    machine: &'a Machine,
    invocation: &Invocation,
    start: &StartArgs,
) -> Lab<'a> {
    let known = store.calibration(invocation.host(), VERSION).ok().flatten();
    Lab {
        store,
        place: Place {
            machine,
            guard: GuardCommand::default(),
            ready_timeout: Duration::from_secs_f64(start.ready_timeout),
            ring_costs: known.iter().flat_map(judge::ring_costs).collect(),
            interrupted: invocation.interrupted(),
        },
        time: Allowance::default(),
    }
}
