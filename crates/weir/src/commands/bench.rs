//! `weir bench`: loads one URL.

mod place;
mod script;

use std::sync::Arc;

use experiment::Wishes;
use load::{Author, Body, Expected, Job, Request, Status, Traffic};
use record::{Amount, Load, Shape, WarmUpPlan};

use crate::args::BenchArgs;
use crate::commands::print_json;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::session::{Session, width};
use place::Place;

pub(crate) fn run(args: &BenchArgs, session: &Session) -> Result<Exit> {
    let mut job = job(args)?;
    let script = script::open(args, &job)?.map(Arc::new);
    if let Some(script) = &script {
        job.load.streams = job.load.streams.max(script.depth());
        job.traffic = Traffic::Made(Arc::clone(script) as Arc<dyn Author>);
    }
    let mut progress = session.progress();
    let facts = load::run(&job, session.interrupted(), &mut |event| {
        progress.load(&event);
    });
    progress.end();
    let facts = facts?;
    let doubts = judge::doubts(&facts);
    if session.json() {
        print_json(&report::json::bench(&facts, &doubts))?;
    } else {
        anstream::print!("{}", report::terminal::bench(&facts, &doubts, width()));
    }
    if let Some(script) = script {
        script.finish(&facts)?;
    }
    Ok(if doubts.iter().any(|doubt| doubt.disqualifies) {
        Exit::Invalid
    } else {
        Exit::Done
    })
}

fn job(args: &BenchArgs) -> Result<Job> {
    let place = match &args.unix {
        Some(socket) => Place::on_socket(socket.clone(), &args.url)?,
        None => Place::parse(&args.url)?,
    };
    let body = match args.contains.as_slice() {
        [] => Body::Any,
        texts => Body::Contains(texts.iter().map(|text| text.clone().into()).collect()),
    };
    Ok(Job {
        target: place.target,
        protocol: place.protocol,
        host: place.host,
        traffic: Traffic::one(
            Request {
                method: "GET".to_owned(),
                path: place.path,
                headers: args.header.clone(),
                body: Vec::new(),
            },
            Expected::new(status(args), body),
        ),
        load: load_plan(args)?,
    })
}

/// A script hears every answer: what wrk calls no error is right, unless another status is asked for.
fn status(args: &BenchArgs) -> Status {
    if args.script.script.is_some() && args.status == 200 {
        Status::Success
    } else {
        Status::Is(args.status)
    }
}

fn load_plan(args: &BenchArgs) -> Result<Load> {
    let amount = match (args.requests, args.duration) {
        (Some(requests), _) => Amount::Requests(requests),
        (None, duration) => Amount::Seconds(duration.unwrap_or(10.0)),
    };
    Ok(Load {
        connections: args.connections,
        amount,
        warm_up: if args.warm_up > 0.0 {
            WarmUpPlan::Seconds(args.warm_up)
        } else {
            WarmUpPlan::None
        },
        keep_alive: !args.no_keep_alive,
        threads: args.threads,
        timeout: args.timeout,
        shape: shape(args, amount)?,
        ..Load::default()
    })
}

fn shape(args: &BenchArgs, amount: Amount) -> Result<Shape> {
    let wishes = Wishes {
        think: args.think,
        rate: args.rate,
        ramp: args.ramp.clone(),
        steps: args.steps.clone(),
        arrivals: args.arrivals.map(Into::into),
        max_outstanding: args.max_outstanding,
        connections: args.connections,
        seconds: match amount {
            Amount::Seconds(seconds) => Some(seconds),
            Amount::Requests(_) => None,
        },
        seed: args.seed.unwrap_or_else(experiment::seed),
    };
    wishes.shape().map_err(|error| {
        Error::new(Exit::Usage, format!("`--{}`: {}", error.key, error.problem)).hint(error.hint())
    })
}
