//! `weir bench`: loads one URL.

mod against;
mod budget;
mod files;
mod job;
mod keep;
mod output;
mod points;
mod preflight;
pub(super) mod script;
mod slices;
mod sources;
mod survey;
mod sweep;

use std::sync::Arc;

use ::script::Script;
use experiment::Address;
use judge::Standing;
use load::{Event, Job};
use record::LoadFacts;

use crate::args::{BenchArgs, Format};
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::mask;
use crate::output::note;
use crate::session::Session;
use keep::Kept;
pub(super) use keep::kept_load;
use slices::Slices;

pub(crate) fn run(mut args: BenchArgs, session: &Session) -> Result<Exit> {
    let place = place(&args)?;
    args.header = place.headers(&args.header);
    // from here on the URL is only shown, save to a script
    let shown = mask::url(&args.url);
    let typed = std::mem::replace(&mut args.url, shown);
    let args = &args;
    let cores = session.host().cores;
    let seed = args.load.seed.unwrap_or_else(experiment::seed);
    let load = job::resolved(&args.load_spec(), cores, seed)?;
    let asked = sources::choose(args, &place, &job::expected(args)?, load.page, seed)?;
    if let Some(remark) = asked.as_ref().and_then(|asked| asked.note.as_ref()) {
        note(remark);
    }
    let mut job = job::job(args, place, asked.as_ref(), load, cores)?;
    if args.is_survey() {
        return survey::run(args, &job, session);
    }
    if let Some(sweep) = &args.points.sweep {
        return sweep::run(args, sweep, &job, seed, session);
    }
    let script = script(args, &typed, &mut job, session)?;
    // what a threshold about errors is about is measured, and not an error
    let mut thresholds = args.output.thresholds();
    job.may_break = thresholds.any(judge::Threshold::is_about_errors);
    let earlier = against::earlier(args, session)?;
    let started = record::now();
    let (facts, slices) = apply(&job, output::wants_slices(args), session)?;
    if let Some(error) = load::unreachable(&job, &facts) {
        return Err(error.into());
    }
    if let Some(afterword) = asked.as_ref().and_then(sources::Chosen::afterword) {
        note(&afterword);
    }
    let calibration = session.calibration();
    let standing = calibration.and_then(|calibration| Standing::of(&facts, &calibration));
    let kept = Kept {
        name: args.url.clone(),
        sweep: None,
        load: &job.load,
        facts: &facts,
        started,
    };
    let run = keep::keep(args, &job, &[kept], session);
    let against = earlier.map(|earlier| earlier.beside(&facts, run.as_ref()));
    let told = output::Results {
        load: &facts,
        planned: job.load.amount,
        slices: &slices.end(&facts),
        standing: standing.as_ref(),
        against: against.as_ref(),
    };
    let exit = output::tell(args, &told, session)?;
    if let Some(script) = script {
        script.finish(&facts)?;
    }
    Ok(exit)
}

fn script(
    args: &BenchArgs,
    url: &str,
    job: &mut Job,
    session: &Session,
) -> Result<Option<Arc<Script>>> {
    let Some(file) = &args.script.script else {
        return Ok(None);
    };
    let wanted = script::Wanted {
        file,
        url,
        args: &args.script.args,
        prints_aside: output::format(args, session) != Format::Text,
    };
    script::open(&wanted, job)
}

fn apply(job: &Job, wants_slices: bool, session: &Session) -> Result<(LoadFacts, Slices)> {
    let mut progress = session.progress();
    let mut slices = Slices::new(wants_slices);
    let facts = experiment::observed_load(job, session.interrupted(), &mut |event| {
        if let Event::Tick(tick) = &event {
            slices.tick(tick);
        }
        progress.load(&event);
    });
    progress.end();
    Ok((facts?, slices))
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
