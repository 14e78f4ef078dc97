//! `weir bench`: loads one URL.

mod authors;
mod job;
mod output;
mod place;
mod preflight;
pub(super) mod script;
mod slices;
mod survey;

use judge::Standing;
use load::{Event, Job};
use record::{LoadFacts, Protocol};

use crate::args::{BenchArgs, Format};
use crate::error::Result;
use crate::exit::Exit;
use crate::session::Session;
pub(super) use place::Place;
use slices::Slices;

pub(crate) fn run(args: &BenchArgs, session: &Session) -> Result<Exit> {
    let place = place(args)?;
    let seed = args.seed.unwrap_or_else(experiment::seed);
    let asked = authors::choose(args, &place, &job::expected(args)?, seed)?;
    if let Some(note) = asked.as_ref().and_then(|asked| asked.note.as_ref()) {
        anstream::eprintln!("{note}");
    }
    let mut job = job::job(args, place, asked.as_ref(), seed)?;
    if args.is_survey() {
        return survey::run(args, &job, session);
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
    let (facts, slices) = apply(&job, session)?;
    if let Some(afterword) = asked.as_ref().and_then(authors::Chosen::afterword) {
        anstream::eprintln!("{afterword}");
    }
    let standing = standing(&job, &facts, session);
    let exit = output::tell(args, &facts, &slices.end(&facts), standing, session)?;
    if let Some(script) = script {
        script.finish(&facts)?;
    }
    Ok(exit)
}

fn apply(job: &Job, session: &Session) -> Result<(LoadFacts, Slices)> {
    let mut progress = session.progress();
    let mut slices = Slices::new();
    let facts = load::run(job, session.interrupted(), &mut |event| {
        if let Event::Tick(tick) = &event {
            slices.tick(tick);
        }
        progress.load(&event);
    });
    progress.end();
    Ok((facts?, slices))
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
