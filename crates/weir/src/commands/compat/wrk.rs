//! `weir wrk`.

use std::sync::Arc;

use experiment::Address;
use load::{Body, Expected, Job, LoadError, Status};
use record::{Cause, Load, LoadFacts, LoadSpec, Process, Protocol};
use report::compat::Wrk;
use report::words::counted;
use script::Script;

use super::ending::Tool;
use super::{job, no_json, probe, refused, request, tls};
use crate::args::{WrkArgs, as_wrk};
use crate::commands::bench::script::{Wanted, open};
use crate::error::{Error, Exit, Result};
use crate::invocation::{Invocation, VERSION};
use crate::mask;
use crate::output::print;

pub(crate) fn run(args: &WrkArgs, invocation: &Invocation) -> Result<Exit> {
    apply(args, invocation).map_err(|error| Tool::Wrk.error(error))
}

fn apply(args: &WrkArgs, invocation: &Invocation) -> Result<Exit> {
    if args.version {
        print(&format!("weir {VERSION}, in the format of wrk 4.1\n"))?;
        return Ok(Exit::Done);
    }
    no_json(invocation)?;
    if args.connections < args.threads {
        let message = "number of connections must be >= threads";
        return Err(Error::new(Exit::Usage, message).hint("raise -c, or lower -t".to_owned()));
    }
    let place = Address::parse(&args.url)?.reached();
    if place.protocol != Protocol::Http1 {
        let why = "wrk speaks HTTP alone; `weir bench` speaks it";
        return Err(refused(&mask::url(&args.url), why));
    }
    let request = request(&place, "GET", &place.headers(&args.header));
    let cores = invocation.host().cores;
    let load = Load {
        tls: tls(&place),
        ..load(args, cores)?
    };
    match probe::ask(&place, &request, &load) {
        // wrk begins as soon as it can connect, and takes whatever a server says for an answer
        Ok(_) | Err(LoadError::NothingRight { .. }) => {}
        Err(why) => return Err(Tool::Wrk.failed(why)),
    }
    let expected = Expected::new(Status::Any, Body::Any);
    let mut job = job(place, request, expected, load, cores);
    let script = script(args, &mut job)?;
    let shown = mask::url(&args.url);
    let of = Wrk {
        url: &shown,
        threads: load::threads(&job.load, job.cores),
        connections: job.load.connections,
        seconds: args.duration,
        latency: args.latency || args.uncorrected,
        paced: args.rate.is_some(),
    };
    print(&report::compat::wrk_head(&of))?;
    let facts = experiment::observed_load(&job, invocation.interrupted(), &mut |_| {})
        .map_err(|why| Tool::Wrk.failed(why))?;
    if let Some(script) = &script {
        script.flush();
    }
    print(&report::compat::wrk(&of, &facts))?;
    if let Some(script) = &script {
        script.finish(&facts)?;
    }
    let exit = Tool::Wrk.end(&facts, invocation);
    failed(&facts).map_or(Ok(exit), Err)
}

/// How often the script failed in the load, and where. wrk calls it without a guard, and ends with 1 the first time.
fn failed(facts: &LoadFacts) -> Option<Error> {
    let times = facts.failed.get(&Cause::Unasked)?;
    let first = facts.examples.get(&Cause::Unasked);
    let first = first.map_or_else(String::new, |first| format!(", at first with `{first}`"));
    let message = format!(
        "the script failed {} in the load{first}",
        counted(*times, "time")
    );
    let hint = "mend that in the script: the server was not asked these requests";
    Some(Error::new(Exit::File, message).hint(hint.to_owned()))
}

fn script(args: &WrkArgs, job: &mut Job) -> Result<Option<Arc<Script>>> {
    let Some(file) = &args.script else {
        return Ok(None);
    };
    let wanted = Wanted {
        file,
        url: &args.url,
        args: &args.args,
        prints_aside: false,
    };
    open(&wanted, job)
}

/// wrk2 sends at equal gaps.
fn load(args: &WrkArgs, cores: u32) -> Result<Load> {
    let spec = LoadSpec {
        connections: Some(u32::try_from(args.connections).unwrap_or(u32::MAX)),
        seconds: Some(args.duration),
        threads: Some(u32::try_from(args.threads).unwrap_or(u32::MAX)),
        timeout: Some(args.timeout),
        rate: args.rate.map(|rate| rate as f64),
        arrivals: args.rate.map(|_| Process::Constant),
        ..LoadSpec::default()
    };
    let load = spec.resolve(cores, 1);
    load.map_err(|flaw| Error::of_load(&flaw, as_wrk))
}
