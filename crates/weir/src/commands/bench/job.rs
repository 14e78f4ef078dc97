//! What `weir bench` was told, as a job for the engine.

use std::sync::Arc;

use experiment::Address;
use load::{Body, Expected, Job, Request, Status, Traffic};
use record::{Load, LoadSpec, Protocol};

use super::sources::Chosen;
use crate::args::{BenchArgs, as_options, as_pipelined};
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::input::read;

/// What is sent over a WebSocket when nothing else is given.
const MESSAGE: &str = "hello from weir";

pub(super) fn job(
    args: &BenchArgs,
    place: &Address,
    asked: Option<&Chosen>,
    mut load: Load,
    cores: u32,
) -> Result<Job> {
    load.tls = tls(args, place)?;
    let busy_wait = args.load.busy_wait;
    if busy_wait {
        may_busy_wait(&load, cores)?;
    }
    let protocol = args.spoken.protocol(place.protocol)?;
    let traffic = match asked {
        _ if protocol == Protocol::WebSocket => echo(args, &place.path, asked.is_some())?,
        Some(asked) => {
            asked.adapt(args, &mut load)?;
            Traffic::Made(Arc::clone(&asked.source))
        }
        None => Traffic::one(request(args, &place.path)?, expected(args)?),
    };
    Ok(Job {
        may_break: false,
        cores,
        busy_wait,
        target: place.target.clone(),
        protocol,
        host: place.host.clone(),
        cgi: args.cgi.cgi(),
        traffic,
        load,
    })
}

/// Threads that stay awake leave one core to weir's other threads: sharing one with those, half of the requests were sent half a
/// millisecond late, which is 20 times as late as by threads that sleep.
fn may_busy_wait(load: &Load, cores: u32) -> Result<()> {
    let refused = |message, hint| Err(Error::new(Exit::Usage, message).hint(hint));
    if !load.shape.is_open() {
        let message = "`--busy-wait`: has no effect without `-R 500`".to_owned();
        return refused(message, "add it, or leave this out".to_owned());
    }
    let threads = load::threads(load, cores);
    if threads < cores {
        return Ok(());
    }
    let message = format!(
        "`--busy-wait` keeps a core awake for each of {threads} threads, and weir may use {cores}: none is left for its others"
    );
    let hint = match cores {
        ..2 => "leave it out".to_owned(),
        _ => format!("use `-t {}`, or fewer", cores - 1),
    };
    refused(message, hint)
}

/// A message that must come back as it went, over an upgraded connection.
fn echo(args: &BenchArgs, path: &str, asked: bool) -> Result<Traffic> {
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
    if args.status.is_empty() {
        expected.status = Status::Is(101);
    }
    if expected.body == Body::Any {
        expected.body = Body::Exact(request.body.clone());
    }
    Ok(Traffic::one(request, expected))
}

fn request(args: &BenchArgs, path: &str) -> Result<Request> {
    let body = match (&args.request.body, &args.request.body_file) {
        (Some(text), _) => text.clone().into_bytes(),
        (None, Some(file)) => read(file)?,
        (None, None) => Vec::new(),
    };
    Ok(Request {
        method: args.method().to_owned(),
        path: path.to_owned(),
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

/// Where no status is asked for, any by which a server says that it did what was asked. A script hears every answer: what wrk
/// calls no error is right then.
fn status(args: &BenchArgs) -> Status {
    match args.status[..] {
        [] if args.script.script.is_some() => Status::Success,
        [] => Status::In2xx,
        [status] => Status::Is(status),
        _ => Status::OneOf(args.status.clone()),
    }
}

/// How TLS is spoken, if it is.
///
/// # Errors
/// An option says how, and it is not.
pub(super) fn tls(args: &BenchArgs, place: &Address) -> Result<Option<record::Tls>> {
    match args.tls.given() {
        Some(option) if !place.tls => {
            let message = format!("`{option}` makes no sense without TLS");
            Err(Error::new(Exit::Usage, message)
                .hint("give an `https` URL, as in `https://127.0.0.1:8443/`".to_owned()))
        }
        _ => Ok(place.tls.then(|| args.tls.plan())),
    }
}

/// A load as it was asked for, on this machine.
pub(super) fn resolved(args: &BenchArgs, spec: &LoadSpec, cores: u32, seed: u64) -> Result<Load> {
    let load = spec.resolve(cores, seed);
    let spelling = match args.spoken.pipeline {
        Some(_) => as_pipelined,
        None => as_options,
    };
    load.map_err(|flaw| Error::of_load(&flaw, spelling))
}
