//! What came of loads goes into the store, as a run of a plan whose stages are URLs: other commands find it there.

use std::sync::atomic::Ordering;

use experiment::Address;
use load::Job;
use record::{
    App, Load, LoadFacts, Measured, Method, Observed, Outcome, Plan, Route, Run, RunStatus,
    StackFacts, Stage, Sweep, Timestamp, Trial, Verified,
};
use store::Store;

use crate::args::BenchArgs;
use crate::error::Result;
use crate::output::note;
use crate::session::{Session, VERSION};

/// What the plans of such runs are called.
pub(super) const NAME: &str = "bench";

/// A load, and what came of it.
pub(super) struct Kept<'a> {
    /// What it is called among the loads of this invocation.
    pub(super) name: String,
    /// Where it stands in a sweep, if it is a point of one.
    pub(super) sweep: Option<Sweep>,
    /// As it was planned.
    pub(super) load: &'a Load,
    /// What came of it.
    pub(super) facts: &'a LoadFacts,
    pub(super) started: Timestamp,
}

/// Stores loads as one run. A store that cannot be written spoils no result: it is told, and there is no run.
pub(super) fn keep(args: &BenchArgs, job: &Job, loads: &[Kept], session: &Session) -> Option<Run> {
    if loads.is_empty() {
        return None;
    }
    match store(args, job, loads, session) {
        Ok(run) => Some(run),
        Err(error) => {
            note(format!("not kept in the store: {error}"));
            None
        }
    }
}

fn store(args: &BenchArgs, job: &Job, loads: &[Kept], session: &Session) -> Result<Run> {
    let status = if session.interrupted().load(Ordering::Relaxed) {
        RunStatus::Stopped
    } else {
        RunStatus::Finished
    };
    let mut store = session.store()?;
    let run = store.begin_run(&plan(args, job, loads), session.host(), VERSION)?;
    for (position, of) in (0..).zip(loads) {
        store.save(&trial(&run, position, job, of))?;
    }
    store.finish(run.id, status)?;
    Ok(run)
}

/// Where the load went, without its secrets.
pub(super) fn url(args: &BenchArgs) -> String {
    match &args.unix {
        Some(socket) => format!("http+unix:{}|{}", socket.display(), args.url),
        None => args.url.clone(),
    }
}

fn plan(args: &BenchArgs, job: &Job, loads: &[Kept]) -> Plan {
    let route = route(args, job);
    let stages = loads.iter().map(|of| Stage {
        name: of.name.clone(),
        title: of.name.clone(),
        url: Some(url(args)),
        route: route.name(),
        load: (loads.len() > 1).then(|| of.load.clone()),
        sweep: of.sweep.clone(),
        ..Stage::default()
    });
    Plan {
        name: NAME.to_owned(),
        title: url(args),
        load: loads[0].load.clone(),
        blocks: 1,
        seed: args.load.seed.unwrap_or_default(),
        stages: stages.collect(),
        baseline: loads[0].name.clone(),
        noise_floor: None,
        claims: Vec::new(),
        rankings: Vec::new(),
        keep_going: true,
        budget: None,
        refine: Vec::new(),
        app: App::elsewhere(route),
    }
}

/// What was asked for, as far as one route can say it.
fn route(args: &BenchArgs, job: &Job) -> Route {
    let method = Method::ALL.into_iter();
    let path = match &job.traffic {
        load::Traffic::Mix(parts) => parts.first().map(|part| part.request.path.clone()),
        load::Traffic::Made(_) => None,
    };
    let known = || Address::parse(&args.url).ok().map(|address| address.path);
    Route {
        method: method
            .into_iter()
            .find(|method| method.name() == args.request.method)
            .unwrap_or_default(),
        status: args.status.unwrap_or(200),
        headers: args.header.iter().cloned().collect(),
        contains: args.contains.clone(),
        ..Route::get(path.or_else(known).unwrap_or_else(|| "/".to_owned()))
    }
}

fn trial(run: &Run, position: u32, job: &Job, of: &Kept) -> Trial {
    let stack = StackFacts {
        servers: Vec::new(),
        address: job.target.clone(),
        ready_after: 0.0,
        verified: Verified::default(),
    };
    Trial {
        run: run.id,
        block: 0,
        position,
        stage: of.name.clone(),
        again: false,
        attempt: 0,
        started: of.started,
        outcome: Outcome::Measured(Box::new(Measured {
            stack,
            stolen: of.facts.stolen.map_or(0.0, |stolen| stolen.share),
            load: of.facts.clone(),
            processes: Vec::new(),
            observed: Observed::default(),
        })),
    }
}

/// The load of a run that is one load of one URL.
///
/// # Errors
/// The store cannot be read, or the run is another kind.
pub(in crate::commands) fn kept_load(run: &Run, store: &Store) -> Result<Option<LoadFacts>> {
    if run.plan.one_load().is_none() {
        return Ok(None);
    }
    let trials = store.trials(run.id)?;
    Ok(trials.into_iter().find_map(|trial| match trial.outcome {
        Outcome::Measured(measured) => Some(measured.load),
        Outcome::Failed(_) => None,
    }))
}
