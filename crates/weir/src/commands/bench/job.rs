//! What `weir bench` was told, as a job for the engine.

use std::sync::Arc;

use experiment::Wishes;
use load::{Body, Expected, Job, Request, Status, Traffic};
use record::{Amount, Load, Protocol, Shape, WarmUpPlan};

use super::authors::Chosen;
use super::place::Place;
use crate::args::BenchArgs;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::input::read;

/// Connections of a single load.
const CONNECTIONS: u32 = 10;
/// What is sent over a WebSocket when nothing else is given.
const MESSAGE: &str = "hello from weir";
/// Longest warm-up that is to last until the load is stationary, in seconds.
const WARM_UP: f64 = 10.0;

pub(super) fn job(
    args: &BenchArgs,
    place: Place,
    asked: Option<&Chosen>,
    seed: u64,
) -> Result<Job> {
    let mut load = Load {
        tls: tls(args, &place)?,
        ..load_plan(args, seed)?
    };
    let protocol = args.spoken.protocol(place.protocol)?;
    let traffic = match asked {
        _ if protocol == Protocol::WebSocket => echo(args, place.path, asked.is_some())?,
        Some(asked) => {
            asked.adapt(args, &mut load)?;
            Traffic::Made(Arc::clone(&asked.author))
        }
        None => Traffic::one(request(args, place.path)?, expected(args)?),
    };
    Ok(Job {
        may_break: false,
        target: place.target,
        protocol,
        host: place.host,
        cgi: args.cgi.cgi(),
        traffic,
        load,
    })
}

/// A message that must come back as it went, over an upgraded connection.
fn echo(args: &BenchArgs, path: String, asked: bool) -> Result<Traffic> {
    if asked {
        let message = "a WebSocket is loaded with one message, again and again";
        let hint = "leave out `--mix`, `--replay`, `--page` and `--script`, and give `--body`";
        return Err(Error::new(Exit::Usage, message).hint(hint.to_owned()));
    }
    let mut request = request(args, path)?;
    if args.request.body.is_none() && args.request.body_file.is_none() {
        request.body = MESSAGE.into();
    }
    let mut expected = expected(args)?;
    if args.status.is_none() {
        expected.status = Status::Is(101);
    }
    if expected.body == Body::Any {
        expected.body = Body::Exact(request.body.clone());
    }
    Ok(Traffic::one(request, expected))
}

fn request(args: &BenchArgs, path: String) -> Result<Request> {
    let body = match (&args.request.body, &args.request.body_file) {
        (Some(text), _) => text.clone().into_bytes(),
        (None, Some(file)) => read(file)?,
        (None, None) => Vec::new(),
    };
    Ok(Request {
        method: args.request.method.clone(),
        path,
        headers: args.header.clone(),
        body,
    })
}

pub(super) fn expected(args: &BenchArgs) -> Result<Expected> {
    let body = match (&args.checks.equals, args.contains.as_slice()) {
        (Some(file), _) => Body::Exact(read(file)?),
        (None, []) => Body::Any,
        (None, texts) => Body::Contains(texts.iter().map(|text| text.clone().into()).collect()),
    };
    Ok(Expected {
        checks: args.checks.checks(),
        every: args.checks.check_every,
        ..Expected::new(status(args), body)
    })
}

/// A script hears every answer: what wrk calls no error is right, unless a status is asked for.
fn status(args: &BenchArgs) -> Status {
    match args.status {
        Some(status) => Status::Is(status),
        None if args.script.script.is_some() => Status::Success,
        None => Status::Is(200),
    }
}

fn tls(args: &BenchArgs, place: &Place) -> Result<Option<record::Tls>> {
    match args.tls.given() {
        Some(option) if !place.tls => {
            let message = format!("`{option}` makes no sense without TLS");
            Err(Error::new(Exit::Usage, message)
                .hint("give an `https` URL, as in `https://127.0.0.1:8443/`".to_owned()))
        }
        _ => Ok(place.tls.then(|| args.tls.plan())),
    }
}

fn load_plan(args: &BenchArgs, seed: u64) -> Result<Load> {
    let amount = match (args.requests, args.duration) {
        (Some(requests), _) => Amount::Requests(requests),
        (None, duration) => Amount::Seconds(duration.unwrap_or(10.0)),
    };
    Ok(Load {
        connections: args.connections.unwrap_or(CONNECTIONS),
        amount,
        warm_up: warm_up(args),
        keep_alive: !args.no_keep_alive,
        threads: args.threads,
        timeout: args.timeout,
        drain: args.drain,
        connect_timeout: args.clients.connect_timeout,
        first_byte_timeout: args.clients.first_byte_timeout,
        shape: shape(args, amount, seed)?,
        streams: args.spoken.depth(),
        per_connection: args.clients.per_connection,
        retry: args.clients.retry(),
        page: args.traffic.visitors(),
        tls: None,
        sources: args.clients.source.clone(),
        crowd: args.crowd.crowd(),
    })
}

/// A script counts what it sees, which is to be what is reported.
fn warm_up(args: &BenchArgs) -> WarmUpPlan {
    match args.warm_up {
        Some(0.0) => WarmUpPlan::None,
        Some(seconds) => WarmUpPlan::Seconds(seconds),
        None if args.script.script.is_some() => WarmUpPlan::None,
        None => WarmUpPlan::Stationary(WARM_UP),
    }
}

fn shape(args: &BenchArgs, amount: Amount, seed: u64) -> Result<Shape> {
    let wishes = Wishes {
        think: args.think,
        think_spread: args.think_spread.map(Into::into),
        rate: args.rate.or(args.points.first_rate()),
        ramp: args.ramp.clone(),
        steps: args.steps.clone(),
        spike: args.points.spike.clone(),
        arrivals: args.arrivals.map(Into::into),
        max_outstanding: args.max_outstanding,
        connections: args.connections.unwrap_or(CONNECTIONS),
        seconds: match amount {
            Amount::Seconds(seconds) => Some(seconds),
            Amount::Requests(_) => None,
        },
        seed,
    };
    wishes.shape().map_err(|error| {
        Error::new(Exit::Usage, format!("`--{}`: {}", error.key, error.problem)).hint(error.hint())
    })
}
