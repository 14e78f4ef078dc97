//! One trial, end to end: the sentence that the whole tree tells.

use std::sync::atomic::{AtomicBool, Ordering};

use load::{Body, Expected, Job, Status};
use observe::Watch;
use record::{App, Load, Measured, Others, Outcome, Plan, Route, Run, Trial, Variant};
use stack::Reference;

use crate::error::ExperimentError;
use crate::observed::observed;
use crate::requests;
use crate::run::active::Trials;
use crate::run::app_times::AppTimes;
use crate::run::lab::{Lab, News};
use crate::run::progress::Again;
use crate::run::references::References;
use crate::run::served::Served;

impl Trials for References {
    fn take(
        &mut self,
        lab: &Lab,
        run: &Run,
        what: &Again,
        news: &mut dyn FnMut(&News),
    ) -> (Trial, Option<ExperimentError>) {
        trial(lab, run, what, self, news)
    }

    fn app_times(&self, app: &App) -> Option<AppTimes> {
        Self::app_times(self, app)
    }

    fn others(&mut self, seconds: f64) -> Option<Others> {
        observe::others(seconds)
    }
}

/// Runs one trial. An error is also a fact: it is in the trial's outcome, and beside it as it was.
fn trial(
    lab: &Lab,
    run: &Run,
    what: &Again,
    references: &mut References,
    news: &mut dyn FnMut(&News),
) -> (Trial, Option<ExperimentError>) {
    let started = record::now();
    let plan = &run.plan;
    let variant = plan
        .variant(&what.slot.variant)
        .expect("the order names variants of the plan");
    let load = plan.load_in(what.block, variant);
    let load = load.expect("the order names variants that can have it");
    let load = Load {
        // Variants of a block meet the same arrivals, and blocks different ones.
        shape: load
            .shape
            .reseeded(plan.seed.wrapping_add(what.block.into())),
        ..load
    };
    let measured = measure(lab, plan, variant, load, references, news);
    let (outcome, error) = match measured {
        Ok(measured) => (Outcome::Measured(Box::new(measured)), None),
        Err(error) => (Outcome::Failed(error.failure()), Some(error)),
    };
    let trial = Trial {
        run: run.id,
        block: what.block,
        position: what.position,
        variant: variant.name.clone(),
        again: what.slot.again,
        attempt: what.attempt,
        started,
        outcome,
    };
    (trial, error)
}

fn measure(
    lab: &Lab,
    plan: &Plan,
    variant: &Variant,
    load: Load,
    references: &mut References,
    news: &mut dyn FnMut(&News),
) -> Result<Measured, ExperimentError> {
    news(&News::Step {
        doing: "starting",
        at_most: Some(lab.ready_timeout.as_secs_f64()),
    });
    let mut served = Served::start(lab, plan, variant, &load)?;
    news(&News::step("comparing responses"));
    let app = plan.app_of(variant);
    let reference = served.verify(references, app, variant)?;
    let route = app.route(&variant.route).unwrap_or(&served.route);
    let job = Job {
        may_break: true,
        cores: lab.machine.cores(),
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

    let watch = Watch::of_stack(served.guardians(), served.counters());
    news(&News::Serving(served.processes()));
    // A program that has ended answers nobody: nobody waits for the end of its load.
    let over = AtomicBool::new(false);
    let load = observed(&job, watch, &over, &mut |event| {
        news(&News::Load(event));
        if lab.interrupted.load(Ordering::Relaxed) || served.check_alive().is_err() {
            over.store(true, Ordering::Relaxed);
        }
    });
    // A server that died explains a load that failed, not the other way round.
    served.check_alive().map_err(ExperimentError::of(variant))?;
    let (load, seen) = load.map_err(|error| ExperimentError::Load {
        variant: variant.name.clone(),
        error: Box::new(error),
    })?;
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

/// What every answer under load must be: the reference's body to the byte, unless parts of it
/// differ from answer to answer; then the text that the app declares.
fn expected(route: &Route, reference: &Reference) -> Expected {
    let body = match reference.exact(route) {
        Some(body) => Body::Exact(body.to_vec()),
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
