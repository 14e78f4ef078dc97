//! What the tests of the load engine share.
#![allow(dead_code, reason = "each test file uses a part of it")]

pub(crate) mod peers;

use std::env::VarError;
use std::sync::atomic::AtomicBool;

use load::{Body, Event, Expected, Job, LoadError, Part, Request, Status, Traffic};
use record::{Amount, Load, LoadFacts, Protocol, Reactor, Target, WarmUpPlan};
use testkit::ScriptedPeer;

/// 20 requests over 2 connections from one thread, kept alive, status 200, any body.
pub(crate) fn job(target: Target) -> Job {
    Job {
        may_break: false,
        cores: 2,
        busy_wait: false,
        target,
        protocol: Protocol::Http1,
        host: "localhost".to_owned(),
        cgi: load::Cgi::default(),
        traffic: Traffic::one(
            Request {
                method: "GET".to_owned(),
                path: "/".to_owned(),
                ..Request::default()
            },
            Expected::new(Status::Is(200), Body::Any),
        ),
        load: Load {
            connections: 2,
            amount: Amount::Requests(20),
            warm_up: WarmUpPlan::None,
            keep_alive: true,
            threads: 1,
            reactor: reactor(),
            ..Load::default()
        },
    }
}

/// The event loop that the tests are run over, which `REACTOR` names: `ring`, or `poll`, which it is without.
fn reactor() -> Reactor {
    match std::env::var("REACTOR").as_deref() {
        Ok("ring") => Reactor::Ring,
        Ok("poll") | Err(VarError::NotPresent) => Reactor::Poll,
        other => panic!("REACTOR is {other:?}; hint: `REACTOR=ring`, or `REACTOR=poll`"),
    }
}

/// The one request of a job.
pub(crate) fn part(job: &mut Job) -> &mut Part {
    match &mut job.traffic {
        Traffic::Mix(parts) => &mut parts[0],
        Traffic::Made(_) => panic!("a job with one request"),
    }
}

pub(crate) fn to(peer: &ScriptedPeer) -> Job {
    job(Target::Tcp(peer.address()))
}

/// Runs the load; whatever it says, the accounting identity holds, and it was applied by the event loop that was asked for.
pub(crate) fn run(job: &Job) -> Result<LoadFacts, LoadError> {
    run_until(job, &AtomicBool::new(false), &mut |_| ())
}

pub(crate) fn run_until(
    job: &Job,
    stop: &AtomicBool,
    events: &mut dyn FnMut(Event),
) -> Result<LoadFacts, LoadError> {
    let facts = load::run(job, stop, events)?;
    assert_eq!(facts.engine.reactor, reactor());
    let accounted = facts.accounted();
    assert_eq!(
        facts.scheduled, accounted,
        "the accounting identity: {facts:?}"
    );
    let drain = facts
        .drain
        .as_ref()
        .expect("what became of those in flight");
    assert_eq!(
        facts.in_flight,
        facts.drained + drain.wrong_answers() + drain.unanswered,
        "all in flight are accounted for: {facts:?}"
    );
    let sliced: u64 = facts.intervals.iter().map(|slice| slice.completed).sum();
    assert_eq!(facts.completed, sliced, "intervals hold all completions");
    assert!(facts.intervals.len() <= 101, "{}", facts.intervals.len());
    Ok(facts)
}
