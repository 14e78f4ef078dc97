//! `weir bench`: loads one URL.

mod authors;
mod budget;
mod job;
mod output;
mod place;
mod points;
mod preflight;
pub(super) mod script;
mod slices;
mod survey;
mod sweep;

use judge::Standing;
use load::{Event, Job};
use record::LoadFacts;

use crate::args::{BenchArgs, Format};
use crate::error::Result;
use crate::exit::Exit;
use crate::output::note;
use crate::session::Session;
pub(super) use place::Place;
use slices::Slices;

pub(crate) fn run(args: &BenchArgs, session: &Session) -> Result<Exit> {
    let place = place(args)?;
    let seed = args.seed.unwrap_or_else(experiment::seed);
    let asked = authors::choose(args, &place, &job::expected(args)?, seed)?;
    if let Some(remark) = asked.as_ref().and_then(|asked| asked.note.as_ref()) {
        note(remark);
    }
    let mut job = job::job(args, place, asked.as_ref(), seed)?;
    if args.is_survey() {
        return survey::run(args, &job, session);
    }
    if let Some(sweep) = &args.points.sweep {
        return sweep::run(args, sweep, &job, session);
    }
    let script = match &args.script.script {
        Some(file) => script::open(
            &script::Wanted {
                file,
                url: &args.url,
                args: &args.script.args,
                prints_aside: output::format(args, session) != Format::Text,
            },
            &mut job,
        )?,
        None => None,
    };
    let (facts, slices) = apply(&job, output::wants_slices(args), session)?;
    if let Some(afterword) = asked.as_ref().and_then(authors::Chosen::afterword) {
        note(&afterword);
    }
    let calibration = session.calibration();
    let standing = calibration.and_then(|calibration| Standing::of(&facts, &calibration));
    let exit = output::tell(args, &facts, &slices.end(&facts), standing, session)?;
    if let Some(script) = script {
        script.finish(&facts)?;
    }
    Ok(exit)
}

fn apply(job: &Job, wants_slices: bool, session: &Session) -> Result<(LoadFacts, Slices)> {
    let mut progress = session.progress();
    let mut slices = Slices::new(wants_slices);
    let facts = load::run(job, session.interrupted(), &mut |event| {
        if let Event::Tick(tick) = &event {
            slices.tick(tick);
        }
        progress.load(&event);
    });
    progress.end();
    Ok((facts?, slices))
}

fn place(args: &BenchArgs) -> Result<Place> {
    match &args.unix {
        Some(socket) => Place::on_socket(socket.clone(), &args.url),
        None => Place::parse(&args.url),
    }
}
