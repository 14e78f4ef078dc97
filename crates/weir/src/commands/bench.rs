//! `weir bench`: loads one URL.

mod authors;
mod place;
mod script;

use std::sync::Arc;

use experiment::Wishes;
use judge::Standing;
use load::{Author, Body, Expected, Job, Request, Status, Traffic};
use record::{Amount, Load, LoadFacts, Protocol, Shape, WarmUpPlan};

use crate::args::BenchArgs;
use crate::commands::print_json;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::session::{Session, width};
use authors::Chosen;
use place::Place;

pub(crate) fn run(args: &BenchArgs, session: &Session) -> Result<Exit> {
    let place = place(args)?;
    let seed = args.seed.unwrap_or_else(experiment::seed);
    let asked = authors::choose(args, &place, &expected(args), seed)?;
    if let Some(note) = asked.as_ref().and_then(|asked| asked.note.as_ref()) {
        anstream::eprintln!("{note}");
    }
    let mut job = job(args, place, asked.as_ref(), seed)?;
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
    if let Some(afterword) = asked.as_ref().and_then(authors::Chosen::afterword) {
        anstream::eprintln!("{afterword}");
    }
    let doubts = judge::doubts(&facts);
    let standing = standing(&job, &facts, session);
    if session.json() {
        print_json(&report::json::bench(&facts, &doubts).under(standing))?;
    } else {
        anstream::print!("{}", report::terminal::bench(&facts, &doubts, width()));
        if let Some(standing) = standing {
            anstream::print!("{}", report::terminal::standing(&standing, width()));
        }
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

/// Where the load stood under this machine's ceiling, if that was calibrated and is about such a
/// load: the cheapest protocol, connections kept.
fn standing(job: &Job, facts: &LoadFacts, session: &Session) -> Option<Standing> {
    let alike = job.protocol == Protocol::Http1 && job.load.keep_alive && job.load.tls.is_none();
    let calibration = alike.then(|| session.calibration())??;
    Standing::of(facts, &calibration)
}

fn place(args: &BenchArgs) -> Result<Place> {
    match &args.unix {
        Some(socket) => Place::on_socket(socket.clone(), &args.url),
        None => Place::parse(&args.url),
    }
}

fn expected(args: &BenchArgs) -> Expected {
    let body = match args.contains.as_slice() {
        [] => Body::Any,
        texts => Body::Contains(texts.iter().map(|text| text.clone().into()).collect()),
    };
    Expected::new(status(args), body)
}

/// A script hears every answer: what wrk calls no error is right, unless another status is asked for.
fn status(args: &BenchArgs) -> Status {
    if args.script.script.is_some() && args.status == 200 {
        Status::Success
    } else {
        Status::Is(args.status)
    }
}

fn job(args: &BenchArgs, place: Place, asked: Option<&Chosen>, seed: u64) -> Result<Job> {
    let mut load = Load {
        tls: tls(args, &place)?,
        ..load_plan(args, seed)?
    };
    let traffic = match asked {
        Some(asked) => {
            asked.adapt(args, &mut load)?;
            Traffic::Made(Arc::clone(&asked.author))
        }
        None => {
            let request = Request {
                method: "GET".to_owned(),
                path: place.path,
                headers: args.header.clone(),
                body: Vec::new(),
            };
            Traffic::one(request, expected(args))
        }
    };
    Ok(Job {
        target: place.target,
        protocol: args.spoken.protocol(place.protocol)?,
        host: place.host,
        traffic,
        load,
    })
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
        crowd: args.crowd.crowd(),
        streams: args.spoken.depth(),
        shape: shape(args, amount, seed)?,
        ..Load::default()
    })
}

fn shape(args: &BenchArgs, amount: Amount, seed: u64) -> Result<Shape> {
    let wishes = Wishes {
        think: args.think,
        think_spread: args.think_spread.map(Into::into),
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
        seed,
    };
    wishes.shape().map_err(|error| {
        Error::new(Exit::Usage, format!("`--{}`: {}", error.key, error.problem)).hint(error.hint())
    })
}
