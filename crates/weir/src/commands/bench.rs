//! `weir bench`: loads one URL.

mod output;
mod place;
mod preflight;
mod slices;
mod survey;

use experiment::Wishes;
use load::{Body, Event, Expected, Job};
use record::{Amount, Load, Method, Route, Shape, WarmUpPlan};

use crate::args::BenchArgs;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::session::Session;
pub(super) use place::Place;
use slices::Slices;

/// Connections of a single load.
const CONNECTIONS: u32 = 10;

pub(crate) fn run(args: &BenchArgs, session: &Session) -> Result<Exit> {
    let job = job(args)?;
    if args.is_survey() {
        return survey::run(args, &job, session);
    }
    let mut progress = session.progress();
    let mut slices = Slices::new();
    let facts = load::run(&job, session.interrupted(), &mut |event| {
        if let Event::Tick(tick) = &event {
            slices.tick(tick);
        }
        progress.load(&event);
    });
    progress.end();
    let facts = facts?;
    output::tell(args, &facts, &slices.end(&facts), session)
}

fn job(args: &BenchArgs) -> Result<Job> {
    let place = match &args.unix {
        Some(socket) => Place::on_socket(socket.clone(), &args.url)?,
        None => Place::parse(&args.url)?,
    };
    Ok(Job {
        target: place.target,
        protocol: place.protocol,
        host: place.host,
        expected: Expected {
            status: args.status,
            body: match args.contains.as_slice() {
                [] => Body::Any,
                texts => Body::Contains(texts.iter().map(|text| text.clone().into()).collect()),
            },
        },
        route: Route {
            method: Method::Get,
            path: place.path,
            headers: args.header.iter().cloned().collect(),
            status: args.status,
            expect_headers: std::collections::BTreeMap::new(),
            contains: args.contains.clone(),
            dynamic: Vec::new(),
        },
        load: load_plan(args)?,
    })
}

fn load_plan(args: &BenchArgs) -> Result<Load> {
    let amount = match (args.requests, args.duration) {
        (Some(requests), _) => Amount::Requests(requests),
        (None, duration) => Amount::Seconds(duration.unwrap_or(10.0)),
    };
    Ok(Load {
        connections: args.connections.unwrap_or(CONNECTIONS),
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
        connections: args.connections.unwrap_or(CONNECTIONS),
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
