//! `weir bench`: loads one URL.

mod against;
mod job;
mod live;
mod output;
mod plan;
mod preflight;
pub(super) mod script;
mod session;
mod slices;
mod sources;
mod strategy;
mod thresholds;

use std::sync::Arc;

use ::script::Script;
use experiment::{Address, Found, Loads};
use load::{Event, Job, LoadError};
use record::Load;
use report::load::Extras;

pub(super) use against::kept_load;
pub(super) use live::LiveLine;
pub(super) use plan::NAME;

use crate::args::{BenchArgs, Format};
use crate::commands::known::Known;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::invocation::{Invocation, VERSION};
use crate::mask;
use crate::output::note;
use live::Live;
use slices::Slices;
use strategy::Chosen;

pub(crate) fn run(mut args: BenchArgs, invocation: &Invocation) -> Result<Exit> {
    let place = place(&args)?;
    args.header = place.headers(&args.header);
    // from here on the URL is only shown, save to a script
    let shown = mask::url(&args.url);
    let typed = std::mem::replace(&mut args.url, shown);
    let cores = invocation.host().cores;
    let seed = args.load.seed.unwrap_or_else(experiment::seed);
    sources::check(&args)?;
    output::check(&args)?;
    let load = job::resolved(&args, &args.first_load(), cores, seed)?;
    let plan = plan::plan(&args, &place, seed, invocation.shared());
    let place = place.reached();
    let (mut asked, mut job) = made(&args, &place, &load, (cores, seed))?;
    let mut chosen = Chosen::new(&args, &job, seed)?;
    let earlier = against::earlier(&args, invocation)?;
    let live = Live::open(args.output.live.as_deref())?;
    let packages = packages(&job, invocation)?;
    if let Some(login) = &args.request.login {
        // nothing is sent before all of the above makes sense; what is kept of the run names no session
        let wanted = wanted(&args, &typed, invocation);
        wanted.map_or(Ok(()), |wanted| script::check(&wanted, &job))?;
        args.header = session::headers(login, &args, &place, invocation)?;
        (asked, job) = made(&args, &place, &load, (cores, seed))?;
    }
    let args = &args;
    if let Some(remark) = asked.as_ref().and_then(|asked| asked.note.as_ref()) {
        note(remark);
    }
    let script = script(args, &typed, &mut job, invocation)?;
    if script.is_some() {
        chosen = Chosen::Listed(strategy::alone(args, &job)); // it has the last word on the load
    }
    let what = Loads {
        job: &job,
        plan,
        url: plan::url(args),
        host: invocation.host(),
        weir: VERSION,
        packages,
        ring_costs: invocation.ring_costs(),
        interrupted: invocation.interrupted(),
    };
    if let Some(warning) = chosen.warning(&job) {
        note(warning);
    }
    let slices = Slices::new(output::wants_slices(args));
    let (found, slices) = apply(&what, &mut chosen, (slices, live), invocation)?;
    let afterword = asked.as_ref().and_then(sources::Chosen::afterword);
    afterword.iter().for_each(note);
    let extras = Extras {
        slices,
        against: earlier.and_then(|earlier| earlier.beside(&found)),
        ..output::decided(args, &found, chosen.notes())
    };
    let cut = found.cut.map(Error::from);
    let known = Known::of(found.run, found.trials, invocation.calibration(), extras);
    let exit = output::tell(args, &known.judged(), cut.as_ref(), invocation)?;
    if let Some(script) = script {
        let loads = known.judged().all_loads();
        script.finish(loads[0].load)?;
    }
    Ok(exit)
}

/// Where the requests come from, if not from the URL alone, and the job that sends them. It is looked whether responses can be
/// held to what was asked for.
fn made(
    args: &BenchArgs,
    place: &Address,
    load: &Load,
    (cores, seed): (u32, u64),
) -> Result<(Option<sources::Chosen>, Job)> {
    for check in args.checks.checks() {
        check.verdict(&[], &[]).map(drop)?;
    }
    let asked = sources::choose(args, place, &job::expected(args)?, load.page, seed)?;
    let job = job::job(args, place, asked.as_ref(), load.clone(), cores)?;
    Ok((asked, job))
}

/// What a profile tells servers by.
fn packages(job: &Job, invocation: &Invocation) -> Result<Vec<String>> {
    match job.load.profile {
        Some(_) => Ok(invocation.catalogue()?.packages()),
        None => Ok(Vec::new()),
    }
}

/// Applies the loads, tells of them while they run, and gathers their windows in pieces.
fn apply(
    what: &Loads,
    chosen: &mut Chosen,
    (mut slices, mut live): (Slices, Live),
    invocation: &Invocation,
) -> Result<(Found, slices::ByVariant)> {
    let (store, unopened) = match invocation.store() {
        Ok(store) => (Some(store), None),
        Err(error) => (None, Some(error)),
    };
    let mut progress = invocation.progress();
    let found = experiment::search(what, store, chosen.strategy(), &mut |variant, event| {
        if let Event::Tick(tick) = &event {
            slices.tick(variant, tick);
        }
        live.tell(variant, &event);
        progress.load(&event);
    });
    progress.end();
    let found = match found {
        Err(LoadError::Interrupted) if !invocation.is_interrupted() => {
            return Err(chosen.no_answer());
        }
        found => found?,
    };
    let unkept = found.unkept.as_ref().map(ToString::to_string);
    if let Some(why) = unopened.map(|error| error.why().to_owned()).or(unkept) {
        note(format!("not kept in the store: {why}"));
    }
    let slices = slices.end(&found.trials);
    Ok((found, slices))
}

fn script(
    args: &BenchArgs,
    url: &str,
    job: &mut Job,
    invocation: &Invocation,
) -> Result<Option<Arc<Script>>> {
    let wanted = wanted(args, url, invocation);
    let script = wanted.map_or(Ok(None), |wanted| script::open(&wanted, job))?;
    let is_journey = script.as_ref().is_some_and(|script| script.is_journey());
    let arrivals = job.load.shape.arrivals();
    let rate = arrivals.map(record::Arrivals::highest_rate);
    if let Some(rate) = rate.filter(|_| is_journey)
        && args.first_load().connections.is_none()
    {
        note(script::users_for(job.load.connections, rate));
    }
    Ok(script)
}

/// The script that makes the requests, if one does, for a URL as it was typed.
fn wanted<'a>(
    args: &'a BenchArgs,
    url: &'a str,
    invocation: &Invocation,
) -> Option<script::Wanted<'a>> {
    let file = args.script.script.as_ref()?;
    Some(script::Wanted {
        file,
        url,
        args: &args.script.args,
        prints_aside: output::format(args, invocation) != Format::Text,
    })
}

fn place(args: &BenchArgs) -> Result<Address> {
    match &args.unix {
        None => Ok(Address::parse(&args.url)?),
        Some(socket) if args.url.starts_with('/') => {
            Ok(Address::on_socket(socket.clone(), &args.url))
        }
        Some(_) => {
            let message = format!("`{}` is not a path", args.url);
            let hint = "with --unix, give the path alone: `weir bench --unix /run/app.sock /`";
            Err(Error::new(Exit::Usage, message).hint(hint.to_owned()))
        }
    }
}
