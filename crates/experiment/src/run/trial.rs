//! One trial, end to end: the sentence that the whole tree tells.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use load::{Body, Expected, Job, LoadError, Status, Turns};
use record::{App, Failure, Load, Measured, Others, Outcome, Plan, Route, Run, Trial, Variant};
use stack::Reference;

use crate::cores::{self, Division};
use crate::error::ExperimentError;
use crate::network;
use crate::observed::observed;
use crate::requests;
use crate::run::again::may_pass;
use crate::run::app_times::AppTimes;
use crate::run::client;
use crate::run::faults::Faults;
use crate::run::highest;
use crate::run::lab::{News, Place};
use crate::run::progress::Again;
use crate::run::references::References;
use crate::run::served::Served;
use crate::run::together::together;
use crate::run::trials::{Taken, Trials};
use crate::settled::settled;

impl Trials for References {
    fn take(
        &mut self,
        place: &Place,
        run: &Run,
        group: &[Again],
        news: &mut dyn FnMut(&News),
    ) -> Vec<Taken> {
        let before = observe::pace(place.machine.cores()); // while nothing runs
        let mut taken = if let [alone] = group {
            news(&News::trial(&run.plan, alone));
            vec![trial(place, run, alone, &Mutex::new(self), None, news)]
        } else {
            together(place, run, group, self, news)
        };
        for of in &mut taken {
            if let Outcome::Measured(measured) = &mut of.trial.outcome {
                measured.observed.pace = before;
            }
        }
        taken
    }

    fn app_times(&self, app: &App) -> Option<AppTimes> {
        Self::app_times(self, app)
    }

    fn others(&mut self, seconds: f64) -> Option<Others> {
        observe::others(seconds)
    }
}

/// How what this trial is of is loaded in it.
pub(crate) fn load_of(plan: &Plan, what: &Again) -> Load {
    let variant = variant_of(plan, what);
    let load = plan.load_in(what.block, variant);
    let load = load.expect("the order names variants that can have it");
    Load {
        // Variants of a block meet the same arrivals, and blocks different ones.
        shape: load
            .shape
            .reseeded(plan.seed.wrapping_add(what.block.into())),
        ..load
    }
}

fn variant_of<'a>(plan: &'a Plan, what: &Again) -> &'a Variant {
    let variant = plan.variant(&what.slot.variant);
    variant.expect("the order names variants of the plan")
}

/// Runs one trial, in turn with others if there are any. An error is also a fact: it is in the trial's outcome, and
/// beside it as it was.
pub(crate) fn trial(
    place: &Place,
    run: &Run,
    what: &Again,
    references: &Mutex<&mut References>,
    turns: Option<&mut dyn Turns>,
    news: &mut dyn FnMut(&News),
) -> Taken {
    let started = record::now();
    let plan = &run.plan;
    let variant = variant_of(plan, what);
    let load = load_of(plan, what);
    let known = references
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .failure(variant);
    let measured = match known {
        Some(error) => Err(ExperimentError::of(variant)(error)),
        None => network::within(run, what, variant, || {
            measure(place, plan, (variant, load), references, turns, news)
        }),
    };
    let (outcome, error) = match measured {
        Ok(measured) => (Outcome::Measured(Box::new(measured)), None),
        Err(error) => (Outcome::Failed(failure(&error)), Some(error)),
    };
    let trial = Trial {
        run: run.id,
        block: what.block,
        position: what.position,
        variant: variant.name.clone(),
        again: what.slot.again,
        group: what.slot.group,
        attempt: what.attempt,
        started,
        outcome,
    };
    Taken {
        trial,
        error,
        seconds: None,
    }
}

/// An error as a trial records it.
fn failure(error: &ExperimentError) -> Failure {
    Failure {
        machine: may_pass(error, false),
        ..error.failure()
    }
}

fn measure(
    place: &Place,
    plan: &Plan,
    (variant, load): (&Variant, Load),
    references: &Mutex<&mut References>,
    turns: Option<&mut dyn Turns>,
    news: &mut dyn FnMut(&News),
) -> Result<Measured, ExperimentError> {
    if let Some(client) = &variant.client {
        return client::measure(place, (variant, client), &load, news);
    }
    news(&News::Step {
        doing: "starting",
        at_most: Some(place.ready_timeout.as_secs_f64()),
    });
    let mut served = Served::start(place, plan, variant, &load)?;
    news(&News::step("comparing responses"));
    let job = verified(&mut served, place, plan, (variant, load), references)?;
    news(&News::Serving(served.processes()));
    // A program that has ended answers nobody: nobody waits for the end of its load.
    let over = AtomicBool::new(false);
    let system = |error| ExperimentError::Load {
        variant: variant.name.clone(),
        error: Box::new(LoadError::Setup(error)),
    };
    let division = Division::of(plan).map_err(system)?;
    let confined = division
        .map(|of| of.confine())
        .transpose()
        .map_err(system)?;
    let faults = Faults::of(&job.load.faults, &place.guard);
    let mut faults = faults.map_err(ExperimentError::of(variant))?;
    let subject = served.profiled(place, plan.app_of(variant));
    let mut apply = |job: &Job, turns: Option<&mut dyn Turns>| {
        let watched = (served.watch(), Some(subject.clone()));
        observed(job, watched, &over, turns, &mut |event| {
            faults.hear(&event, (served.exposed(), &job.target));
            news(&News::Load(event));
            // what was struck may end, and who comes back is what its load is for
            let dead = !faults.have_struck() && served.check_alive().is_err();
            if place.interrupted.load(Ordering::Relaxed) || dead {
                over.store(true, Ordering::Relaxed);
            }
        })
    };
    let load = match highest::goals(&job.load) {
        Some(goals) => highest::highest(&job, goals, &over, plan.seed, &mut |job| apply(job, None)),
        None => apply(&job, turns).map(Ok),
    };
    drop(confined);
    let struck = faults.over(served.exposed());
    if struck.is_empty() {
        // A server that died explains a load that failed, not the other way round.
        served.check_alive().map_err(ExperimentError::of(variant))?;
    }
    let load = load.map_err(|error| ExperimentError::Load {
        variant: variant.name.clone(),
        error: Box::new(error),
    })?;
    let (mut load, seen) = load.map_err(|because| no_rate(variant, &job.load, because))?;
    load.struck = struck;
    news(&News::step("stopping"));
    let stack = served.stop().map_err(ExperimentError::of(variant))?;
    Ok(Measured {
        stack,
        stolen: load.stolen.map_or(0.0, |stolen| stolen.share),
        load,
        processes: seen.processes,
        observed: seen.observed,
    })
}

fn no_rate(variant: &Variant, load: &Load, because: String) -> ExperimentError {
    ExperimentError::NoRate {
        variant: variant.name.clone(),
        goal: load.goal.clone().unwrap_or_default(),
        because,
    }
}

/// The load of what is served, once its answers are those that they should be.
fn verified(
    served: &mut Served,
    place: &Place,
    plan: &Plan,
    (variant, load): (&Variant, Load),
    references: &Mutex<&mut References>,
) -> Result<Job, ExperimentError> {
    let app = plan.app_of(variant);
    let mut references = references.lock().unwrap_or_else(PoisonError::into_inner);
    let reference = served.verify(&mut references, app, variant)?;
    let route = app.route(&variant.route).unwrap_or(&served.route);
    let job = Job {
        may_break: true,
        cores: cores::of_load(plan, place.machine),
        // weir's own probes run on the load generator's cores, and would have to wait for it
        busy_wait: false,
        target: served.target.clone(),
        protocol: served.protocol,
        host: served.host.clone(),
        cgi: served.cgi.clone(),
        traffic: requests::traffic(
            &served.route,
            (&served.host, served.tls.is_some()),
            expected(route, reference),
            &load,
            plan.seed,
        )
        .map_err(|error| ExperimentError::Requests {
            variant: variant.name.clone(),
            error: Box::new(error),
        })?,
        load: Load {
            tls: served.tls.clone(),
            ..load
        },
    };
    Ok(settled(job, &place.ring_costs))
}

/// What every answer under load must be: the reference's body to the byte, but for times and dates, unless other parts of it
/// differ from answer to answer; then the text that the app declares.
fn expected(route: &Route, reference: &Reference) -> Expected {
    let body = match reference.exact(route) {
        Some(body) => Body::But(body.to_vec(), reference.times(route)),
        _ if route.contains.is_empty() => Body::Any,
        _ => Body::Contains(
            route
                .contains
                .iter()
                .map(|text| text.clone().into())
                .collect(),
        ),
    };
    Expected::new(Status::Is(route.status), body)
}
